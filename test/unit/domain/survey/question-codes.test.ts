import { describe, expect, it } from 'vitest';
import {
  codeProblem,
  columnCollisions,
  isCodeTaken,
  METADATA_CODES,
  nextQuestionCode,
} from '../../../../src/domain/survey/question-codes.ts';
import { question, rows } from '../../../support/survey-builder.ts';

describe('a question code', () => {
  it.each(['Q1', 'a', 'Age_group', 'x'.repeat(48)])('accepts %s', (code) =>
    expect(codeProblem(code)).toBeNull(),
  );

  it.each([
    ['', 'must be a letter followed by letters'],
    ['1Q', 'must be a letter followed by letters'],
    ['_a', 'must be a letter followed by letters'],
    ['a b', 'must be a letter followed by letters'],
    ['größe', 'must be a letter followed by letters'],
    ["Q1'; DROP TABLE", 'must be a letter followed by letters'],
    ['__proto__', 'must be a letter followed by letters'],
    ['x'.repeat(49), 'at most 48'],
    ['Q1_', 'must not end in _'],
    ...['all', 'AND', 'By', 'EQ', 'GE', 'GT', 'LE', 'LT', 'NE', 'NOT', 'OR', 'TO', 'With'].map((word) => [
      word,
      'a reserved word of SPSS',
    ]),
    ...METADATA_CODES.map((code) => [code.toUpperCase(), 'a column that every response has']),
    ['constructor', 'a reserved name'],
    ['toString', 'a reserved name'],
  ])('rejects %j: %s', (code, message) => expect(codeProblem(code)).toContain(message));

  it('is reserved ignoring case', () => {
    expect(isCodeTaken('q1', ['Q1'])).toBe(true);
    expect(isCodeTaken('Q11', ['Q1'])).toBe(false);
  });

  it('defaults to Q and the next number that no question ever had', () => {
    expect(nextQuestionCode([])).toBe('Q1');
    expect(nextQuestionCode(['Q1', 'age', 'q7', 'Q3b'])).toBe('Q8');
    expect(nextQuestionCode(['Q99999999999999999999'])).toBe('Q1');
  });
});

describe('columns of a survey', () => {
  const codesOf = (...questions: Parameters<typeof columnCollisions>[0]) =>
    columnCollisions(questions).map(({ columnCode, questions: owners }) => [
      columnCode,
      ...owners.map(({ code }) => code),
    ]);

  it('collide if a question code equals a column of another question, ignoring case', () => {
    expect(codesOf(question('multiple_choice', { code: 'Q2' }), question('text', { code: 'q2_1' }))).toEqual([
      ['q2_1', 'Q2', 'q2_1'],
    ]);
    expect(
      codesOf(
        question('matrix', { code: 'Q3', settings: { rows: rows('other') } }),
        question('text', { code: 'Q3_other' }),
      ),
    ).toEqual([['Q3_other', 'Q3', 'Q3_other']]);
    expect(codesOf(question('text', { code: 'A' }), question('nps', { code: 'a' }))).toEqual([
      ['a', 'A', 'a'],
    ]);
  });

  it('collide if a column of a question equals a column of every response', () => {
    expect(codesOf(question('matrix', { code: 'response', settings: { rows: rows('id') } }))).toEqual([
      ['response_id', 'response'],
    ]);
  });

  it('do not collide otherwise', () => {
    expect(codesOf(question('multiple_choice', { code: 'Q2' }), question('text', { code: 'Q21' }))).toEqual(
      [],
    );
  });
});
