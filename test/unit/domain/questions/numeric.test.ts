import { describe, expect, it } from 'vitest';
import { cellCodecFor, codecFor } from '../../../../src/domain/questions/registry.ts';
import type { Question } from '../../../../src/domain/survey/definition.ts';
import { question } from '../../../support/survey-builder.ts';
import { accepts, edits, refuses } from '../../../support/codec-checks.ts';

const age = question('number', { settings: { min: 0, max: 120 } });
const free = question('number');
const price = question('number', { settings: { decimals: 2, min: 0 } });
const money = question('number', { settings: { decimals: 2, prefix: '$', suffix: 'USD' } });
const tenths = question('number', { settings: { decimals: 10, step: 0.1, min: 0 } });
const scale = question('scale', {
  settings: {
    min: 1,
    max: 7,
    min_label: 'Never',
    mid_label: 'Sometimes',
    max_label: 'Always',
    point_labels: { '2': 'Rarely' },
  },
});
const slider = question('slider', { settings: { min: -1, max: 1, step: 0.25 } });
const nps = question('nps', { settings: { max_label: 'Certainly' } });

const hostile: [string, unknown, string][] = [
  ['a space', ' ', 'must be a number, not " "'],
  ['a word', 'tomorrow', 'not "tomorrow"'],
  ['a hexadecimal number', '0x1', 'not "0x1"'],
  ['an exponent', '1e400', 'not "1e400"'],
  ['1e400 as JSON reads it', JSON.parse('1e400'), 'not Infinity'],
  ['NaN', NaN, 'not NaN'],
  ['the word NaN', 'NaN', 'not "NaN"'],
  ['true', true, 'not true'],
  ['marks in no valid order', '1,2,3', 'not "1,2,3"'],
  ['a list', [5], 'not a list'],
  ['an object', { $gt: 1 }, 'not an object'],
];

describe.each<[string, Question]>([
  ['number', age],
  ['scale', scale],
  ['slider', slider],
  ['nps', nps],
])('a %s', (_, question) => {
  it.each(hostile)('rejects %s', (_name, input, message) => refuses(question, input, '', message));
  it.each([null, '', [], {}])('treats %j as no answer', (input) => accepts(question, input, null));
  it('accepts unambiguous texts', () => accepts(question, '1', 1));
});

describe('a number', () => {
  it.each([
    ['its minimum', age, 0, 0],
    ['its maximum', age, 120, 120],
    ['leading zeros', age, '007', 7],
    ['negative zero as zero', free, '-0', 0],
    ['cents', price, 19.99, 19.99],
    ['a sum of cents with a floating-point error', price, 0.1 + 0.2, 0.3],
    ['a negative text', free, '-12', -12],
    ['steps despite floating-point errors', tenths, 0.7, 0.7],
    ['the largest exact integer', free, 9007199254740991, 9007199254740991],
  ])('accepts %s', (_, question, input, stored) => {
    expect(codecFor(question).read(question, input)).toEqual({ ok: true, answer: stored });
    expect(Object.is(stored, -0)).toBe(false);
  });

  it.each([
    ['less than its minimum', age, -1, 'must be between 0 and 120, not -1'],
    ['more than its maximum', age, 121, 'must be between 0 and 120, not 121'],
    ['less than a minimum without a maximum', price, -0.01, 'must be at least 0'],
    ['a fraction', age, 1.5, 'must be a whole number, not 1.5'],
    ['a third digit', price, 1.234, 'at most 2 decimals, not 1.234'],
    ['a third digit in a text', price, '0,123', 'at most 2 decimals, not 0,123'],
    ['decimals in a text', age, '1,23', 'must be a whole number, not "1,23"'],
    ['more digits than are stored', tenths, '123456.1234567891', 'at most 15 digits'],
    ['a value between steps', tenths, 0.75, 'must be a multiple of 0.1, not 0.75'],
    [
      'an integer beyond exact precision',
      free,
      Number('9007199254740993'),
      'the numbers that are stored exactly',
    ],
  ])('rejects %s', (_, question, input, message) => refuses(question, input, '', message));

  it.each([
    ['a mark before three digits in a whole number', free, '30,000', 30_000],
    ['a point before three digits in a whole number', free, '1.500', 1_500],
    ['a decimal comma', price, '12,5', 12.5],
    ['Arabic digits', age, '٢٥', 25],
    ['groups and a decimal mark', price, '1 234,50', 1234.5],
    ['its prefix and suffix', money, '$1,500.25 USD', 1500.25],
  ])('accepts %s in a text', (_, question, input, stored) => accepts(question, input, stored));

  it('rejects a text with two meanings and names both', () =>
    refuses(price, '1,500', '', '"1,500" can mean 1500 or 1.5'));

  it('has one column with scale measure', () => {
    expect(cellCodecFor(age).columns(age)).toMatchObject([{ type: 'number', measure: 'scale', values: [] }]);
  });

  it('is validated when edited', () => {
    edits(age, 30, { Q1: 31 }, 31);
    edits(age, 30, { Q1: '31' }, 31);
    edits(free, 30, { Q1: '31,000' }, 31_000);
    edits(price, 30, { Q1: '31,000' }, { field: 'Q1', message: '"31,000" can mean 31000 or 31' });
    edits(age, 30, { Q1: null }, null);
    edits(age, 30, { Q1: 200 }, { field: 'Q1', message: 'between 0 and 120' });
  });
});

describe('a scale', () => {
  it.each([0, 8, 1.5])('rejects %s', (input) => refuses(scale, input, '', 'must be'));
  it('labels its points', () => {
    expect(
      cellCodecFor(scale)
        .columns(scale)[0]
        ?.values.map(({ code, value, label }) => [code, value, label]),
    ).toEqual([
      [1, '1', 'Never'],
      [2, '2', 'Rarely'],
      [3, '3', '3'],
      [4, '4', 'Sometimes'],
      [5, '5', '5'],
      [6, '6', '6'],
      [7, '7', 'Always'],
    ]);
  });
  it('is a plain number above 101 points', () => {
    const long = question('scale', { settings: { min: -100, max: 100 } });
    expect(cellCodecFor(long).columns(long)[0]?.values).toEqual([]);
  });
});

describe('a slider', () => {
  it('accepts its steps, including negative ones', () => accepts(slider, -0.75, -0.75));
  it('rejects values between steps', () =>
    refuses(slider, 0.3, '', 'must be a multiple of 0.25 above -1, not 0.3'));
});

describe('an NPS score', () => {
  it.each([0, 10])('accepts %s', (input) => accepts(nps, input, input));
  it.each([11, -1])('rejects %s', (input) => refuses(nps, input, '', 'must be between 0 and 10'));
  it('rejects half points', () => refuses(nps, 9.5, '', 'must be a whole number'));
  it('has eleven points', () => {
    const values = cellCodecFor(nps).columns(nps)[0]?.values;
    expect(values).toHaveLength(11);
    expect(values?.at(-1)).toEqual({ code: 10, value: '10', number: 10, label: 'Certainly', missing: false });
  });
});
