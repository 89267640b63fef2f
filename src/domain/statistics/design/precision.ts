import { type Count, effectiveCount } from '../base.ts';
import type { ShareIntervalMethod } from './convention.ts';
import {
  computeMeanInterval,
  computeShareInterval,
  computeWilsonInterval,
  type EstimatedShare,
  type Interval,
} from './intervals.ts';

/** The precision of a figure, in its unit, in the form of API replies; null where it cannot be computed. */
export interface Precision {
  se: number | null;
  ci_low: number | null;
  ci_high: number | null;
  /** Degrees of freedom; null for an interval without them (Wilson). */
  df: number | null;
}

export const NO_PRECISION: Precision = { se: null, ci_low: null, ci_high: null, df: null };
const PERCENT = 100;

const finiteOrNull = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

export const presentPrecision = (se: number, interval: Interval, df: number | null): Precision => ({
  se: finiteOrNull(se),
  ci_low: finiteOrNull(interval?.[0]),
  ci_high: finiteOrNull(interval?.[1]),
  df,
});

/** How intervals of shares are computed. */
export interface ShareIntervalSettings {
  /** `wilson` only without weights and design. */
  shareMethod: ShareIntervalMethod;
  /** In percent. */
  level: number;
}

/** The precision of a share in percent, 0 to 100. `estimate` and `se`: 0 to 1; `base`: the respondents of which it is a share. */
export function presentSharePrecision(
  { base, ...share }: Pick<EstimatedShare, 'estimate' | 'se' | 'logitError' | 'df'> & { base: Count },
  { shareMethod, level }: ShareIntervalSettings,
): Precision {
  const { count } = base;
  const { estimate, se, df } = share;
  if (!(count > 0)) return NO_PRECISION;
  const interval =
    shareMethod === 'wilson'
      ? computeWilsonInterval(Math.round(estimate * count), count, level)
      : computeShareInterval({ ...share, count, effectiveBase: effectiveCount(base) }, level, shareMethod);
  return presentPrecision(
    PERCENT * se,
    interval && [PERCENT * interval[0], PERCENT * interval[1]],
    shareMethod === 'wilson' ? null : df,
  );
}

/** The precision of a mean or another figure with a symmetric interval. */
export const presentMeanPrecision = (
  figure: { estimate: number; se: number; df: number },
  level: number,
): Precision => presentPrecision(figure.se, computeMeanInterval(figure, level), figure.df);

/**
 * The standard error of a share with weights alone, or of a simple random sample: √(n/(n-1) · Σw²(x-p)²) / Σw with x of 0 and 1, as `svymean` of
 * a domain of `svydesign(~1, weights = ~w)`. Returns 0 to 1, NaN without respondents.
 *
 * @param designSize n, the respondents of the sample, in the domain or not
 */
export function linearizedShareError(
  { part, base }: { part: Count; base: Count },
  designSize: number,
): number {
  const share = part.weight / base.weight;
  const squares =
    (1 - share) ** 2 * part.squaredWeight + share ** 2 * (base.squaredWeight - part.squaredWeight);
  return Math.sqrt((designSize / (designSize - 1)) * Math.max(0, squares)) / base.weight;
}
