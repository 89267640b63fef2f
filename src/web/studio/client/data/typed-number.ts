import { readNumberText } from '../../../../domain/numbers/read-number-text.ts';
import { texts } from '../../texts.ts';

const t = texts.numbers;

type TypedNumber = { value: number; problem: null } | { value: null; problem: string };

/** Reads a number that an author typed. `decimals`: the maximum number of decimals; 0: a whole number; null: any. */
export function readTypedNumber(text: string, decimals: number | null): TypedNumber {
  const reading = readNumberText(text, { decimals });
  if (reading.kind === 'number') return { value: reading.value, problem: null };
  if (reading.kind === 'ambiguous') {
    const [one, other] = reading.readings.map(({ value }) => typedForm(value));
    return { value: null, problem: t.ambiguous(text.trim(), one ?? '', other ?? '') };
  }
  return { value: null, problem: decimals === 0 ? t.notWhole : t.notNumber };
}

/** Returns a number as a text with one meaning: 1.234 as 1.2340. */
export function typedForm(value: number): string {
  const text = String(value);
  return readNumberText(text).kind === 'ambiguous' ? `${text}0` : text;
}
