import { describe, expect, it } from 'vitest';
import { cellCodecFor, codecFor } from '../../../../src/domain/questions/registry.ts';
import { question } from '../../../support/survey-builder.ts';
import { accepts, edits, refuses } from '../../../support/codec-checks.ts';

const brands = question('multiple_choice', {
  options: [
    '1',
    '2',
    { value: '3', retired: true },
    { value: '8', label: 'Other', other: true },
    { value: '9', label: 'None', exclusive: true },
  ],
});
const twoOrThree = question('multiple_choice', {
  options: ['1', '2', '3', '4', { value: '9', exclusive: true }],
  settings: { min_selections: 2, max_selections: 3 },
});

describe('a multiple choice', () => {
  it.each([
    ['values, kept in option order', ['2', '1'], ['1', '2']],
    ['numbers for numeric values', [2, 1], ['1', '2']],
    [
      'a text for an option with a text field',
      [{ value: '8', other: 'mine' }, '1'],
      ['1', { value: '8', other: 'mine' }],
    ],
    ['an exclusive option alone', ['9'], ['9']],
    ['an empty list as no options ticked', [], []],
    ['null', null, null],
    ['an empty text', '', null],
    ['an empty object', {}, null],
  ])('accepts %s', (_, input, stored) => accepts(brands, input, stored));

  it.each([
    ['a bare value', '1', '', 'must be a list of option values'],
    ['a bare object', { value: '1' }, '', 'not an object'],
    ['an unknown option', ['1', '7'], '[1]', '"7" is not an option'],
    ['a retired option', ['3'], '[0]', 'no longer offered'],
    ['a repeated value', ['1', 1], '[1]', 'listed more than once'],
    ['an exclusive option with others', ['1', '9'], '', 'option "9" must be the only choice'],
    ['a null entry', [null], '[0]', 'not null'],
    ['a nested list', [['1']], '[0]', 'not a list'],
    [
      'a text for an option without a text field',
      [{ value: '1', other: 'x' }],
      '[0].other',
      'does not accept a text',
    ],
    ['more values than options', ['1', '1', '1', '1', '1', '1'], '', 'must have at most 5 options, not 6'],
  ])('rejects %s', (_, input, field, message) => refuses(brands, input, field, message));

  it('limits the number of selections, but accepts an exclusive "none of these" alone', () => {
    accepts(twoOrThree, ['1', '4'], ['1', '4']);
    accepts(twoOrThree, ['9'], ['9']);
    refuses(twoOrThree, ['1'], '', 'must have at least 2 options, not 1');
    refuses(twoOrThree, ['1', '2', '3', '4'], '', 'must have at most 3 options, not 4');
  });

  it('treats no ticked options as skipped if at least one option is required', () => {
    accepts(twoOrThree, [], null);
    expect(codecFor(twoOrThree).read(twoOrThree, [], 'draft')).toEqual({ ok: true, answer: null });
    const fromZero = question('multiple_choice', { settings: { min_selections: 0 } });
    accepts(fromZero, [], []);
  });

  it('has a 0/1 column per option, marks retired ones, and has a text column for each text field', () => {
    const codec = cellCodecFor(brands);
    const columns = codec.columns(brands);
    expect(columns.map(({ columnCode, type, retired }) => [columnCode, type, retired])).toEqual([
      ['Q1_1', 'binary', false],
      ['Q1_2', 'binary', false],
      ['Q1_3', 'binary', true],
      ['Q1_8', 'binary', false],
      ['Q1_8_other', 'text', false],
      ['Q1_9', 'binary', false],
    ]);
    expect(columns[0]?.label).toBe('A multiple_choice question – Option 1');
    expect(columns[0]?.values).toMatchObject([{ code: 0 }, { code: 1 }]);
    expect(codec.toCells(brands, ['1', { value: '8', other: 'mine' }])).toEqual([1, 0, 0, 1, 'mine', 0]);
    expect(codec.toCells(brands, [])).toEqual([0, 0, 0, 0, null, 0]);
    expect(codec.toCells(brands, null)).toEqual([null, null, null, null, null, null]);
  });

  it('has the whole set in one column on request', () => {
    const codec = cellCodecFor(brands);
    expect(codec.setColumn?.(brands)).toMatchObject({ columnCode: 'Q1', type: 'multiple' });
    expect(codec.toSetCell?.(brands, ['1', { value: '8', other: 'mine' }])).toEqual(['1', '8']);
    expect(codec.toSetCell?.(brands, [])).toEqual([]);
    expect(codec.toSetCell?.(brands, null)).toBeNull();
    expect(codec.toSetCell?.(brands, undefined)).toBeNull();
  });

  it('writes a negative code without the minus sign, which data files do not allow in names', () => {
    const withRefusal = question('multiple_choice', { options: ['1', '-99'] });
    expect(
      cellCodecFor(withRefusal)
        .columns(withRefusal)
        .map(({ columnCode }) => columnCode),
    ).toEqual(['Q1_1', 'Q1_m99']);
  });
});

