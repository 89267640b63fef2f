import { type ColumnNote, noteAbsentOptions, noteNumbers } from '../columns/column-notes.ts';
import { runToCompletion } from '../../lib/concurrency.ts';
import type { CatalogColumn, QuestionColumns } from '../dataset/column-catalog.ts';
import type { ColumnSpec, ColumnType } from '../columns/column-spec.ts';
import type { Column } from '../columns/columns.ts';
import type { NoAnswerReason } from '../columns/no-answer.ts';
import { wallClockValues } from '../columns/dates.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { rowsOf, typeOf } from '../questions/registry.ts';
import type { IntervalConvention } from './design/convention.ts';
import type { Precision } from './design/precision.ts';
import { summarizeNumbers, type Summary } from './moments.ts';
import { allowsMeans } from '../columns/column-spec.ts';
import {
  type AnswerStatusCounts,
  type Base,
  countBase,
  type CountedRows,
  effectiveCount,
  NO_RESPONSES,
  selectCountedRows,
} from './base.ts';
import {
  type ChoiceCounts,
  countBinary,
  countCategorical,
  countMultiple,
  countStates,
} from './count-choices.ts';
import { type Tally, tallyNumbers } from './tally.ts';
import {
  type Category,
  dateCategories,
  type Grouping,
  numberCategories,
  textCategories,
  type ValueCategories,
} from './value-categories.ts';

/** A distribution in the form of API replies. Percents of the base are 0 to 100; null if the base is empty. */
export interface Distribution {
  column_code: string;
  label: string;
  type: ColumnType;
  measure: ColumnSpec['measure'];
  /** The number of responses in the base. */
  base: number;
  /** Σw and (Σw)²/Σw² of the base; null without a weight. */
  weighted_base: number | null;
  effective_base: number | null;
  missing: {
    skipped: number;
    not_shown: number;
    /** Derived columns: respondents whose answer to the source question gives no value, such as a number outside all bins. */
    not_applicable: number;
    /** Chose only options flagged as missing, such as "don't know". */
    option_missing: number;
    /** Gave a reason instead of an answer. */
    no_answer: Record<NoAnswerReason, number>;
    /** Excluded because of a missing or non-positive weight. */
    without_weight: number;
  };
  categories: DistributionCategory[];
  /** The number of distinct values. More than the categories if these are grouped or only the most frequent are listed. */
  distinct: number;
  truncated: boolean;
  grouped_by: Grouping;
  /** The bounds of the groups of a number, one more than groups; null without `maxGroups` or with few values. */
  breaks: number[] | null;
  /** For the answering base, weighted if a weight is used. Null for nominal columns, dates, texts and files. */
  stats: Summary | null;
  notes: ColumnNote[];
  /** The statistics with their precision; null like `stats`. Only if intervals were requested. */
  estimates?: EstimatedStatistics | null;
  /** How intervals were computed. */
  convention?: IntervalConvention;
}

type PreciseEstimate = (Precision & { estimate: number }) | null;

/** Statistics with their precision; null without values. */
export interface EstimatedStatistics {
  mean: PreciseEstimate;
  sum: PreciseEstimate;
  median: PreciseEstimate;
  p25: PreciseEstimate;
  p75: PreciseEstimate;
  nps?: PreciseEstimate;
}

/** `se`, `ci_low` and `ci_high` of percentages are 0 to 100; only if intervals were requested. */
interface DistributionCategory extends Partial<Precision> {
  code: number | null;
  value: string;
  /** What the statistics use; null for texts and periods. */
  number: number | null;
  label: string;
  /** Flagged as missing: excluded from the answering base and the statistics, so without a percentage there. */
  missing: boolean;
  count: number;
  percent: number | null;
  weighted_count: number | null;
  weighted_percent: number | null;
}

export interface DistributionOptions {
  /** 1 for every counted row (selectRows). */
  rows: Uint8Array;
  /** By row; NaN where missing. */
  weights?: Float64Array | null | undefined;
  /** Default: answering. */
  base?: Base | undefined;
  /** Numbers and dates with more distinct values are grouped in at most this many groups. */
  maxGroups?: number | undefined;
}

interface ColumnCounts extends ValueCategories {
  groups: AnswerStatusCounts;
  /** The values for statistics; null without statistics. */
  tally: Tally | null;
}

/** The numbers of the categories as a tally, without those flagged as missing. */
function tallyCategories(categories: readonly Category[]): Tally {
  const used = categories.filter(({ missing, count }) => !missing && count > 0);
  used.sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
  return {
    values: Float64Array.from(used, ({ number }) => number ?? NaN),
    counts: Float64Array.from(used, ({ count }) => count),
    weights: Float64Array.from(used, ({ weight }) => weight),
    squaredWeights: Float64Array.from(used, ({ squaredWeight }) => squaredWeight),
  };
}

