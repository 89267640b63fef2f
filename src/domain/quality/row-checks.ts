import { DURATION_COLUMN } from '../dataset/columns/metadata-columns.ts';
import type { StoredAnswers } from '../answers/codec.ts';
import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { questionsOf, type SurveyDefinition } from '../survey/definition.ts';
import type { QualitySettings } from '../survey/settings/quality-settings.ts';
import { attentionFlags } from './attention-check.ts';
import { battery } from './battery-columns.ts';
import { type DuplicateMetric, duplicateFlag } from './duplicate.ts';
import type { QualityCheck, QualityFlag } from './quality-flag.ts';
import { type CompleteDurations, speederFlag, speederThreshold } from './speeder.ts';
import { straightlinerFlag } from './straightliner.ts';
import { straightlining } from './straightlining.ts';

/** One check made ready for all rows of a dataset. What it read before stays as it was when it was made. */
export interface RowCheck {
  check: QualityCheck;
  /** Where the lines were drawn. */
  thresholds: Record<string, number | null>;
  /** null: there is nothing in this response to judge by. `answers` need hold only the questions of attention checks. */
  judge(row: number, answers: Readonly<StoredAnswers>): QualityFlag[] | null;
}

/** `completes`: the rows whose median is the measure, 1 or 0. */
export function speederRows(
  dataset: Dataset,
  completes: Uint8Array,
  settings: QualitySettings['speeder'],
): RowCheck {
  const column = dataset.column(DURATION_COLUMN);
  const values = column.kind === 'numeric' ? column.values : new Float64Array();
  const durations = durationsOf(values, completes);
  const threshold = speederThreshold(settings, durations);
  return {
    check: 'speeder',
    thresholds: {
      ratio: settings.ratio,
      min_seconds: settings.min_seconds,
      min_completes: settings.min_completes,
      completes: durations.count,
      median_seconds: durations.medianSeconds,
      duration_seconds: threshold,
    },
    judge(row) {
      const seconds = values[row]!;
      if (threshold === null || Number.isNaN(seconds)) return null;
      const flag = speederFlag(seconds, { ...settings, enabled: true }, durations);
      return flag === null ? [] : [flag];
    },
  };
}

function durationsOf(values: Float64Array, completes: Uint8Array): CompleteDurations {
  const sorted = values
    .subarray(0, completes.length)
    .filter((value, row) => completes[row] === 1 && value >= 0);
  const count = sorted.sort().length;
  const medianSeconds = count === 0 ? null : (sorted[(count - 1) >> 1]! + sorted[count >> 1]!) / 2;
  return { count, medianSeconds };
}

/** Batteries are columns of the dataset, loaded. */
export function straightlinerRows(
  dataset: Dataset,
  batteries: readonly CatalogColumn[][],
  settings: QualitySettings['straightliner'],
): RowCheck {
  const readers = batteries.map((columns) => battery(dataset, columns));
  return {
    check: 'straightliner',
    thresholds: {
      min_rows: settings.min_rows,
      max_identical_share: settings.max_identical_share,
      batteries: batteries.length,
    },
    judge(row) {
      let flags: QualityFlag[] | null = null;
      for (const { columnCodes, codesAt } of readers) {
        const measured = straightlining(codesAt(row));
        if (measured.answered < settings.min_rows) continue;
        flags ??= [];
        const flag = straightlinerFlag(measured, columnCodes, settings);
        if (flag !== null) flags.push(flag);
      }
      return flags;
    },
  };
}

/** By what responses were found alike, and how many before each row are like it. */
export interface Alike {
  metric: DuplicateMetric;
  earlier: Uint32Array;
}

/** Numbers the rows of each group of alike ones: the first stays 0. Rows that do not count are passed over. */
export function countEarlier(groups: Iterable<readonly number[]>, counting: Uint8Array): Uint32Array {
  const earlier = new Uint32Array(counting.length);
  for (const rows of groups) {
    let before = 0;
    for (const row of rows) if (counting[row] === 1) earlier[row] = before++;
  }
  return earlier;
}

/** Judges by groups that were found beforehand: `earlier` is by row, as countEarlier gives it. */
export function duplicateRows(alike: readonly Alike[], settings: QualitySettings['duplicate']): RowCheck {
  return {
    check: 'duplicate',
    thresholds: { min_identical_answers: settings.min_identical_answers },
    judge: (row) =>
      alike.length === 0
        ? null
        : alike.flatMap(({ metric, earlier }) => duplicateFlag(metric, earlier[row] ?? 0) ?? []),
  };
}

/** Judges by the answers to the questions that `checkedCodes` names. */
export function attentionRows(
  definition: SurveyDefinition,
  checks: QualitySettings['attention_checks'],
): RowCheck {
  const checked = checkedCodes(definition, checks);
  return {
    check: 'attention_check',
    thresholds: { checks: checks.length },
    judge: (_row, answers) =>
      checked.some((code) => Object.hasOwn(answers, code))
        ? attentionFlags(answers, definition, checks)
        : null,
  };
}

/** The codes of the questions whose answers `attentionRows` looks at. */
export function checkedCodes(
  definition: SurveyDefinition,
  checks: QualitySettings['attention_checks'],
): string[] {
  const ids = new Set(checks.map((check) => check.question_id));
  return questionsOf(definition).flatMap(({ id, code }) => (ids.has(id) ? [code] : []));
}
