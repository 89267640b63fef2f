import { describe, expect, it } from 'vitest';
import { findFrozenChanges } from '../../../../../src/domain/survey/publishing/frozen-fields.ts';
import { findUnknownSkipTargets } from '../../../../../src/domain/survey/logic/skip-targets.ts';
import type { Skip } from '../../../../../src/domain/survey/logic/logic.ts';
import { page, question, rows, survey } from '../../../../support/survey-builder.ts';

const fields = (...questions: Parameters<typeof findFrozenChanges>) =>
  findFrozenChanges(...questions).map(({ field }) => field);

describe('once data exist', () => {
  it('a question keeps its code and its type', () => {
    const before = question('text', { code: 'Why' });
    expect(fields(before, { ...before, text: 'Another text', required: true })).toEqual([]);
    expect(fields(before, { ...before, code: 'why' })).toEqual(['question_code']);
    expect(fields(before, question('number', { code: 'Why' }))).toEqual(['question_type']);
  });

  it('a matrix keeps its rows and its kind, and may get more rows', () => {
    const matrix = (matrixRows: string[], kind: 'single' | 'multiple' = 'single') =>
      question('matrix', { settings: { rows: rows(...matrixRows), matrix_type: kind } });
    const before = matrix(['a', 'b']);
    expect(fields(before, matrix(['b', 'c', 'a']))).toEqual([]);
    expect(fields(before, matrix(['c']))).toEqual(['question_settings.rows', 'question_settings.rows']);
    expect(fields(before, matrix(['a', 'b'], 'multiple'))).toEqual(['question_settings.matrix_type']);
  });

  it('a date keeps its precision', () => {
    const before = question('date');
    const after = question('date', { settings: { precision: 'year' } });
    expect(fields(before, after)).toEqual(['question_settings.precision']);
  });
});

describe('jumps', () => {
  const definition = survey(page(question('text')), { ...page(question('nps')), retired: true });
  const when = { left: { type: 'question', code: 'Q1' }, operator: 'answered' } as const;
  const jump = (action: Skip['action'], target_id?: number): Skip => ({ when, action, target_id });
  const problems = (skip: Skip[], before: Skip[] = []) =>
    findUnknownSkipTargets({ skip }, { skip: before }, definition).map(({ field }) => field);

  it('lead to live pages and questions of the survey, each by its own kind of id', () => {
    expect(problems([jump('jump_to_page', 1), jump('jump_to_question', 101), jump('end_survey')])).toEqual(
      [],
    );
    expect(problems([jump('jump_to_page', 101), jump('jump_to_question', 1)])).toEqual([
      'skip[0].target_id',
      'skip[1].target_id',
    ]);
    expect(problems([jump('jump_to_page', 2), jump('jump_to_question', 102)])).toHaveLength(2);
  });

  it('may keep a target that went since', () => {
    expect(problems([jump('jump_to_page', 2)], [jump('jump_to_page', 2)])).toEqual([]);
    expect(problems([jump('jump_to_page', 3)], [jump('jump_to_page', 2)])).toHaveLength(1);
  });

  it('of no logic at all are none', () => {
    expect(findUnknownSkipTargets(null, null, definition)).toEqual([]);
  });
});
