import { effectiveBase } from './effective-base.ts';

/** Responses counted together. */
export interface Count {
  count: number;
  /** Σw and Σw²; without weights both are the count. */
  weight: number;
  squaredWeight: number;
}

/** Nobody. */
export const NO_RESPONSES: Readonly<Count> = { count: 0, weight: 0, squaredWeight: 0 };

/** Responses of which none is in two of the counts, put together. */
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

/** The rows of a mask together; weights are by row, 0 outside the mask, null: every row counts as one. */
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

/** The effective base of what was counted; without weights the count itself. */
export function effectiveCount({ weight, squaredWeight }: Count): number {
  return effectiveBase(weight, squaredWeight);
}
