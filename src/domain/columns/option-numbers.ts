import type { ColumnValue, StoredColumnValue } from './column-spec.ts';

const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,3})?$/i;
const MAX_DIGITS = 15;

/** The number that a value denotes ("7", "-99", "0.5", "1e10", "07"), or null: a word, or more digits than a double holds. */
function numberOfValue(value: string): number | null {
  if (!NUMBER.test(value)) return null;
  const digits = (value.split(/e/i, 1)[0] ?? '').replace(/\D/g, '').replace(/^0+/, '');
  const number = Number(value);
  return digits.length <= MAX_DIGITS && Number.isFinite(number) ? number : null;
}

/**
 * Adds to each value the number that figures, expressions and statistics files use for it. A value that denotes a number is that number;
 * of several that denote the same one, the shortest spelling has it ("1" before "1.0" and "01"). Other values have their code, or the
 * next integer above all codes and numbers where another value has that number. The numbers are distinct.
 */
export function withNumbers<Value extends StoredColumnValue>(
  values: readonly Value[],
): (Value & Pick<ColumnValue, 'number'>)[] {
  const owners = new Map<number, Value>();
  for (const value of values) {
    const number = numberOfValue(value.value);
    if (number === null) continue;
    const owner = owners.get(number);
    if (owner === undefined || value.value.length < owner.value.length) owners.set(number, value);
  }
  const numbers = new Map([...owners].map(([number, value]) => [value, number]));
  const taken = new Set(owners.keys());
  const others = values.filter((value) => !numbers.has(value));
  for (const value of others) {
    if (taken.has(value.code)) continue;
    numbers.set(value, value.code);
    taken.add(value.code);
  }
  let next = Math.max(0, ...values.map(({ code }) => code));
  const nextFree = () => {
    do next += 1;
    while (taken.has(next));
    taken.add(next);
    return next;
  };
  return values.map((value) => ({ ...value, number: numbers.get(value) ?? nextFree() }));
}
