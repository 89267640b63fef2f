import { describe, expect, it } from 'vitest';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { readFilter } from '../../../../src/domain/dataset/filter/filter.ts';
import { BASES } from '../../../../src/domain/statistics/base.ts';
import { computeDistribution } from '../../../../src/domain/statistics/distribution.ts';
import { option, question, response, surveyOf } from './survey-fixture.ts';

const no_answers = [
  { reason: 'dont_know', code: -97, label: null },
  { reason: 'refused', code: -98, label: null },
  { reason: 'not_applicable', code: -99, label: null },
];
const OPTIONS = [option(1), option(2, { other: true })];
const rows = [{ row_code: 'r1', row_label: 'Price' }];
const settings = { no_answers };
const survey = surveyOf(
  question('number', 'age', [], settings),
  question('text', 'why', [], settings),
  question('date', 'day', [], settings),
  question('single_choice', 'one', OPTIONS, settings),
  question('multiple_choice', 'several', OPTIONS, settings),
  question('ranking', 'ranked', OPTIONS, settings),
  question('matrix', 'grid', OPTIONS, { rows, ...settings }),
  question('matrix', 'ticks', OPTIONS, { rows, matrix_type: 'multiple', ...settings }),
  question('file_upload', 'file', [], settings),
  question('constant_sum', 'sum', OPTIONS, settings),
);
const ANSWERS: Record<string, unknown> = {
  age: 30,
  why: 'Price',
  day: '2026-03-01',
  one: '1',
  several: ['1'],
  ranked: ['1', '2'],
  grid: { r1: '1' },
  ticks: { r1: ['1'] },
  file: ['a'],
  sum: { '1': 40, '2': 60 },
};
const catalog = new ColumnCatalog(survey);

/** Two answers, one skipped, one not shown, and "don't know" twice, "refused" and "not applicable" once. */
function datasetOf(code: string): Dataset {
  const given = ['dont_know', 'dont_know', 'refused', 'not_applicable'].map((no_answer) => ({ no_answer }));
  const answers = [ANSWERS[code], ANSWERS[code], null, ...given];
  const responses = answers.map((answer, row) => response(row + 1, { [code]: answer as never }));
  return Dataset.ofRows(catalog, [...responses, response(8, {})], [code]);
}

const COLUMNS = [
  'age',
  'why',
  'day',
  'one',
  'several',
  'several_1',
  'ranked_1',
  'grid_r1',
  'ticks_r1',
  'ticks_r1_1',
  'file',
  'sum_1',
];

describe('reasons instead of an answer', () => {
  it.each(COLUMNS)('are left out of the figures of %s and counted', (column) => {
    const dataset = datasetOf(column.split('_')[0]!);
    const entry = catalog.find(column)!;
    const mask = new Uint8Array(8).fill(1);
    for (const weights of [null, new Float64Array(8).fill(2)]) {
      const found = BASES.map((base) => computeDistribution(dataset, entry, { rows: mask, weights, base }));
      expect(found.map(({ base }) => base)).toEqual([2, 7, 8]);
      expect(found[0]!.missing).toEqual({
        skipped: 1,
        not_shown: 1,
        not_applicable: 0,
        option_missing: 0,
        no_answer: { dont_know: 2, refused: 1, not_applicable: 1 },
        without_weight: 0,
      });
    }
  });

  it.each([...COLUMNS, 'ranked', 'grid', 'ticks', 'sum'])('are found by a filter of %s', (column) => {
    const dataset = datasetOf(column.split('_')[0]!);
    const rowsWith = (operator: string, right?: string[]) => {
      const filter = readFilter(
        { left: { type: 'column', code: column }, operator, ...(right && { right }) },
        catalog,
      );
      if (!filter.ok) throw new Error(JSON.stringify(filter.problems));
      return [...filter.filter.evaluate(dataset)].flatMap((holds, row) => (holds === 1 ? [row] : []));
    };
    expect(rowsWith('gave_reason', ['dont_know'])).toEqual([3, 4]);
    expect(rowsWith('gave_reason', ['refused', 'not_applicable'])).toEqual([5, 6]);
    expect(rowsWith('answered')).toEqual([0, 1]);
    expect(rowsWith('not_answered')).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('are reasons of the grammar of conditions', () => {
    const left = { type: 'column', code: 'age' };
    expect(readFilter({ left, operator: 'gave_reason', right: ['maybe'] }, catalog)).toMatchObject({
      ok: false,
      problems: [{ field: 'filter.right' }],
    });
    expect(readFilter({ left, operator: 'gave_reason' }, catalog)).toMatchObject({ ok: false });
  });

  it('leave the text of an option not asked', () => {
    const dataset = datasetOf('one');
    const { missing } = computeDistribution(dataset, catalog.find('one_other')!, {
      rows: new Uint8Array(8).fill(1),
    });
    expect(missing).toMatchObject({ not_shown: 8, no_answer: { dont_know: 0 } });
  });
});