function fromChoices(spec: ColumnSpec, { options, groups }: ChoiceCounts): ColumnCounts {
  const categories = spec.values.map(({ code, value, number, label, missing }, index): Category => {
    return { code, value, number, label, missing, ...(options[index] ?? NO_RESPONSES) };
  });
  const distinct = categories.filter(({ count }) => count > 0).length;
  const tally = allowsMeans(spec) ? tallyCategories(categories) : null;
  return { categories, distinct, groupedBy: null, groups, tally };
}

function* countColumn(
  spec: ColumnSpec,
  column: Column,
  rows: CountedRows,
  maxGroups: number | undefined,
): Generator<undefined, ColumnCounts> {
  switch (column.kind) {
    case 'categorical':
      return fromChoices(spec, countCategorical(column, rows));
    case 'binary':
      return fromChoices(spec, countBinary(column, rows));
    case 'multiple':
      return fromChoices(spec, countMultiple(column, rows));
    case 'numeric': {
      const tally = tallyNumbers(column.values, rows);
      const groups = countStates(column.states, rows);
      return { ...numberCategories(spec, tally, maxGroups), groups, tally: allowsMeans(spec) ? tally : null };
    }
    case 'date': {
      const groups = countStates(column.states, rows);
      return {
        ...dateCategories(spec, tallyNumbers(wallClockValues(spec, column.values), rows), maxGroups),
        groups,
        tally: null,
      };
    }
    case 'text': {
      const groups = countStates(column.states, rows);
      const listed =
        spec.type === 'file'
          ? { categories: [], distinct: 0, groupedBy: null }
          : yield* textCategories(column, rows);
      return { ...listed, groups, tally: null };
    }
  }
}

function isNps({ origin }: CatalogColumn): boolean {
  return origin.kind === 'question' && typeOf(origin.questionColumns.question).figures.hasNetPromoterScore;
}

/** The properties of a column that its distribution depends on. */
export interface ColumnTraits {
  spec: ColumnSpec;
  /** Whether the answers have a Net Promoter Score. */
  isNps: boolean;
}

export const columnTraits = (entry: CatalogColumn): ColumnTraits => ({
  spec: entry.spec,
  isNps: isNps(entry),
});

/**
 * Computes the distribution of a column over the counted responses. The base of a multiple-response set are respondents, so percents can
 * add up to more than 100. Numbers and dates with more than 1,000 distinct values are grouped, and only the 1,000 most frequent texts are
 * listed; `grouped_by`, `distinct` and `truncated` report this. The column must be loaded, or passed in if the dataset does not keep it.
 */
export function computeDistribution(
  dataset: Dataset,
  entry: CatalogColumn,
  { column = dataset.column(entry), ...options }: DistributionOptions & { column?: Column },
): Distribution {
  return runToCompletion(computeColumnDistribution(column, columnTraits(entry), options));
}

/** Computes the distribution of one column, yielding in long computations. */
export function* computeColumnDistribution(
  column: Column,
  { spec, isNps: nps }: ColumnTraits,
  options: DistributionOptions,
): Generator<undefined, Distribution> {
  const weighted = options.weights != null;
  const rows = selectCountedRows(options.rows, options.weights ?? null);
  const { groups, categories, distinct, groupedBy, breaks, tally } = yield* countColumn(
    spec,
    column,
    rows,
    options.maxGroups,
  );
  const chosenBase = options.base ?? 'answering';
  const base = countBase(groups, chosenBase);
  const share = (part: number, whole: number) => (whole > 0 ? (100 * part) / whole : null);
  return {
    column_code: spec.columnCode,
    label: spec.label,
    type: spec.type,
    measure: spec.measure,
    base: base.count,
    weighted_base: weighted ? base.weight : null,
    effective_base: weighted ? effectiveCount(base) : null,
    missing: {
      skipped: groups.skipped.count,
      not_shown: groups.notShown.count,
      not_applicable: groups.notApplicable.count,
      option_missing: groups.optionMissing.count,
      no_answer: {
        dont_know: groups.noAnswer.dont_know.count,
        refused: groups.noAnswer.refused.count,
        not_applicable: groups.noAnswer.not_applicable.count,
      },
      without_weight: rows.withoutWeight,
    },
    categories: categories.map(({ code, value, number, label, missing, count, weight }) => {
      const outside = missing && chosenBase === 'answering';
      return {
        code,
        value,
        number,
        label,
        missing,
        count,
        percent: outside ? null : share(count, base.count),
        weighted_count: weighted ? weight : null,
        weighted_percent: weighted && !outside ? share(weight, base.weight) : null,
      };
    }),
    distinct,
    truncated: groupedBy === null && distinct > categories.length && spec.type !== 'file',
    grouped_by: groupedBy,
    breaks: breaks ?? null,
    stats: tally ? summarizeNumbers(tally, { nps }) : null,
    notes: [...(tally ? noteNumbers(spec) : []), ...noteAbsentOptions(spec)],
  };
}

