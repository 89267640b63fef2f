import type { QuestionColumns } from '../dataset/columns/column-catalog.ts';
import { rowsOf, typeOf } from '../questions/registry.ts';
import type { Base } from './base.ts';
import type { Distribution } from './distribution.ts';

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
    const rows = rowsOf(question).map((row, index) => ({ ...row, ...distributions[index]! }));
    return { ...head, type: 'matrix', rows };
  }
  if (composite?.kind === 'numbers') {
    const options = question.options.map(({ code, value, label }, index) => ({
      ...{ option_code: code, option_value: value, option_label: label },
      ...distributions[index]!,
    }));
    return { ...head, type: 'numbers', options };
  }
  const { length: most } = question.options;
  const options = question.options.map(({ code, value, label }, index): RankedOption => {
    const one = distributions[index]!;
    const share = (from: number, to: number) => sumShares(one, from, to);
    return {
      column_code: one.column_code,
      ...{ code, value, label, base: one.base, weighted_base: one.weighted_base },
      ranked: share(1, most),
      mean_rank: one.stats?.mean ?? null,
      ...{ top_1: share(1, 1), top_3: share(1, TOP) },
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
  const weighted =
    weightedBase === null ? null : chosen.reduce((sum, one) => sum + (one.weighted_count ?? 0), 0);
  return {
    count,
    percent: base > 0 ? (100 * count) / base : null,
    weighted_count: weighted,
    weighted_percent: weighted !== null && weightedBase! > 0 ? (100 * weighted) / weightedBase! : null,
  };
}
