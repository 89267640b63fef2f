import { describe, expect, it } from 'vitest';
import type { StoredAnswers } from '../../../../src/domain/questions/answers/codec.ts';
import { findAttentionFlags } from '../../../../src/domain/quality/row-checks.ts';
import { page, question, rows, survey } from '../../../support/survey-builder.ts';

const definition = survey(
  page(
    question('single_choice', { id: 1001, code: 'One' }),
    question('multiple_choice', { id: 1002, code: 'Some' }),
    question('text', { id: 1003, code: 'Word' }),
    question('number', { id: 1004, code: 'Sum' }),
    question('matrix', { id: 1005, code: 'Grid', settings: { rows: rows('a', 'b') } }),
    question('ranking', { id: 1006, code: 'Order' }),
  ),
);
const judged = (questionId: number, expected: string | string[], answers: StoredAnswers, rowCode?: string) =>
  findAttentionFlags(answers, definition, [
    { question_id: questionId, expected, ...(rowCode === undefined ? {} : { row_code: rowCode }) },
  ]);

describe('an attention check', () => {
  it.each<[string, number, string | string[], StoredAnswers, string?]>([
    ['the expected option', 1001, '2', { One: '2' }],
    ['one of several expected options', 1001, ['1', '2'], { One: '2' }],
    ['an option with its text', 1001, '3', { One: { value: '3', other: 'x' } }],
    ['all of the expected options', 1002, ['3', '1'], { Some: ['1', '3'] }],
    ['the word in any spelling', 1003, 'Blue', { Word: ' BLUE ' }],
    ['the number', 1004, '7', { Sum: 7 }],
    ['the checked row', 1005, '2', { Grid: { a: '1', b: '2' } }, 'b'],
    ['every row', 1005, '2', { Grid: { a: '2', b: '2' } }],
    ['the order', 1006, ['2', '1', '3'], { Order: ['2', '1', '3'] }],
    ['a question that was not shown', 1001, '2', {}],
    ['a deleted question', 9999, '2', { One: '1' }],
  ])('is passed by %s', (_, id, expected, answers, row) => {
    expect(judged(id, expected, answers, row)).toEqual([]);
  });

  it.each<[string, number, string | string[], StoredAnswers, string | null, string?]>([
    ['another option', 1001, '2', { One: '1' }, '1'],
    ['skipping', 1001, '2', { One: null }, null],
    ['one option too many', 1002, ['1'], { Some: ['1', '2'] }, '1, 2'],
    ['one option too few', 1002, ['1', '2'], { Some: ['1'] }, '1'],
    ['another word', 1003, 'blue', { Word: 'blues' }, 'blues'],
    ['another number', 1004, '7', { Sum: 70 }, '70'],
    ['another answer in the row', 1005, '2', { Grid: { a: '2', b: '1' } }, '1', 'b'],
    ['an omitted row', 1005, '2', { Grid: { a: '2' } }, null, 'b'],
    ['a row named like an Object.prototype member', 1005, '2', { Grid: { a: '2' } }, null, 'toString'],
    ['another order', 1006, ['2', '1', '3'], { Order: ['1', '2', '3'] }, '1, 2, 3'],
  ])('is failed by %s', (_, id, expected, answers, value, row) => {
    expect(judged(id, expected, answers, row)).toMatchObject([
      { check: 'attention_check', severity: 'high', metric: 'answer', value },
    ]);
  });

  it('names the checked column', () => {
    expect(judged(1001, '2', { One: '1' })[0]!.column_codes).toEqual(['One']);
    expect(judged(1005, '2', { Grid: { b: '1' } }, 'b')[0]!.column_codes).toEqual(['Grid_b']);
  });
});
