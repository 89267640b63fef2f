import { expect, it } from 'vitest';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import type { DerivedColumn } from '../../../../src/domain/derived/derived-column.ts';
import { NOT_APPLICABLE, NOT_SHOWN } from '../../../../src/domain/columns/columns.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { createFrozenColumn } from '../../../../src/domain/derived/derive-column.ts';
import { question, response, surveyOf } from '../dataset/survey-fixture.ts';

const CODED: DerivedColumn = {
  columnId: 1,
  version: 1,
  spec: {
    columnCode: 'TOPIC',
    label: 'Topic',
    questionId: null,
    type: 'categorical',
    measure: 'nominal',
    source: 'derived',
    values: [
      { code: 3, value: 'price', number: 3, label: 'Price', missing: false },
      { code: 1, value: 'staff', number: 1, label: 'Staff', missing: false },
    ],
    editable: false,
    retired: false,
    precision: null,
  },
  definition: {
    kind: 'coded',
    operation: 'classify',
    texts: 'Q1',
    engine: 'built-in',
    model: 'm',
    valuesVersion: 1,
    basis: { responses: 4, at: '2026-01-01T00:00:00Z', digest: '' },
  },
  sources: ['Q1'],
};

it('frozen categories are matched by code; unmatched codes are not applicable and unread responses are not shown', () => {
  const catalog = new ColumnCatalog(surveyOf(question('text', 'Q1')), [CODED]);
  const dataset = new Dataset(catalog);
  dataset.upsert([1, 2, 3, 4, 5].map((responseId) => response(responseId, {})));
  const entry = catalog.find('topic')!;
  // Independent of other columns: its texts are not loaded.
  expect(entry.loadCodes).toEqual(['=TOPIC']);
  const column = createFrozenColumn(dataset, entry, [
    { responseIds: Float64Array.from([1, 2]), cells: Float64Array.from([1, 3]) },
    // Response 99 does not exist, and 7 is not a category.
    { responseIds: Float64Array.from([3, 4, 99]), cells: Float64Array.from([NaN, 7, 1]) },
  ]);
  expect([0, 1, 2, 3, 4].map((row) => column.cell(row))).toEqual(['staff', 'price', null, null, null]);
  expect([2, 3, 4].map((row) => column.missing(row))).toEqual([NOT_APPLICABLE, NOT_APPLICABLE, NOT_SHOWN]);
});
