import { computeEffectiveBase } from '../base.ts';
import { computeStandardDeviation, type ValueMoments } from '../moments.ts';

/** The mean of a column's respondents in the form of API replies; null with too few values. */
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

/** Mean, standard deviation and standard error of a group of respondents. */
export function presentMean(moments: ValueMoments, isWeighted: boolean): MeanFigure {
  const { count, weight, squaredWeight, mean } = moments;
  const effective = computeEffectiveBase(weight, squaredWeight);
  const sd = computeStandardDeviation(moments);
  return {
    count,
    weighted_count: isWeighted ? weight : null,
    effective_base: effective,
    mean: count === 0 ? null : mean,
    sd,
    se: sd === null || effective <= 0 ? null : sd / Math.sqrt(effective),
  };
}
