import { describe, expect, it } from 'vitest';
import {
  formatCell,
  nextSort,
  shownColumnCodes,
} from '../../../../src/web/studio/client/responses/grid-columns.ts';

const column = (fields: Partial<Parameters<typeof formatCell>[0]>): Parameters<typeof formatCell>[0] => ({
  column_code: 'Q1',
  label: 'A question',
  question_id: 1,
  type: 'categorical',
  measure: 'nominal',
  source: 'question',
  values: [
    { code: 1, value: 'a', number: 1, label: 'Apple', missing: false },
    { code: 2, value: 'b', number: 2, label: 'Banana', missing: false },
  ],
  editable: true,
  retired: false,
  precision: null,
  ...fields,
});

describe('columns of the grid', () => {
  it('combine the options of a multiple choice, and leave out metadata and retired columns', () => {
    const columns = [
      column({ column_code: 'response_id', source: 'metadata', question_id: null }),
      column({ column_code: 'Q1' }),
      column({ column_code: 'Q2_1', question_id: 2, type: 'binary' }),
      column({ column_code: 'Q2_2', question_id: 2, type: 'binary' }),
      column({ column_code: 'Q2_other', question_id: 2, type: 'text' }),
      column({ column_code: 'Q3', retired: true }),
      column({ column_code: 'is_young', question_id: null, type: 'binary', source: 'derived' }),
    ];
    const questions = [
      { question_id: 1, question_type: 'single_choice', question_code: 'Q1' },
      { question_id: 2, question_type: 'multiple_choice', question_code: 'Q2' },
    ] as const;
    expect(shownColumnCodes(columns, questions)).toEqual(['Q1', 'Q2', 'Q2_other', 'is_young']);
  });

  it('sort ascending, descending, and in the order of arrival', () => {
    expect(nextSort(null, 'Q1')).toBe('Q1');
    expect(nextSort('Q1', 'Q1')).toBe('-Q1');
    expect(nextSort('-Q1', 'Q1')).toBeNull();
    expect(nextSort('-Q1', 'Q2')).toBe('Q2');
  });
});

describe('cells of the grid', () => {
  it.each([
    [column({}), 'b', 'Banana'],
    [column({}), null, ''],
    [column({}), 'gone', 'gone'],
    [column({ type: 'multiple' }), ['a', 'b'], 'Apple, Banana'],
    [column({ type: 'multiple' }), [], 'Nothing selected'],
    [column({ type: 'binary' }), 1, 'Yes'],
    [column({ type: 'binary' }), 0, 'No'],
    [column({ type: 'number' }), 1234.5, '1234.5'],
    [column({ type: 'text' }), 'a', 'a'],
  ])('are texts', (spec, value, text) => {
    expect(formatCell(spec, value)).toBe(text);
  });
});
