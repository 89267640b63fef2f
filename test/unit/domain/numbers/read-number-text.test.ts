import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inferNumberNotation, NumberColumn } from '../../../../src/domain/numbers/number-column.ts';
import { type NumberNotation, readNumberText } from '../../../../src/domain/numbers/read-number-text.ts';

/** A number; both numbers of an ambiguous text; else the reason. */
function summarize(text: string, notation: NumberNotation = {}): unknown {
  const reading = readNumberText(text, notation);
  if (reading.kind === 'number') return reading.value;
  return reading.kind === 'ambiguous' ? reading.readings.map(({ value }) => value) : reading.reason;
}

describe('whole numbers', () => {
  test.each([
    ['25', 25],
    ['007', 7],
    ['30,000', 30_000],
    ['2,000', 2_000],
    ['1.500', 1_500],
    ['1.234.567', 1_234_567],
    ['1,00,000', 100_000],
    ['12,34,56,789', 123_456_789],
    ['1 234', 1_234],
    ['1\u00a0234\u00a0567', 1_234_567],
    ['1\u202f234', 1_234],
    ['1\u2009234', 1_234],
    ['1\u3000234', 1_234],
    ["1'234'567", 1_234_567],
    ['1’234', 1_234],
    ['１，２３４', 1_234],
    ['٢٥', 25],
    ['۲۵', 25],
    ['२५', 25],
    ['٣٠٬٠٠٠', 30_000],
    ['٣٠،٠٠٠', 30_000],
    ['𝟚𝟝', 25],
    ['-3', -3],
    ['−3', -3],
    ['–3', -3],
    ['－３', -3],
    ['- 3', -3],
    ['+3', 3],
    ['\u200e−۲۵', -25],
    ['\u061c-٢٥', -25],
    ['-0', 0],
    [' 30 ', 30],
    ['30.00', 30],
    ['30,0', 30],
    ['30.', 30],
    ['1,234.00', 1_234],
  ])('reads %s as %d', (text, value) => expect(summarize(text, { decimals: 0 })).toBe(value));

  test.each([
    ['1,23', 'decimals'],
    ['1.5', 'decimals'],
    ['0,435', 'decimals'],
    ['1234,567', 'decimals'],
    ['1,234.5', 'decimals'],
    ['1,0000', 'decimals'],
    ['1٫500', 'decimals'],
    ['12,34,56', 'marks'],
    ['1,2,3', 'marks'],
    ['12 34', 'marks'],
    ['1 2345', 'marks'],
    ['0 123', 'marks'],
    ['1,234 567', 'marks'],
    ['1234,567,890', 'marks'],
    ['192.168.0.1', 'marks'],
    ['03.05.2026', 'marks'],
    ['1..5', 'marks'],
    ['1,234,', 'marks'],
    ['', 'empty'],
    ['   ', 'empty'],
    ['-', 'text'],
    ['.', 'text'],
    ['--3', 'text'],
    ['+-3', 'text'],
    ['3-', 'text'],
    ['(3)', 'text'],
    ['1e3', 'text'],
    ['0x1', 'text'],
    ['5²', 'text'],
    ['½', 'text'],
    ['Infinity', 'text'],
    ['NaN', 'text'],
    ['abc', 'text'],
    ['30 €', 'text'],
    ['40%', 'text'],
    ['1\n234', 'text'],
    ['9'.repeat(101), 'text'],
  ])('refuses %j: %s', (text, reason) => expect(summarize(text, { decimals: 0 })).toBe(reason));
});

describe('numbers with decimals', () => {
  test.each([
    ['12.5', 12.5],
    ['12,5', 12.5],
    ['.5', 0.5],
    [',5', 0.5],
    ['-,5', -0.5],
    ['5,', 5],
    ['0,435', 0.435],
    [',500', 0.5],
    ['1234,567', 1234.567],
    ['1234.567', 1234.567],
    ['1 234,5', 1234.5],
    ['1 234.567', 1234.567],
    ["1'234.50", 1234.5],
    ['1’234.50', 1234.5],
    ['1.234,56', 1234.56],
    ['1,234.56', 1234.56],
    ['1.234,567', 1234.567],
    ['1,234,567', 1_234_567],
    ['1,00,000.25', 100_000.25],
    ['١٬٢٣٤٫٥', 1234.5],
    ['۱٫۵', 1.5],
    ['١٫٥٠٠', 1.5],
    ['١٬٥٠٠', 1500],
    ['１．５', 1.5],
    ['1。5', 1.5],
    ['1.5000', 1.5],
  ])('reads %s as %d', (text, value) => expect(summarize(text, { decimals: 3 })).toBe(value));

  test.each([
    ['1,500', [1500, 1.5]],
    ['1.500', [1500, 1.5]],
    ['-1.234', [-1234, -1.234]],
    ['١.٥٠٠', [1500, 1.5]],
    ['999,999', [999_999, 999.999]],
  ])('asks whether %s is %j', (text, values) => {
    expect(summarize(text, { decimals: 2 })).toEqual(values);
    expect(summarize(text)).toEqual(values);
  });

  test.each([
    ['1.255', 'decimals', { decimals: 2, decimalMark: '.' }],
    ['0.255', 'decimals', { decimals: 2 }],
    ['1.25000', 'decimals', { decimals: 2 }],
    ['1,2.5', 'marks', { decimals: 2 }],
    ['1.2,345.6', 'marks', { decimals: 2 }],
    ['1,234.567,8', 'marks', { decimals: 2 }],
    ["1.234'567", 'marks', { decimals: 2 }],
  ] as const)('refuses %s: %s', (text, reason, notation) => expect(summarize(text, notation)).toBe(reason));

  test('keeps the decimals as entered in the text', () =>
    expect(readNumberText('−1 234,50')).toEqual({ kind: 'number', value: -1234.5, text: '-1234.50' }));
});

