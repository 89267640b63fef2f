import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredAnswer } from '../../../../src/domain/questions/answers/codec.ts';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import type { Cell } from '../../../../src/domain/columns/column-spec.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { NOT_SHOWN, SKIPPED } from '../../../../src/domain/columns/columns.ts';
import type { ResponseRow } from '../../../../src/domain/responses/response-row.ts';
import { everyType, option, question, response, rowArbitrary, surveyOf } from './survey-fixture.ts';

const catalog = new ColumnCatalog(everyType);
const everyLoadCode = [...new Set(catalog.columns.flatMap(({ loadCodes }) => loadCodes))];

const ids = fc.integer({ min: 1, max: 60 });
const distinctRows = fc.uniqueArray(rowArbitrary(ids), { selector: (row) => row.responseId, maxLength: 40 });

/** All cells of every response, by response id. */
function contents(dataset: Dataset, rows: readonly { responseId: number }[]) {
  return rows.map(({ responseId }) => {
    const row = dataset.rowOf(responseId);
    return {
      responseId,
      state: dataset.rowStates[row],
      cells: catalog.columns.map((entry) => {
        const column = dataset.column(entry);
        return [entry.spec.columnCode, column.cell(row), column.missing(row)];
      }),
    };
  });
}

/** The expected cells, from the codecs. */
function expectedCells(row: ResponseRow): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const { spec, origin } of catalog.columns) {
    if (origin.kind === 'metadata') {
      const value = origin.metadata.read(row);
      cells.set(
        spec.columnCode,
        spec.type === 'date' && value !== null ? new Date(value).toISOString() : value,
      );
    } else if (origin.kind === 'question') {
      const { question, codec } = origin.questionColumns;
      cells.set(spec.columnCode, codec.toCells(question, row.answers[question.code])[origin.index] ?? null);
    }
  }
  return cells;
}

