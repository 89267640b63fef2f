const MAX_LABEL = 90;

/** What an author called something, in quotation marks; long names are cut. */
export function quoteLabel(label: string): string {
  const text = label.replace(/\s+/g, ' ').trim();
  return `“${text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1).trimEnd()}…` : text}”`;
}

/** With so many decimals at most. */
export function roundTo(value: number, decimals = 1): number {
  const factor = 10 ** decimals;
  // Zero without a sign.
  return Math.round(value * factor) / factor + 0;
}

/** A share from 0 to 1. */
export const formatPercent = (share: number): string => `${roundTo(100 * share)} %`;

/** 12345 becomes 12,345. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 response`, `2 responses`. */
export const pluralize = (count: number, one: string, more = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : more}`;

/** Four significant digits; what is too small to matter as a bound is left as it is. */
export const roundSignificant = (value: number): number => Number(value.toPrecision(4));
