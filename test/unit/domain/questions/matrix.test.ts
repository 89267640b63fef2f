import { describe, expect, it } from 'vitest';
import { textsIn } from '../../../../src/domain/questions/localize.ts';
import { cellCodecFor, codecFor, typeOf } from '../../../../src/domain/questions/registry.ts';
import { question, rows } from '../../../support/survey-builder.ts';
import { accepts, edits, refuses } from '../../../support/codec-checks.ts';

const single = question('matrix', { options: ['1', '2', '3'] });
const whole = question('matrix', { settings: { rows: rows('r1', 'r2'), require_all_rows: true } });
const several = question('matrix', {
  settings: { rows: rows('r1', 'r2'), matrix_type: 'multiple' },
  options: ['1', '2', { value: '9', exclusive: true }],
});
const strange = question('matrix', { settings: { rows: rows('constructor', 'toString') } });

const named = question('matrix', {
  settings: { rows: [...rows('r1'), { row_code: 'r9', row_label: 'Another', row_other: true }] },
});

describe('a matrix with a row that respondents name', () => {
  it.each([
    [
      'its name and answer',
      { r1: '1', r9: '2', 'r9.other': ' Tea ' },
      { r1: '1', r9: '2', 'r9.other': 'Tea' },
    ],
    ['an answer without a name', { r9: '2', 'r9.other': ' ' }, { r9: '2' }],
    ['other rows only', { r1: '1' }, { r1: '1' }],
  ])('accepts %s', (_, input, stored) => accepts(named, input, stored));

  it('refuses a name without an answer, and names of other rows', () => {
    refuses(named, { r1: '1', 'r9.other': 'Tea' }, 'r9', 'is required in a row with a name');
    refuses(named, { 'r1.other': 'Tea' }, '', 'is not a row');
    refuses(named, { r9: '1', 'r9.other': 5 }, 'r9.other', 'must be a text');
    const draft = codecFor(named).read(named, { 'r9.other': 'Tea' }, 'draft');
    expect(draft).toEqual({ ok: true, answer: { 'r9.other': 'Tea' } });
  });

  it('does not require a row without a name', () => {
    const all = question('matrix', { settings: { ...named.settings, require_all_rows: true } });
    accepts(all, { r1: '1' }, { r1: '1' });
    refuses(all, { r9: '1', 'r9.other': 'Tea' }, 'r1', 'is required in every row');
  });

  it('has a column with the names, after those of the rows', () => {
    const cells = cellCodecFor(named);
    expect(cells.columns(named).map(({ columnCode, label, type }) => [columnCode, label, type])).toEqual([
      ['Q1_r1', 'A matrix question – Row r1', 'categorical'],
      ['Q1_r9', 'A matrix question – Another', 'categorical'],
      ['Q1_r9_other', 'A matrix question – Another (text)', 'text'],
    ]);
    expect(cells.toCells(named, { r9: '2', 'r9.other': 'Tea' })).toEqual([null, '2', 'Tea']);
    edits(
      named,
      { r9: '2', 'r9.other': 'Tea' },
      { Q1_r9_other: 'Coffee' },
      { r9: '2', 'r9.other': 'Coffee' },
    );
    edits(named, { r9: '2', 'r9.other': 'Tea' }, { Q1_r9_other: null }, { r9: '2' });
    edits(named, { 'r9.other': 'Tea' }, { Q1_r9: '3' }, { r9: '3', 'r9.other': 'Tea' });
  });

  it('is compared by its answer and shown with its name', () => {
    const answer = { r1: '1', r9: '2', 'r9.other': 'Tea' };
    const codec = codecFor(named);
    expect(codec.operand(named, answer, undefined)).toEqual({ kind: 'choice', values: ['1', '2'] });
    expect(codec.operand(named, answer, 'r9')).toEqual({ kind: 'choice', values: ['2'] });
    expect(codec.pipedText(named, answer, textsIn(null), 'en')).toBe('Row r1: Option 1; Tea: Option 2');
    expect(codec.pipedCode(named, answer)).toBe('1,2');
    expect(codec.withoutOptions(named, answer, new Set(['1']))).toEqual({ r9: '2', 'r9.other': 'Tea' });
  });

  it('keeps its text box once it has data', () => {
    const plain = question('matrix', { settings: { rows: rows('r1', 'r9') } });
    expect(typeOf(named).frozenChanges(named, plain)).toEqual([
      { field: 'question_settings.rows', message: 'row "r9" has texts and stays "other"' },
    ]);
    expect(typeOf(named).frozenChanges(plain, named)).toEqual([]);
  });
});

