/** The value of a category and what it is called. */
interface NamedValue {
  /** null: the category is not one value. */
  value: string | null;
  label: string;
}

const SEPARATOR = ' · ';

/** The label of a point of a scale with its number: `0 · Not at all likely`, because its neighbors are numbers without a name. */
export const pointLabel = ({ value, label }: NamedValue): string =>
  value === null || label === value ? label : value + SEPARATOR + label;

/** The number and the name of a point whose label has both; null for other labels. */
export function splitPointLabel({ value, label }: NamedValue): { number: string; name: string } | null {
  const start = `${value ?? ''}${SEPARATOR}`;
  const isPoint = value !== null && Number.isFinite(Number(value)) && label.startsWith(start);
  return isPoint ? { number: value, name: label.slice(start.length) } : null;
}
