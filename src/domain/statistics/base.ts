import type { NoAnswerReason } from '../columns/no-answer.ts';

/**
 * The number of equally weighted responses with the same precision: (Σw)² / Σw². L. Kish, Survey Sampling (1965). Equals the number of
 * responses if all weights are equal; 0 without responses.
 */
export function computeEffectiveBase(weight: number, squaredWeight: number): number {
  return squaredWeight > 0 ? (weight * weight) / squaredWeight : 0;
}

/** A count of responses with its weights. */
export interface Count {
  count: number;
  /** Σw and Σw²; without weights both equal the count. */
  weight: number;
  squaredWeight: number;
}

/** An empty count. */
export const NO_RESPONSES: Readonly<Count> = { count: 0, weight: 0, squaredWeight: 0 };

/** Adds counts that share no responses. */
export function addCounts(...counts: readonly Count[]): Count {
  return counts.reduce<Count>(
    (sum, { count, weight, squaredWeight }) => ({
      count: sum.count + count,
      weight: sum.weight + weight,
      squaredWeight: sum.squaredWeight + squaredWeight,
    }),
    NO_RESPONSES,
  );
}

/** Counts the rows of a mask. Weights are by row, 0 outside the mask; null: unweighted. */
export function countRows(mask: Uint8Array, weights: Float64Array | null): Count {
  let [count, weight, squaredWeight] = [0, 0, 0];
  for (let row = 0; row < mask.length; row++) {
    const added = weights === null ? mask[row]! : weights[row]! * mask[row]!;
    count += mask[row]!;
    weight += added;
    squaredWeight += added * added;
  }
  return { count, weight, squaredWeight };
}

/** The effective base; without weights, the count. */
export function effectiveCount({ weight, squaredWeight }: Count): number {
  return computeEffectiveBase(weight, squaredWeight);
}

/**
 * The counted rows (1 or 0 per row) and their weights. A row without a positive weight (NaN: missing in the weight column) is not
 * counted, as in SPSS.
 */
export interface CountedRows {
  mask: Uint8Array;
  /** Parallel to the mask, 0 where it is 0; null: unweighted. */
  weights: Float64Array | null;
  /** Rows of the original mask excluded because they have no positive weight. */
  withoutWeight: number;
}

/** `mask`: the selected rows. `weights`: by row, at least as long as the mask, NaN where missing. */
export function selectCountedRows(mask: Uint8Array, weights: Float64Array | null): CountedRows {
  if (!weights) return { mask, weights: null, withoutWeight: 0 };
  const counted = new Uint8Array(mask.length);
  const usable = new Float64Array(mask.length);
  let withoutWeight = 0;
  for (let row = 0; row < mask.length; row++) {
    const weight = weights[row]!;
    const counts = weight > 0 ? 1 : 0;
    counted[row] = counts & mask[row]!;
    withoutWeight += mask[row]! & (1 - counts);
    usable[row] = counted[row] === 1 ? weight : 0;
  }
  return { mask: counted, weights: usable, withoutWeight };
}

/** Counts of responses by their answer status in one column. Together they are all counted rows. */
export interface AnswerStatusCounts {
  /** Have a value that counts in statistics. */
  answering: Count;
  /** Chose only options flagged as missing ("don't know"). */
  optionMissing: Count;
  skipped: Count;
  notShown: Count;
  /** Answered the source question of a derived column that has no value for this answer. */
  notApplicable: Count;
  /** Gave a reason instead of an answer. */
  noAnswer: Readonly<Record<NoAnswerReason, Count>>;
}

/** The base of a percentage: respondents with a usable answer, those shown the question, or all. */
export const BASES = ['answering', 'shown', 'all'] as const;
export type Base = (typeof BASES)[number];

/** The responses that make up 100 %. */
export function countBase(
  { answering, optionMissing, skipped, notShown, notApplicable, noAnswer }: AnswerStatusCounts,
  base: Base,
): Count {
  if (base === 'answering') return answering;
  const shown = addCounts(answering, optionMissing, skipped, notApplicable, ...Object.values(noAnswer));
  return base === 'shown' ? shown : addCounts(shown, notShown);
}