describe('a matrix', () => {
  it.each([
    ['an answer per row', { r1: '2', r2: 3 }, { r1: '2', r2: '3' }],
    ['omitted rows', { r2: '1' }, { r2: '1' }],
    ['empty rows', { r1: null, r2: '' }, null],
    ['an empty object', {}, null],
  ])('accepts %s', (_, input, stored) => accepts(single, input, stored));

  it.each([
    ['an unknown row', { r1: '1', r9: '1' }, '', '"r9" is not a row of Q1; accepted: "r1", "r2"'],
    ['__proto__ as a row', JSON.parse('{"__proto__":"1"}'), '', '"__proto__" is not a row of'],
    ['constructor as a row', { constructor: '1' }, '', '"constructor" is not a row of'],
    ['an unknown option', { r1: '7' }, 'r1', '"7" is not an option'],
    ['two options in a row', { r1: ['1', '2'] }, 'r1', 'must be an option value, not a list'],
    ['an object in a row', { r1: { value: '1' } }, 'r1', 'not an object'],
    ['a list', ['1'], '', 'must be an object of row codes'],
    ['a bare value', '1', '', 'must be an object of row codes'],
  ])('rejects %s', (_, input, field, message) => refuses(single, input, field, message));

  it('requires every row if all are required, unless it is completely empty', () => {
    refuses(whole, { r1: '1' }, 'r2', 'is required in every row');
    accepts(whole, {}, null);
    accepts(whole, { r1: '1', r2: '2' }, { r1: '1', r2: '2' });
  });

  it('does not accept an inherited object property as a row', () => {
    accepts(strange, {}, null);
    accepts(strange, { constructor: '1' }, { constructor: '1' });
    expect(cellCodecFor(strange).toCells(strange, {})).toEqual([null, null]);
  });

  it('has an ordinal column per row', () => {
    const columns = cellCodecFor(single).columns(single);
    expect(columns.map(({ columnCode, label, type, measure }) => [columnCode, label, type, measure])).toEqual(
      [
        ['Q1_r1', 'A matrix question – Row r1', 'categorical', 'ordinal'],
        ['Q1_r2', 'A matrix question – Row r2', 'categorical', 'ordinal'],
      ],
    );
    expect(cellCodecFor(single).toCells(single, { r2: '3' })).toEqual([null, '3']);
  });

  it('is edited row by row, even below the number of answers a respondent must give', () => {
    edits(whole, { r1: '1', r2: '2' }, { Q1_r2: null }, { r1: '1' });
    edits(whole, { r1: '1' }, { Q1_r1: null }, null);
    edits(whole, null, { Q1_r1: 2 }, { r1: '2' });
    edits(whole, { r1: '1' }, { Q1_r1: '7' }, { field: 'Q1_r1', message: 'is not an option' });
    edits(whole, { r1: '1' }, { Q1_r9: '1' }, { field: 'Q1_r9', message: 'is not a column' });
  });
});

describe('a matrix of several answers', () => {
  it('returns lists in option order', () => accepts(several, { r1: ['2', 1] }, { r1: ['1', '2'] }));

  it.each([
    ['a bare value in a row', { r1: '1' }, 'r1', 'must be a list of option values'],
    ['an unknown option', { r1: ['7'] }, 'r1[0]', '"7" is not an option'],
    ['a repeated option', { r1: ['1', '1'] }, 'r1[1]', 'listed more than once'],
    ['an exclusive option with another', { r1: ['1', '9'] }, 'r1', 'must be the only choice'],
  ])('rejects %s', (_, input, field, message) => refuses(several, input, field, message));

  it('has a 0/1 column per row and option, null for an omitted row', () => {
    expect(
      cellCodecFor(several)
        .columns(several)
        .map(({ columnCode }) => columnCode),
    ).toEqual(['Q1_r1_1', 'Q1_r1_2', 'Q1_r1_9', 'Q1_r2_1', 'Q1_r2_2', 'Q1_r2_9']);
    expect(cellCodecFor(several).toCells(several, { r1: ['2'] })).toEqual([0, 1, 0, null, null, null]);
  });

  it('stores 0 in all columns of a row without ticked options', () => {
    accepts(several, { r1: [], r2: ['1'] }, { r1: [], r2: ['1'] });
    accepts(several, { r1: [], r2: [] }, { r1: [], r2: [] });
    accepts(several, { r1: [], r2: null }, { r1: [] });
    accepts(several, {}, null);
    expect(cellCodecFor(several).toCells(several, { r1: [] })).toEqual([0, 0, 0, null, null, null]);
  });

  it('requires a ticked option in every row if every row is required', () => {
    const all = question('matrix', {
      options: ['1', '2'],
      settings: { rows: rows('r1', 'r2'), matrix_type: 'multiple', require_all_rows: true },
    });
    refuses(all, { r1: ['1'], r2: [] }, 'r2', 'is required in every row');
    accepts(all, { r1: [], r2: [] }, null);
    expect(codecFor(all).read(all, { r1: ['1'], r2: [] }, 'draft')).toMatchObject({ ok: true });
  });

  it('is edited flag by flag', () => {
    edits(several, { r1: ['2'] }, { Q1_r1_1: 1, Q1_r2_9: '1' }, { r1: ['1', '2'], r2: ['9'] });
    edits(several, { r1: ['2'] }, { Q1_r1_2: 0 }, { r1: [] });
    edits(several, { r1: ['2'] }, { Q1_r1_2: null }, null);
    edits(several, undefined, { Q1_r2_1: 0 }, { r2: [] });
    edits(several, { r1: [], r2: ['1'] }, { Q1_r1_1: null }, { r2: ['1'] });
    edits(several, { r1: ['2'] }, { Q1_r1_9: 1 }, { field: 'Q1_r1_9', message: 'must be the only choice' });
    edits(several, { r1: ['2'] }, { Q1_r1_1: 5 }, { field: 'Q1_r1_1', message: 'must be 1, 0 or null' });
  });
});
