import { texts } from '../../texts.ts';
import type { Distribution } from './figure-kind.ts';

const t = texts.results;

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });

/** `percent` is 0 to 100. null: nobody is in the base. */
export const formatPercent = (percent: number | null): string =>
  percent === null ? '–' : `${whole.format(percent)}%`;

export const formatCount = (count: number): string => whole.format(count);

export const formatNumber = (value: number | null): string => (value === null ? '–' : decimal.format(value));

/** A score with its sign: the Net Promoter Score is -100 to 100. */
export const formatScore = (score: number | null): string =>
  score === null ? '–' : `${score > 0 ? '+' : ''}${whole.format(score)}`.replace('-', '−');

/** The base in words, and why other responses are not in it: `4 answers · 1 skipped · 2 not asked`. */
export function describeBase({ base, missing }: Pick<Distribution, 'base' | 'missing'>): string {
  const reasons: [number, (count: string) => string][] = [
    [missing.skipped, t.skipped],
    [missing.not_shown, t.notShown],
    [missing.not_applicable, t.notApplicable],
    [missing.option_missing, t.optionMissing],
  ];
  return [
    t.answers(base),
    ...reasons.flatMap(([count, describe]) => (count === 0 ? [] : [describe(formatCount(count))])),
  ].join(' · ');
}

/** The statistics that a figure shows, as pairs of name and value. Empty if nobody answered. */
export function listStatistics(
  stats: Distribution['stats'],
  { withQuartiles }: { withQuartiles: boolean },
): [name: string, value: string][] {
  if (stats === null || stats.mean === null) return [];
  const list: [string, string][] = [
    [t.mean, formatNumber(stats.mean)],
    [t.median, formatNumber(stats.median)],
  ];
  if (!withQuartiles) return list;
  return [
    ...list,
    [t.deviation, formatNumber(stats.sd)],
    [t.quartiles, t.range(formatNumber(stats.p25), formatNumber(stats.p75))],
    [t.extremes, t.range(formatNumber(stats.min), formatNumber(stats.max))],
  ];
}
