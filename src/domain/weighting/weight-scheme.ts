import type { ResponseStatus } from '../dataset/response-row.ts';
import type { MissingRule, TargetType } from './weighting-request.ts';

/** A weighting as it was asked for, and is kept: everything that decides on the weights but the data. */
export interface WeightScheme {
  /** As the client wrote it. */
  filter: unknown;
  status: readonly ResponseStatus[];
  /** null: as figures count them, by the rule of select-rows.ts. */
  includeTest: boolean | null;
  /** Responses with a confirmed quality flag get a weight. Absent in schemes kept by earlier versions: they do. */
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
