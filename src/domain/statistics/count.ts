import { computeEffectiveBase } from './effective-base.ts';

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
