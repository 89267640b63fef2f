import type { StoredAnswer, StoredAnswers } from '../questions/answers/codec.ts';
import { type CatalogColumn, partColumn, questionColumns } from '../dataset/column-catalog.ts';
import { DURATION_COLUMN } from '../responses/metadata-columns.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { typeOf } from '../questions/registry.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../survey/definition.ts';
import { operandOf } from '../survey/logic/evaluate-logic.ts';
import type { QualitySettings } from '../survey/quality-settings.ts';
import { flagIdentity, type QualityCheck, type QualityFlag } from '../responses/quality-flag.ts';
import { authoredId } from '../survey/copy-ids.ts';
import { type CompleteDurations, findSpeederFlag, speederThreshold } from './speeder.ts';
import { findStraightlinerFlag, measureStraightlining, readBattery } from './straightlining.ts';

type Check = QualitySettings['attention_checks'][number];

/** Creates a flag for each failed check. Questions that were not shown are not evaluated; a shown but skipped question fails. */
export function findAttentionFlags(
  answers: Readonly<StoredAnswers>,
  definition: SurveyDefinition,
  checks: readonly Check[],
): QualityFlag[] {
  if (checks.length === 0) return [];
  const checked = checks.flatMap((check) =>
    checkedQuestions(definition, [check]).map((question) => ({ check, question })),
  );
  return checked.flatMap(({ check, question }): QualityFlag[] => {
    if (!Object.hasOwn(answers, question.code)) return [];
    const givenAnswers = givenValues(question, answers[question.code] ?? null, check.row_code);
    const expected = [check.expected].flat();
    if (passes(question, givenAnswers, expected)) return [];
    return [
      {
        check: 'attention_check',
        severity: 'high',
        metric: 'answer',
        value: givenAnswers.length === 0 ? null : givenAnswers.join(', ').slice(0, MAX_SHOWN_CHARACTERS),
        threshold: expected.join(', ').slice(0, MAX_SHOWN_CHARACTERS),
        column_codes: [checkedColumn(question, check.row_code)],
      },
    ];
  });
}

/** The questions of checks; of a question in a loop, those of every item. */
function checkedQuestions(definition: SurveyDefinition, checks: readonly Check[]): Question[] {
  const ids = new Set(checks.map((check) => check.question_id));
  return questionsOf(definition).filter(({ id }) => ids.has(authoredId(id)));
}

const MAX_SHOWN_CHARACTERS = 200;

/** The chosen or typed values as texts; for a question with parts, those of one part or of all. */
function givenValues(
  question: Question,
  answer: StoredAnswer | null,
  partCode: string | undefined,
): string[] {
  const operand = operandOf(question, answer, partCode);
  switch (operand?.kind) {
    case undefined:
    case 'no_answer':
      return [];
    case 'choice':
      return [...operand.values];
    case 'number':
      return [String(operand.value)];
    case 'text':
    case 'date':
      return [operand.text];
  }
}

/** Returns the column of the checked part; the code of the question without one. */
function checkedColumn(question: Question, partCode: string | undefined): string {
  if (partCode === undefined) return question.code;
  return partColumn(questionColumns(question), partCode)?.spec.columnCode ?? `${question.code}_${partCode}`;
}

/**
 * The answer is one of the expected values; for multiple choices exactly the expected set; for texts ignoring case and surrounding
 * spaces.
 */
function passes(question: Question, values: readonly string[], expected: readonly string[]): boolean {
  if (values.length === 0) return false;
  return typeOf(question).passesCheck(values, expected);
}

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
  /** Returns null if the response has no data for the check. */
  evaluate(row: number, given: CheckedResponse): QualityFlag[] | null;
}

/** What checks need of a response besides the columns of the dataset. */
export interface CheckedResponse {
  /** To the questions of attention checks at least. */
  answers: Readonly<StoredAnswers>;
  shownQuestions: number;
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
  // Of a response whose number of questions is not known.
  const threshold = speederThreshold(settings, { durations, shownQuestions: 0 });
  return {
    check: 'speeder',
    thresholds: {
      ratio: settings.ratio,
      min_seconds: settings.min_seconds,
      min_seconds_per_question: settings.min_seconds_per_question,
      min_completes: settings.min_completes,
      completes: durations.count,
      median_seconds: durations.medianSeconds,
      duration_seconds: threshold,
    },
    evaluate(row, { shownQuestions }) {
      const seconds = values[row] ?? NaN;
      const reference = { durations, shownQuestions };
      if (Number.isNaN(seconds) || speederThreshold(settings, reference) === null) return null;
      const flag = findSpeederFlag(seconds, { ...settings, enabled: true }, reference);
      return flag === null ? [] : [flag];
    },
  };
}

function durationsOf(values: Float64Array, completes: Uint8Array): CompleteDurations {
  const sorted = values
    .subarray(0, completes.length)
    .filter((value, row) => completes[row] === 1 && value >= 0);
  const count = sorted.sort().length;
  const [lower, upper] = [sorted[(count - 1) >> 1], sorted[count >> 1]];
  const medianSeconds = lower === undefined || upper === undefined ? null : (lower + upper) / 2;
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
    evaluate: (_row, { answers }) =>
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
  return checkedQuestions(definition, checks).map(({ code }) => code);
}

export interface CheckSummary {
  check: QualityCheck;
  /** Responses with data for the check. */
  checked: number;
  /** Responses flagged by this check. */
  flagged: number;
  /** flagged / checked, 0 to 1; null if no response could be checked. */
  share: number | null;
  thresholds: Record<string, number | null>;
  /** Flags by metric and columns. */
  metrics: { metric: string; column_codes: string[]; flagged: number }[];
}

/** Runs several checks on rows and counts the flags. */
export class QualityTally {
  checked = 0;
  flagged = 0;
  private readonly counts: { rowCheck: RowCheck; checked: number; flagged: number }[];
  private readonly metrics = new Map<string, { flag: QualityFlag; flagged: number }>();

  constructor(checks: readonly RowCheck[]) {
    this.counts = checks.map((rowCheck) => ({ rowCheck, checked: 0, flagged: 0 }));
  }

  /** The flags of a row from all checks. */
  evaluate(row: number, given: CheckedResponse): QualityFlag[] {
    const found: QualityFlag[] = [];
    for (const count of this.counts) {
      const flags = count.rowCheck.evaluate(row, given);
      if (flags === null) continue;
      count.checked++;
      if (flags.length === 0) continue;
      count.flagged++;
      for (const flag of flags) this.recordFlag(flag);
      found.push(...flags);
    }
    this.checked++;
    if (found.length > 0) this.flagged++;
    return found;
  }

  summarize(): CheckSummary[] {
    const metrics = [...this.metrics.values()];
    return this.counts.map(({ rowCheck: { check, thresholds }, checked, flagged }) => ({
      check,
      checked,
      flagged,
      share: checked === 0 ? null : flagged / checked,
      thresholds,
      metrics: metrics
        .filter(({ flag }) => flag.check === check)
        .map(({ flag, flagged: count }) => {
          return { metric: flag.metric, column_codes: flag.column_codes, flagged: count };
        }),
    }));
  }

  private recordFlag(flag: QualityFlag): void {
    // The identical answers differ by respondent, so they are counted in one line.
    const counted = flag.metric === 'identical_answers' ? { ...flag, column_codes: [] } : flag;
    const identity = flagIdentity(counted);
    const existing = this.metrics.get(identity);
    if (existing === undefined) this.metrics.set(identity, { flag: counted, flagged: 1 });
    else existing.flagged++;
  }
}
