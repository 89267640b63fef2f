import { betaQuantile, tQuantileTwoSided } from '../probability.ts';

/** Both bounds; null if they cannot be computed. */
export type Interval = [low: number, high: number] | null;

/** 1 - level / 100. */
const alphaOf = (level: number): number => 1 - level / 100;

/**
 * The interval estimate ± t · se of a mean, sum, ratio, Net Promoter Score or difference: `confint(svymean(…), df = …, level = …)` of the R
 * package survey. Null without a standard error or degrees of freedom.
 *
 * @param level in percent
 */
export function computeMeanInterval(
  { estimate, se, df }: { estimate: number; se: number; df: number },
  level: number,
): Interval {
  if (!(se >= 0 && df > 0)) return null;
  const distance = se === 0 ? 0 : tQuantileTwoSided(alphaOf(level), df) * se;
  return [estimate - distance, estimate + distance];
}

/**
 * The interval of an unweighted share by E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927):
 * `prop.test(part, count, correct = FALSE)$conf.int` in R. Shares are 0 to 1; null without respondents.
 */
export function computeWilsonInterval(part: number, count: number, level: number): Interval {
  if (!(count > 0)) return null;
  const z = tQuantileTwoSided(alphaOf(level), Infinity);
  const share = part / count;
  const center = share + z ** 2 / (2 * count);
  const distance = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const scale = 1 + z ** 2 / count;
  return [Math.max(0, (center - distance) / scale), Math.min(1, (center + distance) / scale)];
}

/** `logit` is for every figure, `beta` (Korn and Graubard) for shares near 0 or 1. */
export type ShareMethod = 'logit' | 'beta';

/** A share under a design. */
export interface EstimatedShare {
  /** 0 to 1. */
  estimate: number;
  se: number;
  /** The standard error of the logit; absent: linearized from that of the share. */
  logitError?: number | undefined;
  df: number;
  /** Respondents in the base, unweighted. */
  count: number;
  /** (Σw)²/Σw², the sample size of a share of 0 or 1, whose standard error is 0. */
  effectiveBase: number;
}

/**
 * E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated from survey
 * data", Survey Methodology 24 (1998): exact binomial bounds for the sample size that has the variance of the design, as
 * `svyciprop(method = "beta")`.
 */
function computeKornGraubardInterval(
  { estimate, se, df, count, effectiveBase }: EstimatedShare,
  alpha: number,
): Interval {
  if (!(df > 0 && count > 1)) return null;
  const size = se > 0 ? (estimate * (1 - estimate)) / se ** 2 : effectiveBase;
  const usable = size * (tQuantileTwoSided(alpha, count - 1) / tQuantileTwoSided(alpha, df)) ** 2;
  const [part, rest] = [usable * estimate, usable * (1 - estimate)];
  return [betaQuantile(alpha / 2, part, rest + 1), betaQuantile(1 - alpha / 2, part + 1, rest)];
}

/**
 * The interval of a share under a design or weights. `logit`: symmetric on the scale log(p / (1 - p)), as `svyciprop(method = "logit")` of the
 * R package survey, which takes the standard error of the logit from the replicates if there are any. Shares without a standard error (0, 1, or the same in all clusters) have the interval of Korn and Graubard, because the
 * logit does not exist. Null without respondents or degrees of freedom.
 *
 * @param level in percent
 */
export function computeShareInterval(
  share: EstimatedShare,
  level: number,
  method: ShareMethod = 'logit',
): Interval {
  const { estimate, se, df } = share;
  if (!(estimate >= 0 && se >= 0 && df > 0)) return null;
  const alpha = alphaOf(level);
  if (method === 'beta' || se === 0) return computeKornGraubardInterval(share, alpha);
  const logit = Math.log(estimate / (1 - estimate));
  const { logitError = se / (estimate * (1 - estimate)) } = share;
  const distance = tQuantileTwoSided(alpha, df) * logitError;
  const shareAt = (value: number) => 1 / (1 + Math.exp(-value));
  return [shareAt(logit - distance), shareAt(logit + distance)];
}
