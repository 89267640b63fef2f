import type { ResponseStatus } from '../dataset/response-row.ts';
import type { MissingRule, TargetType } from './weighting-request.ts';

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
