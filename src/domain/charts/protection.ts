import type { SurveySettings } from '../survey/settings/survey-settings.ts';

/** Disclosure control for viewers who may not see individual responses. */
export interface Protection {
  /** Groups with fewer respondents are suppressed, with the figures that would reveal them. */
  minBase: number;
  /** Whether shown figures are rounded, as in confidential surveys. */
  isRounded: boolean;
  /** A sum or mean is suppressed if one respondent contributes more than this percent of all others together; null: no limit. */
  dominancePercent: number | null;
}

/**
 * Counts are rounded to multiples of this. Two filters that differ by one respondent then usually give the same numbers; otherwise the
 * difference of two views would be that respondent's answers.
 */
const COUNT_STEP = 5;

/** Whether a figure has too few respondents. Empty groups are suppressed only in confidential surveys. */
export function isTooFew(count: number, { minBase, isRounded }: Protection): boolean {
  return count < minBase && (count > 0 || isRounded);
}

/** Rounds a count to the count step. */
export function roundedCount(count: number): number {
  return Math.round(count / COUNT_STEP) * COUNT_STEP;
}

/** Computes a percent from rounded counts, so that it reveals no more than they do. */
export function roundedPercent(part: number, total: number): number | null {
  const base = roundedCount(total);
  return base > 0 ? Math.round((100 * roundedCount(part)) / base) : null;
}

/**
 * Rounds a mean or similar measure to at least half its standard error, with steps of 1, 2 or 5 times a power of ten. One respondent
 * changes the mean of n by about sd / n, which is less than the step unless there are very few respondents.
 */
export function roundedMeasure(value: number, se: number | null): number {
  if (se === null || !(se > 0)) return value;
  return roundToStep(value, niceStep(se / 2, 'up'));
}

/**
 * Rounds a quantile like a mean, but never with a step larger than the quantile. The standard error is that of the mean: an outlier
 * increases it but not the median, and a median of 21 would be rounded to 0.
 */
export function roundedQuantile(value: number, se: number | null): number {
  if (se === null || !(se > 0) || value === 0) return value;
  return roundToStep(value, Math.min(niceStep(se / 2, 'up'), niceStep(Math.abs(value), 'down')));
}

const roundToStep = (value: number, step: number): number =>
  Number((Math.round(value / step) * step).toPrecision(12));

/** The next of 1, 2 and 5 times a power of ten. */
function niceStep(size: number, direction: 'up' | 'down'): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const steps = [1, 2, 5, 10].map((factor) => factor * power);
  const found =
    direction === 'up' ? steps.find((step) => step >= size) : steps.findLast((step) => step <= size);
  return found ?? size;
}

/** The survey settings that decide on disclosure control. */
export type ProtectionSettings = Pick<SurveySettings, 'confidential' | 'min_base' | 'dominance_percent'>;

/** The audience of the figures: members can also see the responses, clients have an account but cannot, the public has no account. */
export type Audience = 'member' | 'client' | 'public';

/**
 * Members see everything. Clients see all figures of surveys that are not confidential. Public dashboards suppress small groups of every
 * survey: those below `publicMinBase`, and at least as many as a confidential survey requires.
 */
export function protectionFor(
  audience: Audience,
  { confidential, min_base: minBase, dominance_percent: dominancePercent }: ProtectionSettings,
  publicMinBase: number,
): Protection | null {
  if (audience === 'member') return null;
  const least = audience === 'public' ? publicMinBase : 1;
  if (confidential) return { minBase: Math.max(minBase, least), isRounded: true, dominancePercent };
  return least > 1 ? { minBase: least, isRounded: false, dominancePercent: null } : null;
}
