import { describe, expect, it } from 'vitest';
import { findFrozenChanges } from '../../../../../src/domain/survey/publishing/publish-check.ts';
import { findUnknownSkipTargets } from '../../../../../src/domain/survey/logic/read-logic.ts';
import type { Skip } from '../../../../../src/domain/questions/logic-schema.ts';
import { page, question, rows, survey } from '../../../../support/survey-builder.ts';

const fields = (...questions: Parameters<typeof findFrozenChanges>) =>
  findFrozenChanges(...questions).map(({ field }) => field);

describe('a survey with data', () => {
  it('keeps the code and type of a question', () => {
    const before = question('text', { code: 'Why' });
    expect(fields(before, { ...before, text: 'Another text', required: true })).toEqual([]);
    expect(fields(before, { ...before, code: 'why' })).toEqual(['question_code']);
    expect(fields(before, question('number', { code: 'Why' }))).toEqual(['question_type']);
  });

  it('keeps the rows and type of a matrix, but allows more rows', () => {
    const matrix = (matrixRows: string[], kind: 'single' | 'multiple' = 'single') =>
      question('matrix', { settings: { rows: rows(...matrixRows), matrix_type: kind } });
    const before = matrix(['a', 'b']);
    expect(fields(before, matrix(['b', 'c', 'a']))).toEqual([]);
    expect(fields(before, matrix(['c']))).toEqual(['question_settings.rows', 'question_settings.rows']);
    expect(fields(before, matrix(['a', 'b'], 'multiple'))).toEqual(['question_settings.matrix_type']);
  });

  it('keeps the precision of a date', () => {
    const before = question('date');
    const after = question('date', { settings: { precision: 'year' } });
    expect(fields(before, after)).toEqual(['question_settings.precision']);
  });
});

describe('skip targets', () => {
  const definition = survey(page(question('text')), { ...page(question('nps')), retired: true });
  const when = { left: { type: 'question', code: 'Q1' }, operator: 'answered' } as const;
  const jump = (action: Skip['action'], target_id?: number): Skip => ({ when, action, target_id });
  const problems = (skip: Skip[], before: Skip[] = []) =>
    findUnknownSkipTargets({ skip }, { skip: before }, definition).map(({ field }) => field);

  it('must be live pages or questions of the survey, each with its own type of id', () => {
    expect(problems([jump('jump_to_page', 1), jump('jump_to_question', 101), jump('end_survey')])).toEqual(
      [],
    );
    expect(problems([jump('jump_to_page', 101), jump('jump_to_question', 1)])).toEqual([
      'skip[0].target_id',
      'skip[1].target_id',
    ]);
    expect(problems([jump('jump_to_page', 2), jump('jump_to_question', 102)])).toHaveLength(2);
  });

  it('may keep a target that was deleted later', () => {
    expect(problems([jump('jump_to_page', 2)], [jump('jump_to_page', 2)])).toEqual([]);
    expect(problems([jump('jump_to_page', 3)], [jump('jump_to_page', 2)])).toHaveLength(1);
  });

  it('are valid without logic', () => {
    expect(findUnknownSkipTargets(null, null, definition)).toEqual([]);
  });
});
