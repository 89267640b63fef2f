import { readNumberText } from '../../../../domain/numbers/read-number-text.ts';
import { texts } from '../../texts.ts';

interface TypedList {
  values: string[];
  /** Why the text can be read in two ways; then there are no values. */
  problem: string | null;
}

/**
 * Splits values that an author typed in one field:
 *
 * - A semicolon or a line break separates. If there is one, commas belong to the values.
 * - Otherwise a comma before white space separates. If there is one, other commas between digits belong to the values.
 * - Other commas separate texts. Between digits they separate numbers that cannot be one number (`1,2,3`); a text that can be one number too
 *   (`1,500`) is not guessed.
 *
 * `decimals`: of numbers, as in readTypedNumber; `'text'`: the values are texts.
 */
export function splitTypedList(text: string, decimals: number | null | 'text'): TypedList {
  const found = (values: readonly string[]): TypedList => ({
    values: values.map((value) => value.trim()).filter((value) => value !== ''),
    problem: null,
  });
  if (/[;\n]/.test(text)) return found(text.split(/[;\n]/));
  if (decimals === 'text') return found(text.split(','));
  if (/,\s|,$/.test(text)) return found(text.split(/,(?=\s|$)/));
  const parts = text.split(',');
  if (parts.length < 2) return found(parts);
  const canBeOne = readNumberText(text, { decimals }).kind !== 'not_a_number';
  const canBeGroups = parts.some((part) => /^\s*\p{Nd}{3}\s*$/u.test(part));
  if (!canBeOne && !canBeGroups) return found(parts);
  const several = parts.map((part) => part.trim()).join('; ');
  return { values: [], problem: texts.numbers.ambiguousList(text.trim(), several) };
}

/** Values in the form that splitTypedList reads back. */
export function joinTypedList(values: readonly string[]): string {
  if (!values.some((value) => value.includes(','))) return values.join(', ');
  return values.length === 1 ? `${values[0] ?? ''};` : values.join('; ');
}