/** A number of responses and its percent of the base. */
interface Share {
  count: number;
  /** 0 to 100; null without a base. */
  percent: number | null;
  /** Null without a weight. */
  weighted_count: number | null;
  weighted_percent: number | null;
}

interface CompositeBase {
  column_code: string;
  label: string;
  /** Responses with a usable answer to any row or option, whatever the base. */
  answered: number;
  /** Why other responses have none. */
  missing: Distribution['missing'];
  /** Responses in the base of any row or option. */
  base: number;
  weighted_base: number | null;
  effective_base: number | null;
  /** The base of the percents. */
  base_of: Base;
}

/** A matrix as a whole: the distribution of each row. */
interface MatrixDistribution extends CompositeBase {
  type: 'matrix';
  rows: (Distribution & { row_code: string; row_label: string })[];
}

/** A ranking as a whole. */
interface RankingDistribution extends CompositeBase {
  type: 'ranking';
  options: RankedOption[];
}

interface RankedOption {
  column_code: string;
  code: number;
  value: string;
  label: string;
  /** The base of the percents: respondents shown the question or, with the base `answering`, those who ranked the option. */
  base: number;
  weighted_base: number | null;
  /** Respondents who gave it any rank. */
  ranked: Share;
  /** Among those who ranked it, weighted if a weight is used; 1 is best. */
  mean_rank: number | null;
  /** Ranked first, and ranked in the top three. */
  top_1: Share;
  top_3: Share;
  /** Every possible rank. */
  ranks: (Share & { rank: number })[];
}

/** A question with a number for each option as a whole: the distribution of each number. */
interface NumbersDistribution extends CompositeBase {
  type: 'numbers';
  options: (Distribution & { option_code: number; option_value: string; option_label: string })[];
}

export type CompositeDistribution = MatrixDistribution | RankingDistribution | NumbersDistribution;

const TOP = 3;

/** Combines the distributions of the parts of a question, in the order of its columns. */
export function combineDistributions(
  { question }: QuestionColumns,
  distributions: readonly Distribution[],
  base: Omit<CompositeBase, 'column_code' | 'label'>,
): CompositeDistribution {
  const head = { column_code: question.code, label: question.text, ...base };
  const { composite } = typeOf(question).figures;
  if (composite?.kind === 'categories') {
    const rows = rowsOf(question).flatMap(({ row_code, row_label }, index) => {
      const distribution = distributions[index];
      return distribution === undefined ? [] : { row_code, row_label, ...distribution };
    });
    return { ...head, type: 'matrix', rows };
  }
  if (composite?.kind === 'numbers') {
    const options = question.options.flatMap(({ code, value, label }, index) => {
      const distribution = distributions[index];
      if (distribution === undefined) return [];
      return { option_code: code, option_value: value, option_label: label, ...distribution };
    });
    return { ...head, type: 'numbers', options };
  }
  const { length: most } = question.options;
  const options = question.options.flatMap(({ code, value, label }, index): RankedOption | [] => {
    const one = distributions[index];
    if (one === undefined) return [];
    const share = (from: number, to: number) => sumShares(one, from, to);
    return {
      column_code: one.column_code,
      code,
      value,
      label,
      base: one.base,
      weighted_base: one.weighted_base,
      ranked: share(1, most),
      mean_rank: one.stats?.mean ?? null,
      top_1: share(1, 1),
      top_3: share(1, TOP),
      ranks: Array.from({ length: most }, (_, position) => ({
        rank: position + 1,
        ...share(position + 1, position + 1),
      })),
    };
  });
  return { ...head, type: 'ranking', options };
}

function sumShares(
  { categories, base, weighted_base: weightedBase }: Distribution,
  from: number,
  to: number,
): Share {
  const chosen = categories.filter(({ value }) => Number(value) >= from && Number(value) <= to);
  const count = chosen.reduce((sum, one) => sum + one.count, 0);
  const weighted = chosen.reduce((sum, one) => sum + (one.weighted_count ?? 0), 0);
  return {
    count,
    percent: base > 0 ? (100 * count) / base : null,
    weighted_count: weightedBase === null ? null : weighted,
    weighted_percent: weightedBase !== null && weightedBase > 0 ? (100 * weighted) / weightedBase : null,
  };
}
