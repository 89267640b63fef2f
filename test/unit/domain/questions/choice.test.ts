import { describe, expect, it } from 'vitest';
import { cellCodecFor } from '../../../../src/domain/questions/registry.ts';
import { question } from '../../../support/survey-builder.ts';
import { accepts, edits, refuses } from '../../../support/codec-checks.ts';

const plain = question('single_choice', {
  options: ['1', '2', { value: '3', retired: true }, { value: '9', label: 'Other', other: true }],
});
const many = question('dropdown', { options: ['1', '2', '3', '4', '5', '6', '7', '8'] });

describe('a single choice', () => {
  it.each([
    ['an option value', '2', '2'],
    ['a number for a numeric option value', 2, '2'],
    ['an option with its text', { value: '9', other: '  a friend ' }, { value: '9', other: 'a friend' }],
    ['an option with a text field, without a text', { value: '9' }, '9'],
    ['an option with a text field and a blank text', { value: '9', other: ' ' }, '9'],
    ['a plain option in the long form', { value: 1, other: null }, '1'],
    ['null', null, null],
    ['an empty string', '', null],
    ['an empty list', [], null],
    ['an empty object', {}, null],
  ])('accepts %s', (_, input, stored) => accepts(plain, input, stored));

  it.each([
    ['an unknown option', '7', '', '"7" is not an option; accepted: "1", "2", "9"'],
    ['the name of a prototype', '__proto__', '', '"__proto__" is not an option'],
    ['a retired option', '3', '', 'option "3" is no longer offered'],
    ['two values', ['1', '2'], '', 'must be one option value, not a list'],
    ['a list of one', ['1'], '', 'must be one option value'],
    ['true', true, '', 'must be an option value'],
    ['NaN', NaN, '', 'not NaN'],
    ['infinity', Infinity, '', 'not Infinity'],
    ['an integer beyond exact precision', Number('9007199254740993'), '', 'must be an option value'],
    ['an operator object', { $ne: '1' }, 'value', 'is required'],
    ['a list as a value', { value: ['1'] }, 'value', 'not a list'],
    ['an unknown option in the long form', { value: '8' }, 'value', '"8" is not an option'],
    ['an unknown field', { value: '9', text: 'x' }, '', '"text" is not a known field'],
    [
      'a text for an option without a text field',
      { value: '1', other: 'x' },
      'other',
      'does not accept a text',
    ],
    ['a text that is a number', { value: '9', other: 5 }, 'other', 'must be a text, not 5'],
    ['a text with NUL', { value: '9', other: 'a\u0000' }, 'other', 'NUL'],
    ['a text with half a surrogate pair', { value: '9', other: 'a\ud800' }, 'other', 'surrogate'],
    ['a text of 2,001 characters', { value: '9', other: 'x'.repeat(2001) }, 'other', 'at most 2000'],
  ])('rejects %s', (_, input, field, message) => refuses(plain, input, field, message));

  it('names only five of many allowed options', () =>
    refuses(many, 'x', '', 'accepted: "1", "2", "3", "4", "5" and 3 more'));

  it('truncates a long value in its message', () => refuses(many, 'x'.repeat(100_000), '', '…'));

  it('has one column, and a text column if an option has a text field', () => {
    const columns = cellCodecFor(plain).columns(plain);
    expect(columns.map(({ columnCode, type, measure }) => [columnCode, type, measure])).toEqual([
      ['Q1', 'categorical', 'nominal'],
      ['Q1_other', 'text', 'nominal'],
    ]);
    expect(columns[0]?.values.map(({ value }) => value)).toEqual(['1', '2', '3', '9']);
    expect(columns[1]?.label).toBe('A single_choice question – Other (text)');
    expect(cellCodecFor(many).columns(many)).toHaveLength(1);
  });

  it('returns null cells for skipped and not shown answers', () => {
    expect(cellCodecFor(plain).toCells(plain, null)).toEqual([null, null]);
    expect(cellCodecFor(plain).toCells(plain, undefined)).toEqual([null, null]);
  });
});

describe('an edited single choice', () => {
  const before = { value: '9', other: 'a friend' };
  it.each([
    ['a new value, which drops the old text', { Q1: '1' }, '1'],
    ['the same value, which keeps its text', { Q1: '9' }, before],
    ['a new text', { Q1_other: 'a colleague' }, { value: '9', other: 'a colleague' }],
    ['a removed text', { Q1_other: null }, '9'],
    ['nothing', { Q1: null }, null],
    ['a retired option', { Q1: 3 }, '3'],
    ['an unchanged value', {}, before],
  ])('accepts %s', (_, changes, stored) => edits(plain, before, changes, stored));

  it.each([
    ['an unknown value', { Q1: '8' }, 'Q1', 'is not an option'],
    [
      'a text for an option without a text field',
      { Q1: '1', Q1_other: 'x' },
      'Q1_other',
      'does not accept a text',
    ],
    ['a text without an option', { Q1: null, Q1_other: 'x' }, 'Q1_other', 'is required in Q1'],
    ['a list', { Q1: ['1'] }, 'Q1', 'must be one option value'],
    ['a column of another question', { Q2: '1' }, 'Q2', '"Q2" is not a column of question Q1'],
  ])('rejects %s', (_, changes, field, message) => {
    edits(plain, before, changes, { field, message });
  });
});
