import type { QualityCheck, QualityFlag } from './quality-flag.ts';
import { DURATION_COLUMN } from '../dataset/columns/metadata-columns.ts';
import type { StoredAnswers } from '../answers/codec.ts';
import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { questionsOf, type SurveyDefinition } from '../survey/definition.ts';
import type { QualitySettings } from '../survey/settings/quality-settings.ts';
import { findAttentionFlags } from './attention-check.ts';
import { findStraightlinerFlag, measureStraightlining, readBattery } from './straightlining.ts';
import { type CompleteDurations, findSpeederFlag, speederThreshold } from './speeder.ts';

export type DuplicateMetric = 'address' | 'fingerprint' | 'external_id' | 'identical_answers';

/** `earlier`: the number of earlier responses with the same value. The first of a group of duplicates is not flagged. */
export function createDuplicateFlag(metric: DuplicateMetric, earlier: number): QualityFlag | null {
  if (earlier === 0) return null;
  return {
    check: 'duplicate',
    severity: metric === 'external_id' ? 'high' : 'medium',
    metric,
    value: earlier,
    threshold: 0,
    column_codes: metric === 'external_id' ? ['external_id'] : [],
  };
}

/** A check prepared for all rows of a dataset. Its thresholds do not change afterwards. */
export interface RowCheck {
  check: QualityCheck;
  /** The thresholds of the check. */
  thresholds: Record<string, number | null>;
  /** Returns null if the response has no data for the check. `answers` must include only the questions of attention checks. */
  evaluate(row: number, answers: Readonly<StoredAnswers>): QualityFlag[] | null;
}

/** `completes`: 1 for the rows that determine the reference median duration, otherwise 0. */
export function createSpeederCheck(
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
    evaluate(row) {
      const seconds = values[row]!;
      if (threshold === null || Number.isNaN(seconds)) return null;
      const flag = findSpeederFlag(seconds, { ...settings, enabled: true }, durations);
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

/** Batteries are loaded columns of the dataset. */
export function createStraightlinerCheck(
  dataset: Dataset,
  batteries: readonly CatalogColumn[][],
  settings: QualitySettings['straightliner'],
): RowCheck {
  const readers = batteries.map((columns) => readBattery(dataset, columns));
  return {
    check: 'straightliner',
    thresholds: {
      min_rows: settings.min_rows,
      max_identical_share: settings.max_identical_share,
      batteries: batteries.length,
    },
    evaluate(row) {
      let flags: QualityFlag[] | null = null;
      for (const { columnCodes, codesAt } of readers) {
        const measured = measureStraightlining(codesAt(row));
        if (measured.answered < settings.min_rows) continue;
        flags ??= [];
        const flag = findStraightlinerFlag(measured, columnCodes, settings);
        if (flag !== null) flags.push(flag);
      }
      return flags;
    },
  };
}

/** The metric that found duplicates, and for each row the number of earlier duplicates. */
export interface DuplicateGroups {
  metric: DuplicateMetric;
  earlier: Uint32Array;
}

/** Numbers the rows of each group of duplicates; the first stays 0. Skips rows that are not counted. */
export function countEarlierDuplicates(
  groups: Iterable<readonly number[]>,
  counting: Uint8Array,
): Uint32Array {
  const earlier = new Uint32Array(counting.length);
  for (const rows of groups) {
    let before = 0;
    for (const row of rows) if (counting[row] === 1) earlier[row] = before++;
  }
  return earlier;
}

/** Flags duplicates that were grouped before. `earlier` is by row, from countEarlierDuplicates. */
export function createDuplicateCheck(
  duplicateGroups: readonly DuplicateGroups[],
  settings: QualitySettings['duplicate'],
): RowCheck {
  return {
    check: 'duplicate',
    thresholds: { min_identical_answers: settings.min_identical_answers },
    evaluate: (row) =>
      duplicateGroups.length === 0
        ? null
        : duplicateGroups.flatMap(
            ({ metric, earlier }) => createDuplicateFlag(metric, earlier[row] ?? 0) ?? [],
          ),
  };
}

/** Checks the answers to the questions of `attentionCheckCodes`. */
export function createAttentionCheck(
  definition: SurveyDefinition,
  checks: QualitySettings['attention_checks'],
): RowCheck {
  const checked = attentionCheckCodes(definition, checks);
  return {
    check: 'attention_check',
    thresholds: { checks: checks.length },
    evaluate: (_row, answers) =>
      checked.some((code) => Object.hasOwn(answers, code))
        ? findAttentionFlags(answers, definition, checks)
        : null,
  };
}

/** The codes of the questions that `createAttentionCheck` reads. */
export function attentionCheckCodes(
  definition: SurveyDefinition,
  checks: QualitySettings['attention_checks'],
): string[] {
  const ids = new Set(checks.map((check) => check.question_id));
  return questionsOf(definition).flatMap(({ id, code }) => (ids.has(id) ? [code] : []));
}