describe('an edited multiple choice', () => {
  const before = ['1', { value: '8', other: 'mine' }];
  it.each([
    ['a flag set', { Q1_2: 1 }, ['1', '2', { value: '8', other: 'mine' }]],
    ['a flag cleared with its text', { Q1_8: 0 }, ['1']],
    ['a flag given as text', { Q1_1: '0', Q1_2: '1' }, ['2', { value: '8', other: 'mine' }]],
    ['every option unticked', { Q1_1: 0, Q1_8: 0 }, []],
    ['one option unticked and the other cell emptied', { Q1_1: 0, Q1_8: null }, []],
    ['every ticked option emptied', { Q1_1: null, Q1_8: null }, null],
    ['an empty set', { Q1: [] }, []],
    ['a retired option', { Q1_3: 1 }, ['1', '3', { value: '8', other: 'mine' }]],
    ['a new text', { Q1_8_other: 'yours' }, ['1', { value: '8', other: 'yours' }]],
    [
      'the whole set, which keeps the texts of remaining options',
      { Q1: ['8', '2'] },
      ['2', { value: '8', other: 'mine' }],
    ],
    ['the set cleared', { Q1: null }, null],
  ])('accepts %s', (_, changes, stored) => edits(brands, before, changes, stored));

  it.each([
    ['another number', { Q1_1: 2 }, 'Q1_1', 'must be 1, 0 or null, not 2'],
    ['a text without its flag', { Q1_8: 0, Q1_8_other: 'x' }, 'Q1_8_other', 'needs 1 in Q1_8'],
    ['a text that is too long', { Q1_8_other: 'x'.repeat(2001) }, 'Q1_8_other', 'at most 2000'],
    ['an exclusive option with others', { Q1_9: 1 }, 'Q1', 'must be the only choice'],
    ['an unknown value in the set', { Q1: ['7'] }, 'Q1', '"7" is not an option'],
    ['an unknown column', { Q1_77: 1 }, 'Q1_77', 'is not a column of question Q1'],
  ])('rejects %s', (_, changes, field, message) => edits(brands, before, changes, { field, message }));

  it.each([
    ['a 0', undefined, { Q1_1: 0 }, []],
    ['a 0 where it was skipped', null, { Q1_1: 0 }, []],
    ['an empty cell', undefined, { Q1_1: null }, null],
    ['an emptied text if no option is ticked', [], { Q1_8_other: null }, []],
    ['an emptied text if the question was skipped', null, { Q1_8_other: null }, null],
    ['an emptied cell if no option is ticked', [], { Q1_1: null }, null],
  ])('without a ticked option accepts %s', (_, before, changes, stored) =>
    edits(brands, before, changes, stored),
  );

  it('may have fewer selections than a respondent must make, but not more', () => {
    edits(twoOrThree, ['1', '2'], { Q1_2: 0 }, ['1']);
    edits(twoOrThree, ['1', '2'], { Q1_1: 0, Q1_2: 0 }, []);
    edits(twoOrThree, ['1', '2', '3'], { Q1_4: 1 }, { field: 'Q1', message: 'must have at most 3' });
  });
});
