import { effectiveBase } from '../effective-base.ts';
import type { MeasureSums } from './count-measure.ts';

/** The mean of a column's respondents, as clients get it; null where there are too few values. */
export interface MeanFigure {
  /** Values, unweighted. */
  count: number;
  weighted_count: number | null;
  effective_base: number;
  mean: number | null;
  /** n-1; weighted as svyvar of the R package survey: n/(n-1) · Σw(x-m)²/Σw. */
  sd: number | null;
  /** sd / √(effective base). */
  se: number | null;
  letters?: string[];
}

/** Mean, SD and standard error from sums: of respondents, and so of any group of them, without another walk over the rows. */
export function meanFigure(sums: MeasureSums, isWeighted: boolean): MeanFigure {
  const { shift, count, weight, squaredWeight, sum, squaredSum } = sums;
  const effective = effectiveBase(weight, squaredWeight);
  const distance = weight > 0 ? sum / weight : null;
  const variance =
    count > 1 && distance !== null
      ? (Math.max(0, squaredSum / weight - distance * distance) * count) / (count - 1)
      : null;
  const sd = variance === null ? null : Math.sqrt(variance);
  return {
    count,
    weighted_count: isWeighted ? weight : null,
    effective_base: effective,
    mean: distance === null ? null : shift + distance,
    sd,
    se: sd === null || effective <= 0 ? null : sd / Math.sqrt(effective),
  };
}