test.each([
  ['1,500', { decimalMark: '.' }, 1500],
  ['1.500', { decimalMark: '.' }, 1.5],
  ['1.500', { decimalMark: ',' }, 1500],
  ['1,500', { decimalMark: ',' }, 1.5],
  ['1.5', { decimalMark: ',' }, 'marks'],
  ['1,5', { decimalMark: '.' }, 'marks'],
  ['12.5', { decimalMark: ',' }, 'marks'],
  ['1,500', { groupingMark: ',' }, 1500],
  ['1.500', { groupingMark: ',' }, 1.5],
  ['1,5', { groupingMark: ',' }, 'marks'],
  ['1.234.567', { groupingMark: ',' }, 'marks'],
  ['1 500', { decimalMark: ',', groupingMark: '.' }, 1500],
  ['1e-05', { allowsExponent: true }, 1e-5],
  ['1,5E+3', { allowsExponent: true }, 1500],
  ['1e400', { allowsExponent: true }, Infinity],
] as const)('reads %s with %j as %s', (text, notation, value) =>
  expect(summarize(text, notation)).toBe(value),
);

test.each([
  ['$30', ['$', null], 30],
  ['-$30', ['$'], -30],
  ['$ -30', ['$'], -30],
  ['$-30', ['$', 'USD'], -30],
  ['30 USD', ['$', 'usd'], 30],
  ['$1,500 USD', ['$', 'USD'], 1500],
  ['30 €', ['$'], 'text'],
  ['30 kilo', ['kg'], 'text'],
  ['$', ['$'], 'text'],
  ['8/10', ['/10'], 8],
  ['30 m2', ['m2'], 30],
  ['5,000 €', [',000 €'], 'text'],
  ['30 years', ['years'], 30],
])('reads %s with the affixes %j as %s', (text, affixes, value) =>
  expect(summarize(text, { decimals: 0, affixes })).toBe(value),
);

/** Formats numbers as the languages write them, and checks that the number, or a choice with it, is read. */
describe.each(['en', 'de', 'fr', 'ar-EG', 'fa', 'hi', 'de-CH', 'pt', 'es'])(
  'numbers formatted in %s',
  (language) => {
    const numbers = fc.tuple(
      fc.oneof(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.integer({ min: -20_000, max: 20_000 })),
      fc.integer({ min: 0, max: 3 }),
    );

    test('are read as the same number or as a choice that contains it', () =>
      fc.assert(
        fc.property(numbers, fc.boolean(), ([units, decimals], useGrouping) => {
          const value = Number((units / 10 ** decimals).toFixed(decimals));
          const format = new Intl.NumberFormat(language, { maximumFractionDigits: 3, useGrouping });
          const reading = readNumberText(format.format(value), { decimals: 3 });
          if (reading.kind === 'ambiguous')
            expect(reading.readings.map((choice) => choice.value)).toContain(value + 0);
          else expect(reading).toMatchObject({ kind: 'number', value: value + 0 });
        }),
        { seed: 20_261_128, numRuns: 500 },
      ));

    test('are read without a choice where whole numbers are expected', () =>
      fc.assert(
        fc.property(numbers, ([value]) => {
          const text = new Intl.NumberFormat(language).format(value);
          expect(readNumberText(text, { decimals: 0 })).toMatchObject({ kind: 'number', value: value + 0 });
        }),
        { seed: 20_261_128, numRuns: 500 },
      ));
  },
);

test('never reads a text as a number that has other digits', () =>
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."0123456789.,' -+e٥٫٬%") }),
      fc.constantFrom(0, 2, null),
      (text, decimals) => {
        const reading = readNumberText(text, { decimals });
        const read =
          reading.kind === 'number' ? [reading] : reading.kind === 'ambiguous' ? reading.readings : [];
        const digits = text.replaceAll('٥', '5').replaceAll(/\D/g, '');
        for (const { text: number } of read)
          expect(number.replaceAll(/\D/g, '').replace(/^0+/, '')).toBe(digits.replace(/^0+/, ''));
      },
    ),
    { seed: 20_261_128, numRuns: 5_000 },
  ));

describe('the notation of a column', () => {
  test.each([
    [['1', '25', '1 000'], { kind: 'known', decimalMark: null }],
    [['1,500', '2.5'], { kind: 'known', decimalMark: '.' }],
    [['1,500', '1,234,567'], { kind: 'known', decimalMark: '.' }],
    [['1,500', '0,435'], { kind: 'known', decimalMark: ',' }],
    [['1.500', '2,5', 'n/a', ''], { kind: 'known', decimalMark: ',' }],
    [['1,500', '30,000', '7'], { kind: 'ambiguous', example: '1,500' }],
    [['1,5', '1.5'], { kind: 'mixed', pointExample: '1.5', commaExample: '1,5' }],
    [['1e-05', '7'], { kind: 'known', decimalMark: null }],
    [[], { kind: 'known', decimalMark: null }],
  ] as const)('of %j is %j', (texts, notation) => expect(inferNumberNotation(texts)).toEqual(notation));

  test('counts texts that are no numbers', () => {
    const column = new NumberColumn();
    for (const text of ['1', 'n/a', '', 'abc']) column.add(text);
    expect([column.notNumbers, column.firstNotNumber]).toEqual([2, 'n/a']);
  });
});
