import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { withNumbers } from '../../../../src/domain/columns/option-numbers.ts';

const numbersOf = (values: readonly string[], codes = values.map((_, index) => index + 1)) =>
  withNumbers(
    values.map((value, index) => ({ code: codes[index] ?? 0, value, label: value, missing: false })),
  ).map(({ number }) => number);

describe('the number of an option', () => {
  test.each<[string, string[], number[] | undefined, number[]]>([
    [
      'is its value beside a word, which has its code',
      ['0', '5', '10', 'dk'],
      [0, 5, 10, 11],
      [0, 5, 10, 11],
    ],
    ['is its value whatever its code', ['0', '1', '2', 'dk'], undefined, [0, 1, 2, 4]],
    ['is a fraction', ['0.5', '1', '1.5', '2'], undefined, [0.5, 1, 1.5, 2]],
    ['can have an exponent or a sign', ['1e10', '-99', '+3', '.5', '2.'], undefined, [1e10, -99, 3, 0.5, 2]],
    ['does not depend on leading zeros', ['01', '02', '10'], undefined, [1, 2, 10]],
    ['is the next free one if its code is the number of another', ['2', '3', 'dk'], undefined, [2, 3, 4]],
    ['is its code for words', ['low', 'high'], [7, 3], [7, 3]],
    ['is its code if the digits are an id', ['12345678901234567', '9007199254740993'], undefined, [1, 2]],
    [
      'is its code if the text is not a plain number',
      ['1,5', '0x1', '1 2', '٢', 'Infinity', ''],
      undefined,
      [1, 2, 3, 4, 5, 6],
    ],
    ['is shared by no second spelling', ['1.0', '1', '01'], [5, 6, 7], [5, 1, 7]],
  ])('%s', (_, values, codes, numbers) => expect(numbersOf(values, codes)).toEqual(numbers));

  test('is unique and finite for any values and codes', () => {
    const value = fc.oneof(
      fc.integer({ min: -3, max: 12 }).map(String),
      fc.constantFrom('dk', '0.5', '1.0', '1e1', '07'),
    );
    const options = fc.uniqueArray(value, { maxLength: 12 }).chain((values) =>
      fc.tuple(
        fc.constant(values),
        fc.uniqueArray(fc.integer({ min: -3, max: 20 }), {
          minLength: values.length,
          maxLength: values.length,
        }),
      ),
    );
    fc.assert(
      fc.property(options, ([values, codes]) => {
        const numbers = numbersOf(values, codes);
        expect(new Set(numbers).size).toBe(values.length);
        expect(numbers.every(Number.isFinite)).toBe(true);
      }),
    );
  });
});
