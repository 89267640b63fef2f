import type { SurveySettings } from '../survey/settings/survey-settings.ts';

/** How figures are shown to those who may not see the responses behind them. */
export interface Protection {
  /** Groups of fewer respondents are hidden, with the figures that would reveal them. */
  minBase: number;
  /** Of a confidential survey also what is shown is rounded. */
  isRounded: boolean;
  /** A sum or mean is hidden where one respondent contributes more percent of what the others contribute; null: any may. */
  dominancePercent: number | null;
}

/**
 * Counts are told in steps of so many. Two filters that differ by one person mostly give the same numbers then; without it, the
 * difference of two views would be that person's answers.
 */
const COUNT_STEP = 5;

/** Whether a figure has too few respondents. An empty group is hidden in a confidential survey only. */
export function isTooFew(count: number, { minBase, isRounded }: Protection): boolean {
  return count < minBase && (count > 0 || isRounded);
}

/** A count as it is told. */
export function roundedCount(count: number): number {
  return Math.round(count / COUNT_STEP) * COUNT_STEP;
}

/** Percents are those of the told counts, so that they say nothing that these do not say. */
export function roundedPercent(part: number, whole: number): number | null {
  const base = roundedCount(whole);
  return base > 0 ? Math.round((100 * roundedCount(part)) / base) : null;
}

/**
 * Of a mean and its like: no finer than half its standard error, on a step of 1, 2 or 5 times a power of ten. One person moves the mean of n
 * by about sd / n, which is less than that from a few respondents on.
 */
export function roundedMeasure(value: number, se: number | null): number {
  if (se === null || !(se > 0)) return value;
  return roundToStep(value, niceStep(se / 2, 'up'));
}

/**
 * Of a quantile: as a mean, but never on a step larger than the quantile itself. The standard error is that of the mean, which one outlier
 * makes large while the median stays where it is: a median of 21 would be told as 0.
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

/** What a survey's settings say of it. */
export type ProtectionSettings = Pick<SurveySettings, 'confidential' | 'min_base' | 'dominance_percent'>;

/** Who looks at figures: whoever may see the responses too, somebody with an account who may not, or anybody. */
export type Audience = 'member' | 'client' | 'public';

/**
 * Members see everything. Clients see all of a survey that is not confidential. On a public dashboard small groups of every survey are
 * hidden: those below `publicMinBase` of the dashboard, and never fewer than a confidential survey asks for.
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
