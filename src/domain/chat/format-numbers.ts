/** Number formats for sentences: at most one decimal for shares, two for means; null is a dash. */

const formatTrimmed = (value: number, decimals: number): string => {
  const text = value.toFixed(decimals).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
};

export const formatPercent = (percent: number | null): string =>
  percent === null ? '–' : `${formatTrimmed(percent, 1)} %`;

export const formatNumber = (value: number | null): string =>
  value === null ? '–' : Number.isInteger(value) ? String(value) : formatTrimmed(value, 2);

export const formatPValue = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

export const joinWithAnd = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;

/** Shortens a text to one line of at most `maxLength` characters. */
export function shortenText(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxLength
    ? line
    : `${line
        .slice(0, maxLength - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
