const MAX_LABEL = 90;

/** Quotes a label, truncating long ones. */
export function quoteLabel(label: string): string {
  const text = label.replace(/\s+/g, ' ').trim();
  return `“${text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1).trimEnd()}…` : text}”`;
}

/** Rounds to a maximum number of decimals. */
export function roundTo(value: number, decimals = 1): number {
  const factor = 10 ** decimals;
  // Turns -0 into 0.
  return Math.round(value * factor) / factor + 0;
}

/** Formats a share from 0 to 1 as a percentage. */
export const formatPercent = (share: number): string => `${roundTo(100 * share)} %`;

/** Formats 12345 as 12,345. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 response`, `2 responses`. */
export const pluralize = (count: number, one: string, more = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : more}`;

/** Rounds to four significant digits. */
export const roundSignificant = (value: number): number => Number(value.toPrecision(4));