describe('a dataset', () => {
  test.each([
    ['single_choice', [{ value: '2', other: 'Market' }, '2', '1', null, undefined], 'C_other'],
    ['multiple_choice', [[{ value: '2', other: 'Market' }], ['2'], ['1'], null, undefined], 'C_2_other'],
  ] as const)(
    'asks for the text of an option only those who chose the option of a %s',
    (type, answers, columnCode) => {
      const definition = surveyOf(question(type, 'C', [option(1), option(2, { other: true })]));
      const rows = answers.map((answer, index) =>
        response(index + 1, answer === undefined ? {} : { C: answer as StoredAnswer | null }),
      );
      const dataset = Dataset.ofRows(new ColumnCatalog(definition), rows, ['C']);
      const reasons = rows.map((_, row) => dataset.column(columnCode).missing(row));
      expect(reasons).toEqual([null, SKIPPED, NOT_SHOWN, NOT_SHOWN, NOT_SHOWN]);
    },
  );

  test('returns every cell of every row as encoded by the codecs', () => {
    fc.assert(
      fc.property(distinctRows, (rows) => {
        const dataset = Dataset.ofRows(catalog, rows, everyLoadCode);
        expect(dataset.rowCount).toBe(rows.length);
        for (const row of rows) {
          const at = dataset.rowOf(row.responseId);
          for (const [code, cell] of expectedCells(row))
            expect([code, dataset.column(code).cell(at)]).toEqual([code, cell]);
        }
      }),
    );
  });

  test('equals a newly built dataset after an update with the changes', () => {
    fc.assert(
      fc.property(distinctRows, fc.array(distinctRows, { maxLength: 4 }), (first, changes) => {
        const refreshed = new Dataset(catalog, 1);
        refreshed.addResponses(first);
        const load = refreshed.beginLoad(everyLoadCode);
        for (const half of [first.slice(0, 5), first.slice(5)]) {
          load.add(
            half.map((row) => row.responseId),
            load.loadCodes.map((code) => half.map((row) => loadedValue(row, code))),
          );
        }
        load.finish();
        for (const rows of changes) refreshed.upsert(rows);

        const latest = new Map([...first, ...changes.flat()].map((row) => [row.responseId, row]));
        const rebuilt = Dataset.ofRows(catalog, [...latest.values()], everyLoadCode);
        const rows = [...latest.values()];
        expect(contents(refreshed, rows)).toEqual(contents(rebuilt, rows));
      }),
    );
  });

  test('distinguishes a skipped question from one that was not shown', () => {
    const dataset = Dataset.ofRows(catalog, [response(1, { Q1: null, Q2: null, age: null })], everyLoadCode);
    for (const code of ['Q1', 'Q2', 'Q2_40', 'age']) {
      expect([code, dataset.column(code).missing(0)]).toEqual([code, SKIPPED]);
    }
    for (const code of ['region', 'Q3_r1', 'Q7_r1_2', 'Q7_r1', 'Q9', 'Q11', 'wave_id']) {
      expect([code, dataset.column(code).missing(0)]).toEqual([code, NOT_SHOWN]);
    }
  });

  test('finds exactly the responses whose ids were committed out of order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 200 })), (order) => {
        const dataset = new Dataset(catalog, 4);
        dataset.addResponses(order.map((id) => response(id, {})));
        for (let id = 0; id <= 201; id++) expect(dataset.rowOf(id)).toBe(order.indexOf(id));
      }),
    );
  });

  test('hides columns until their load is finished, and loads nothing twice', () => {
    const dataset = new Dataset(catalog);
    dataset.addResponses([response(1, {})]);
    const load = dataset.beginLoad(['age', 'age']);
    expect(load.loadCodes).toEqual(['age']);
    load.add([1, 77], [[31, 99]]);
    expect(dataset.isLoaded('age')).toBe(false);
    expect(() => dataset.column('age')).toThrow('not loaded');
    load.finish();
    expect(dataset.column('AGE').cell(0)).toBe(31);
    expect(dataset.notLoaded(['age', 'Q1'])).toEqual(['Q1']);
  });

  test('rejects a load if rows changed meanwhile, so old answers cannot replace new ones', () => {
    const dataset = new Dataset(catalog);
    const load = dataset.beginLoad(['age']);
    dataset.upsert([response(1, { age: 40 })]);
    expect(() => load.finish()).toThrow('rows changed');
  });

  test('treats question codes such as constructor and __proto__ like any other', () => {
    const hostile = new ColumnCatalog(surveyOf(question('number', 'constructor')));
    const dataset = Dataset.ofRows(
      hostile,
      [response(1, {}), response(2, { constructor: 5 })],
      ['constructor'],
    );
    expect(dataset.column('constructor').missing(0)).toBe(NOT_SHOWN);
    expect(dataset.column('constructor').cell(1)).toBe(5);
    expect(hostile.find('__proto__')).toBeUndefined();
  });

  test('counts an answer that no option has as skipped instead of losing the column', () => {
    const dataset = Dataset.ofRows(
      catalog,
      [response(1, { Q1: '77', Q2: ['1', '77'], age: 'x' })],
      everyLoadCode,
    );
    expect(dataset.column('Q1').missing(0)).toBe(SKIPPED);
    expect(dataset.column('Q2').cell(0)).toEqual(['1']);
    expect(dataset.column('age').missing(0)).toBe(SKIPPED);
  });

  test('reports the bytes it uses', () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => response(index + 1, { Q1: '1', Q5: 'word' }));
    const dataset = Dataset.ofRows(catalog, rows, []);
    const before = dataset.bytes;
    dataset.beginLoad(['Q1']).finish();
    // Two bytes for the choice; a state byte and a reference for its text.
    expect(dataset.bytes - before).toBe(1_000 * (2 + 1 + 8));
  });
});

function loadedValue(row: ResponseRow, code: string): StoredAnswer | null | undefined {
  const origin = catalog.find(code)?.origin;
  return origin?.kind === 'metadata' ? origin.metadata.read(row) : row.answers[code];
}
