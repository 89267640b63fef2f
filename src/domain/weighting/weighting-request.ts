import type { ColumnSpec } from '../dataset/columns/column-spec.ts';
import type { ResponseStatus } from '../dataset/response-row.ts';

export type TargetType = 'percent' | 'proportion' | 'count';

/**
 * How to treat respondents without a category in a dimension. `keep_share`: they keep their share, and the targets apply to the others.
 * `exclude`: respondents missing any dimension get no weight. `error`: the request is rejected.
 */
export type MissingRule = 'keep_share' | 'exclude' | 'error';

interface Target {
  /** The option_value. */
  value: string;
  /** A percent, share or number, depending on the target type. */
  target: number;
}

export interface Dimension {
  spec: Pick<ColumnSpec, 'columnCode' | 'values'>;
  /** Per row the index into `spec.values`, negative where missing, as in a categorical column. */
  indices: Int16Array | Int32Array;
  targets: readonly Target[];
}

export interface WeightingRequest {
  dimensions: readonly Dimension[];
  targetType: TargetType;
  /** 1 for each row to be weighted. */
  mask: Uint8Array;
  /** Per row, at least as long as the mask; rows without a positive base weight get no weight. Null: no base weights. */
  baseWeights: Float64Array | null;
  maxIterations: number;
  /** The largest accepted distance of a margin from its target, as a share (0 to 1). */
  tolerance: number;
  /** Limits of the weights at an average of 1, before scaling. */
  minWeight: number | null;
  maxWeight: number | null;
  missing: MissingRule;
  /** The sum of the weights; `sample` gives an average of 1. */
  scaleTo: 'sample' | number;
}

/** A stored weighting request: everything that determines the weights except the data. */
export interface WeightScheme {
  /** As sent by the client. */
  filter: unknown;
  status: readonly ResponseStatus[];
  /** Null: the default rule of select-rows.ts. */
  includeTest: boolean | null;
  /** Whether responses with a confirmed quality flag get a weight. Absent in schemes of earlier versions: true. */
  includeConfirmed?: boolean;
  dimensions: readonly {
    columnCode: string;
    targets: readonly { value: string; target: number }[];
  }[];
  targetType: TargetType;
  baseWeightColumn: string | null;
  maxIterations: number;
  tolerance: number;
  minWeight: number | null;
  maxWeight: number | null;
  missing: MissingRule;
  scaleTo: 'sample' | number;
  allowUnconverged: boolean;
}
