/** Numbers as sentences say them: one decimal at most for shares, two for means; null where there is nothing to say. */

const trimmed = (value: number, decimals: number): string => {
  const text = value.toFixed(decimals).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
};

export const percentText = (percent: number | null): string =>
  percent === null ? '–' : `${trimmed(percent, 1)} %`;

export const numberText = (value: number | null): string =>
  value === null ? '–' : Number.isInteger(value) ? String(value) : trimmed(value, 2);

export const pText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;

/** A text on one line, at most so long. */
export function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most
    ? line
    : `${line
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
