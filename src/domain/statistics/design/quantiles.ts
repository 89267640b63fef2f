import { computeQuantile } from '../moments.ts';
import type { Tally } from '../tally.ts';
import { estimateMeans, standardError, WHOLE_SAMPLE } from './estimates.ts';
import { computeMeanInterval, type Interval } from './intervals.ts';
import type { SampleDesign } from './sample-design.ts';

/**
 * How a quantile lies between values.
 *
 * - `hmisc`: `Hmisc::wtd.quantile(x, w, p, normwt = TRUE)`, without weights R's type 7; the rule of all other figures
 * - `hf7`: `svyquantile(qrule = "hf7")`, which interpolates between the weights of neighbors
 * - `math`: the smallest value up to which the weights reach the probability; `svyquantile(qrule = "math")`
 */
export const QUANTILE_RULES = ['hmisc', 'hf7', 'math'] as const;
export type QuantileRule = (typeof QUANTILE_RULES)[number];

/** Relative to the total weight; sums of many weights miss a probability by less. */
const ROUNDING = 1e-12;

function computeByInversion({ values, weights }: Tally, probability: number): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const wanted = (probability - ROUNDING) * total;
  let index = 0;
  let reached = weights[0]!;
  while (reached < wanted && index + 1 < values.length) reached += weights[++index]!;
  return values[index]!;
}

/**
 * Interpolates at the positions of single respondents, each with its share of the weights below it: `qrule_hf7` of the R package survey.
 * The highest value has the weights of all others below it. Respondents with equal values share their weight equally; in R the result depends
 * on their order in the data.
 */
function computeBetweenWeights({ values, counts, weights }: Tally, probability: number): number {
  const last = values.length - 1;
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const below = all - weights[last]! / counts[last]!;
  if (!(below > 0)) return values[last]!;
  const wanted = probability * below;
  let start = 0;
  for (let index = 0; index < last; index++) {
    const step = weights[index]! / counts[index]!;
    const lastOfValue = start + weights[index]! - step;
    if (wanted <= lastOfValue) return values[index]!;
    const next = start + weights[index]!;
    if (wanted < next) {
      const part = (wanted - lastOfValue) / step;
      return values[index]! + part * (values[index + 1]! - values[index]!);
    }
    start = next;
  }
  return values[last]!;
}

/** The quantile of tallied values at `probability` (0 to 1); null without values. */
export function computeQuantileByRule(tally: Tally, probability: number, rule: QuantileRule): number | null {
  if (tally.values.length === 0) return null;
  if (rule === 'hmisc') return computeQuantile(tally, probability);
  return rule === 'math' ? computeByInversion(tally, probability) : computeBetweenWeights(tally, probability);
}

export interface EstimatedQuantile {
  estimate: number;
  /** The width of the interval divided by that of a normal interval; null if a bound is beyond the values. */
  se: number | null;
  df: number;
  /** A bound is NaN if the share of values below it would be negative or above 1. */
  interval: Interval;
}

/**
 * A quantile with the interval of R. S. Woodruff, "Confidence intervals for medians and other position measures", JASA 47 (1952): the
 * quantiles at the bounds of the share of values up to the estimate. `svyquantile(x, design, p, interval.type = "mean")` of the R package
 * survey. Null without values.
 *
 * @param values by row, NaN where missing or outside of the domain
 * @param tally the same values with the weights of the design
 * @param level in percent
 */
export function estimateQuantile(
  design: SampleDesign,
  { values, tally }: { values: Float64Array; tally: Tally },
  { probability, rule, level }: { probability: number; rule: QuantileRule; level: number },
): EstimatedQuantile | null {
  const estimate = computeQuantileByRule(tally, probability, rule);
  if (estimate === null) return null;
  const isUpTo = values.map((value) => (Number.isNaN(value) ? NaN : Number(value <= estimate)));
  const share = estimateMeans(design, isUpTo, WHOLE_SAMPLE, { onlyVariances: true });
  const df = share.degreesOfFreedom[0]!;
  const bounds = computeMeanInterval({ estimate: share.values[0]!, se: standardError(share, 0), df }, level);
  if (bounds === null) return { estimate, se: null, df, interval: null };
  const [low, high] = bounds.map((bound) =>
    bound < 0 || bound > 1 ? NaN : computeQuantileByRule(tally, bound, rule)!,
  ) as [number, number];
  const reference = computeMeanInterval({ estimate: 0, se: 1, df }, level)![1];
  const se = (high - low) / (2 * reference);
  return { estimate, se: Number.isNaN(se) ? null : se, df, interval: [low, high] };
}
