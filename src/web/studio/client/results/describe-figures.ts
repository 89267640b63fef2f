import { texts } from '../../texts.ts';
import type { Distribution } from './figure-kind.ts';

const t = texts.results;

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });
const twoDecimals = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `percent` is 0 to 100. null: the base is empty. */
export const formatPercent = (percent: number | null): string =>
  percent === null ? '–' : `${whole.format(percent)}%`;

export const formatCount = (count: number): string => whole.format(count);

const formatNumber = (value: number | null): string => (value === null ? '–' : decimal.format(value));

/** Without separators below 10,000, because years are such numbers. */
const amount = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 12, useGrouping: 'min2' });

/** Formats the numbers within a text, such as the bounds of an interval. */
export const formatAmounts = (text: string): string =>
  text.replace(/\d+(\.\d+)?/g, (digits) => amount.format(Number(digits)));

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Formats a period of the calendar: `2026-03-02`, `2026-03` and `2026-Q1` become `2 Mar 2026`, `Mar 2026` and `Q1 2026`. */
export function formatPeriod(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return DAY.format(new Date(text));
  if (/^\d{4}-\d{2}$/.test(text)) return MONTH.format(new Date(text));
  return text.replace(/^(\d{4})-(Q\d)$/, '$2 $1');
}

/** With two decimals, so that means in a list can be compared. */
export const formatMean = (value: number | null): string =>
  value === null ? '–' : twoDecimals.format(value);

/** A score with its sign: the Net Promoter Score is -100 to 100. */
export const formatScore = (score: number | null): string =>
  score === null ? '–' : `${score > 0 ? '+' : ''}${whole.format(score)}`.replace('-', '−');

/** The base in words, and why other responses are not in it: `4 answers · 1 skipped · 2 not asked`. */
export function describeBase({
  base,
  missing,
  type,
}: Pick<Distribution, 'base' | 'missing'> & { type?: Distribution['type'] }): string {
  const reasons: [number, (count: string) => string][] = [
    [missing.skipped, t.skipped],
    [missing.not_shown, t.notShown],
    [missing.not_applicable, t.notApplicable],
    [missing.option_missing, t.optionMissing],
    [missing.no_answer.dont_know, t.saidReasons.dont_know],
    [missing.no_answer.refused, t.saidReasons.refused],
    [missing.no_answer.not_applicable, t.saidReasons.not_applicable],
    [missing.without_weight, t.withoutWeight],
  ];
  return [
    // Of a multiple choice, one respondent can give several answers.
    type === 'multiple' ? t.respondents(base) : t.answers(base),
    ...reasons.flatMap(([count, describe]) => (count === 0 ? [] : [describe(formatCount(count))])),
  ].join(' · ');
}

/** Text before and after the numbers of a question, such as "€" or " km". */
export interface Unit {
  before: string;
  after: string;
}

/** The statistics that a figure shows, as pairs of name and value. Empty if no response has an answer. */
export function listStatistics(
  stats: Distribution['stats'],
  { withQuartiles, unit }: { withQuartiles: boolean; unit: Unit },
): [name: string, value: string][] {
  if (stats === null || stats.mean === null) return [];
  const withUnit = (text: string) => `${unit.before}${text}${unit.after}`;
  const list: [string, string][] = [
    [t.mean, withUnit(formatMean(stats.mean))],
    [t.median, withUnit(formatNumber(stats.median))],
  ];
  if (!withQuartiles) return list;
  return [
    ...list,
    [t.deviation, withUnit(formatMean(stats.sd))],
    [t.quartiles, t.range(withUnit(formatNumber(stats.p25)), withUnit(formatNumber(stats.p75)))],
    [t.extremes, t.range(withUnit(formatNumber(stats.min)), withUnit(formatNumber(stats.max)))],
  ];
}
