import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import type { DerivedColumn, DerivedDefinition } from '../../../../src/domain/derived/derived-column.ts';
import { createFrozenColumn, deriveColumn } from '../../../../src/domain/derived/derive-column.ts';
import { question, response, surveyOf } from './survey-fixture.ts';

const survey = surveyOf(question('number', 'Q1'), question('number', 'Q2'));

function derived(
  columnCode: string,
  definition: DerivedDefinition,
  sources: string[],
  version = 1,
  columnId = columnCode.length,
): DerivedColumn {
  const spec = {
    columnCode,
    label: columnCode,
    questionId: null,
    type: 'number',
    measure: 'scale',
    source: 'derived',
    values: [],
    editable: false,
    retired: false,
    precision: null,
  } as const;
  return { columnId, version, spec: { ...spec, values: [] }, definition, sources };
}

const computed = (columnCode: string, expression: string, sources: string[], version = 1, columnId = 1) =>
  derived(columnCode, { kind: 'computed', expression, type: 'number' }, sources, version, columnId);

const weight = derived('W', { kind: 'weight', autoRefresh: false } as unknown as DerivedDefinition, ['Q1']);

/** Computes the pending columns as the service does, and returns their codes. */
function make(dataset: Dataset, code: string): string[] {
  const codes = dataset.catalog.loadCodesOf(code)!;
  return dataset.pendingDerived(codes).map((entry) => {
    const work = deriveColumn(dataset, entry);
    let step = work.next();
    while (!step.done) step = work.next();
    dataset.storeDerived(entry, step.value, false);
    return entry.spec.columnCode;
  });
}

function datasetOf(...columns: DerivedColumn[]): Dataset {
  const rows = [response(1, { Q1: 1, Q2: 10 }), response(2, { Q1: 2 })];
  return Dataset.ofRows(new ColumnCatalog(survey, columns), rows, ['Q1', 'Q2']);
}

const cells = (dataset: Dataset, code: string) =>
  Array.from({ length: dataset.rowCount }, (_, row) => dataset.column(code).cell(row));

describe('derived columns in the catalog', () => {
  test('follow the questions, each with the load codes of its sources before its own', () => {
    const catalog = new ColumnCatalog(survey, [
      computed('B', 'A + 1', ['a']),
      computed('A', 'Q1 * 2', ['Q1'], 1, 2),
    ]);
    expect(catalog.columns.slice(-3).map(({ spec }) => spec.columnCode)).toEqual(['Q2', 'B', 'A']);
    expect(catalog.loadCodesOf('b')).toEqual(['Q1', '=A', '=B']);
    expect(catalog.derivedByLoadCode('=A')?.spec.columnCode).toBe('A');
  });

  test('list missing sources and have no values then', () => {
    const dataset = datasetOf(computed('A', 'Q9 * 2', ['Q9']), computed('B', 'A + Q1', ['A', 'Q1'], 1, 2));
    expect(dataset.catalog.find('A')?.origin).toMatchObject({ missingSources: ['Q9'] });
    expect(make(dataset, 'B')).toEqual(['A', 'B']);
    expect(cells(dataset, 'A')).toEqual([null, null]);
    expect(cells(dataset, 'B')).toEqual([null, null]);
  });

  test('need only themselves once computed', () => {
    expect(new ColumnCatalog(survey, [weight]).loadCodesOf('W')).toEqual(['=W']);
  });
});

describe('derived columns of a dataset', () => {
  test('are computed once, and again when the rows change', () => {
    const dataset = datasetOf(computed('A', 'Q1 * 2', ['Q1']));
    expect(make(dataset, 'A')).toEqual(['A']);
    expect(make(dataset, 'A')).toEqual([]);
    dataset.upsert([response(2, { Q1: 5 }), response(3, { Q1: 7 })]);
    expect(make(dataset, 'A')).toEqual(['A']);
    expect(cells(dataset, 'A')).toEqual([2, 10, 14]);
  });

  test('are computed again when their definition or that of a source changes', () => {
    const top = computed('B', 'A + 1', ['A'], 1, 2);
    let dataset = datasetOf(computed('A', 'Q1 * 2', ['Q1']), top);
    make(dataset, 'B');
    dataset = dataset.withCatalog(new ColumnCatalog(survey, [computed('A', 'Q1 * 3', ['Q1'], 2), top]));
    expect(make(dataset, 'B')).toEqual(['A', 'B']);
    expect(cells(dataset, 'B')).toEqual([4, 7]);
  });

  test('are computed again when they depend on waves and wave names change', () => {
    const names = (label: string) => [{ code: 7, value: '7', number: 7, label, missing: false }];
    const of = (...labels: string[]) =>
      new ColumnCatalog(
        survey,
        [computed('A', 'label(wave_id)', ['wave_id']), computed('B', 'Q1', ['Q1'], 1, 2)],
        { waves: labels.flatMap(names) },
      );
    let dataset = datasetOf();
    dataset = dataset.withCatalog(of('May'));
    dataset.beginLoad(['wave_id']).finish();
    expect([make(dataset, 'A'), make(dataset, 'B')]).toEqual([['A'], ['B']]);
    dataset = dataset.withCatalog(of('May'));
    expect(make(dataset, 'A')).toEqual([]);
    dataset = dataset.withCatalog(of('June'));
    expect([make(dataset, 'A'), make(dataset, 'B')]).toEqual([['A'], []]);
  });

  test('do not reuse values of an earlier column with the same code', () => {
    let dataset = datasetOf(computed('A', 'Q1', ['Q1'], 1, 1));
    make(dataset, 'A');
    dataset = dataset.withCatalog(new ColumnCatalog(survey, [computed('A', 'Q2', ['Q2'], 1, 7)]));
    expect(make(dataset, 'A')).toEqual(['A']);
    expect(cells(dataset, 'A')).toEqual([10, null]);
  });

  test('are unchanged for a reader that began before they were changed or deleted', () => {
    const before = datasetOf(computed('A', 'Q1', ['Q1']));
    make(before, 'A');
    const entry = before.catalog.find('A')!;
    const changed = before.withCatalog(new ColumnCatalog(survey, [computed('A', 'Q1 * 3', ['Q1'], 2)]));
    make(changed, 'A');
    const deleted = changed.withCatalog(new ColumnCatalog(survey));
    expect(deleted.catalog.find('A')).toBeUndefined();
    expect(() => deleted.column(entry)).toThrow('column A is not computed');
    expect([before.column(entry).cell(0), changed.column('A').cell(0)]).toEqual([1, 3]);
  });

  test('keep their values when frozen, and new responses have no value', () => {
    const dataset = datasetOf(weight);
    const [entry] = dataset.pendingDerived(['=W']);
    const values = { responseIds: Float64Array.of(1, 2), cells: Float64Array.of(0.5, NaN) };
    dataset.storeDerived(entry!, createFrozenColumn(dataset, entry!, [values]), true);
    dataset.upsert(Array.from({ length: 50 }, (_, index) => response(index + 1, { Q1: index })));
    expect(dataset.pendingDerived(['=W'])).toEqual([]);
    expect(cells(dataset, 'W').slice(0, 3)).toEqual([0.5, null, null]);
    expect(cells(dataset, 'W')).toHaveLength(50);
  });
});
