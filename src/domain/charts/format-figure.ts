import type { AggregationName } from './chart-types.ts';

/** Whether a figure is a percentage; a rank summary draws percentages. */
export const isPercentage = (name: AggregationName): boolean =>
  name === 'percent' || name === 'top_box' || name === 'rank_summary';

/** The default number of decimals. */
function defaultDecimals(name: AggregationName, value: number): number {
  if (name === 'count' || name === 'nps' || isPercentage(name)) return 0;
  if (name === 'min' || name === 'max' || name === 'sum') return Number.isInteger(value) ? 0 : 1;
  return Math.abs(value) < 10 ? 2 : 1;
}

/** Formats a number: `2,436`, `4.25`. */
export function formatNumber(value: number, decimals: number): string {
  return cachedFormat(decimals).format(value);
}

/** Creating a formatter is slow. There is one per number of decimals. */
const formatCache = new Map<number, Intl.NumberFormat>();

function cachedFormat(decimals: number): Intl.NumberFormat {
  const cached = formatCache.get(decimals);
  if (cached !== undefined) return cached;
  const formatter = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    // Avoids a minus zero.
    signDisplay: 'negative',
  });
  formatCache.set(decimals, formatter);
  return formatter;
}

/** Formats a figure of a chart: `45%`, `+12`, `4.25`. */
export function formatFigure(value: number, name: AggregationName, decimals?: number): string {
  const text = formatNumber(value, decimals ?? defaultDecimals(name, value));
  if (isPercentage(name)) return `${text}%`;
  return name === 'nps' && value > 0 ? `+${text}` : text;
}

/** Formats a difference: `+0.30`, `−2`, `±0`. */
export function formatChange(change: number, decimals: number): string {
  return `${change > 0 ? '+' : change < 0 ? '−' : '±'}${formatNumber(Math.abs(change), decimals)}`;
}
