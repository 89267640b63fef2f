import type { ColumnSpec } from '../dataset/columns/column-spec.ts';

export type TargetType = 'percent' | 'proportion' | 'count';

/**
 * What becomes of a respondent who has no category in a dimension: `keep_share` leaves the missing ones the share they have and
 * gives the rest of the targets to the others; `exclude` gives no weight to who misses one dimension; `error` refuses.
 */
export type MissingRule = 'keep_share' | 'exclude' | 'error';

interface Target {
  /** The option_value. */
  value: string;
  /** Percent, share or number, as the target type says. */
  target: number;
}

export interface Dimension {
  spec: Pick<ColumnSpec, 'columnCode' | 'values'>;
  /** Per row the index into `spec.values`, negative where missing, as a categorical column keeps them. */
  indices: Int16Array | Int32Array;
  targets: readonly Target[];
}

export interface WeightingRequest {
  dimensions: readonly Dimension[];
  targetType: TargetType;
  /** 1 for each row that is to be weighted. */
  mask: Uint8Array;
  /** Per row, as long as the mask; a row without a positive one gets no weight. Null: all alike. */
  baseWeights: Float64Array | null;
  maxIterations: number;
  /** The largest distance of a margin from its target that counts as none, in shares (0 to 1). */
  tolerance: number;
  /** Limits of a weight, where the weights average 1, whatever they are scaled to. */
  minWeight: number | null;
  maxWeight: number | null;
  missing: MissingRule;
  /** What the weights add up to; `sample` makes them average 1. */
  scaleTo: 'sample' | number;
}
