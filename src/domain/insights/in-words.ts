const MAX_LABEL = 90;

/** What an author called something, in quotation marks; long names are cut. */
export function named(label: string): string {
  const text = label.replace(/\s+/g, ' ').trim();
  return `“${text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1).trimEnd()}…` : text}”`;
}

/** With so many decimals at most. */
export function rounded(value: number, decimals = 1): number {
  const factor = 10 ** decimals;
  // Zero without a sign.
  return Math.round(value * factor) / factor + 0;
}

/** A share from 0 to 1. */
export const percent = (share: number): string => `${rounded(100 * share)} %`;

/** 12345 becomes 12,345. */
export const counted = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 response`, `2 responses`. */
export const soMany = (count: number, one: string, more = `${one}s`): string =>
  `${counted(count)} ${count === 1 ? one : more}`;

/** Four significant digits; what is too small to matter as a bound is left as it is. */
export const significant = (value: number): number => Number(value.toPrecision(4));
