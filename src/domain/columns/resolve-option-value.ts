import { quote } from '../../lib/error-messages.ts';

type Scalar = string | number | boolean;

/** A value of a question or column. */
export interface NamedValue {
  value: string;
  label: string;
}

/**
 * Resolves a written value to an option_value: an exact value first, then a label, then a label ignoring case. Returns unknown text
 * unchanged, and a problem if several options have the label.
 */
export function resolveOptionValue(
  written: Scalar,
  values: readonly NamedValue[],
): Scalar | { message: string } {
  const text = String(written);
  if (typeof written !== 'string' || values.some(({ value }) => value === text)) return written;
  const folded = text.trim().toLowerCase();
  const same = values.filter(({ label }) => label === text);
  const found = same.length > 0 ? same : values.filter(({ label }) => label.trim().toLowerCase() === folded);
  const [first, ...others] = found;
  if (first === undefined) return written;
  if (others.length === 0) return first.value;
  const candidates = found.map(({ value }) => quote(value)).join(', ');
  return {
    message: `${quote(text)} is the label of several options; accepted: their values ${candidates}`,
  };
}
