import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../../src/domain/dataset/dataset.ts';
import type { ResponseRow } from '../../../../../src/domain/responses/response-row.ts';
import { selectRows } from '../../../../../src/domain/dataset/filter/select-rows.ts';
import { BASES, type Base } from '../../../../../src/domain/statistics/base.ts';
import type { TableRow } from '../../../../../src/domain/statistics/crosstab/table.ts';
import { everyType, rowArbitrary } from '../../dataset/survey-fixture.ts';
import { crosstabOf, tableOf } from './crosstab-of.ts';

const catalog = new ColumnCatalog(everyType);
const loadCodes = [...new Set(catalog.columns.flatMap((column) => column.loadCodes))];
const datasetOf = (rows: readonly ResponseRow[]) => Dataset.ofRows(catalog, rows, loadCodes);

const rowsArbitrary = fc
  .array(rowArbitrary(fc.constant(1)), { maxLength: 40 })
  .map((rows) => rows.map((row, index) => ({ ...row, responseId: index + 1 })));
const single = fc.constantFrom(
  'Q1',
  'region',
  'Q6',
  'nps',
  'Q3_r1',
  'Q2_33',
  'Q4_1',
  'response_status',
  'wave_id',
);
const multiple = fc.constantFrom('Q2', 'Q7_r2');
const variable = fc.oneof(single, multiple);
const nesting = fc.oneof(
  variable.map((code) => [code]),
  fc.tuple(single, fc.constantFrom('region', 'Q3_r1', 'Q7_r2')).map((codes) => [...codes]),
);

/** The categories of a row by value, and whether it is in the base; a naive cell-by-cell implementation. */
function membership(dataset: Dataset, code: string, row: number, base: Base) {
  const column = dataset.column(code);
  const cell = column.cell(row);
  const reason = column.missing(row);
  const values = cell === null ? [] : Array.isArray(cell) ? cell : [String(cell)];
  const missing = new Set(column.spec.values.filter((each) => each.missing).map(({ value }) => value));
  const usable = values.filter((value) => !missing.has(value));
  const answering = reason === null && (values.length === 0 || usable.length > 0);
  const inBase = { answering, shown: reason !== 2, all: true }[base];
  return { inBase, values: base === 'answering' ? usable : values };
}

const pathOf = ({ categories }: Pick<TableRow, 'categories'>) => categories.map(({ value }) => value);

function isIn(dataset: Dataset, codes: string[], path: (string | null)[], row: number, base: Base): boolean {
  return codes.every((code, level) => {
    const { inBase, values } = membership(dataset, code, row, base);
    return inBase && (path.length === 0 || values.includes(path[level]!));
  });
}

describe('any table', () => {
  test('equals a naive count for any variables, weights and base', () => {
    fc.assert(
      fc.property(
        rowsArbitrary,
        nesting,
        nesting,
        fc.constantFrom(...BASES),
        fc.option(fc.array(fc.constantFrom(0.5, 1, 2.25, NaN, 0), { minLength: 40, maxLength: 40 })),
        (responses, down, across, base, given) => {
          const dataset = datasetOf(responses);
          const mask = selectRows(dataset);
          const weights = given && Float64Array.from(given);
          const table = tableOf(dataset, {
            rows: [down],
            columns: [across],
            base,
            weights,
            statistics: ['row_percent'],
          });
          const expected = (rowPath: (string | null)[], columnPath: (string | null)[]) => {
            let [count, weight] = [0, 0];
            for (let row = 0; row < mask.length; row++) {
              const each = weights === null ? 1 : weights[row]!;
              if (mask[row] === 0 || !(each > 0)) continue;
              if (!isIn(dataset, down, rowPath, row, base) || !isIn(dataset, across, columnPath, row, base))
                continue;
              count++;
              weight += each;
            }
            return { unweighted: count, weighted: weight };
          };
          expect(table.base).toMatchObject(expected([], []));
          for (const column of table.columns) expect(column.base).toMatchObject(expected([], pathOf(column)));
          for (const row of table.rows) {
            expect(row.base).toMatchObject(expected(pathOf(row), []));
            row.cells.forEach(({ count, weighted_count: weight }, position) => {
              const { unweighted, weighted } = expected(pathOf(row), pathOf(table.columns[position]!));
              expect([count, weight]).toEqual([unweighted, weights === null ? null : weighted]);
            });
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('of single choices adds up to its margins', () => {
    fc.assert(
      fc.property(rowsArbitrary, single, single, (responses, down, across) => {
        const table = tableOf(datasetOf(responses), { rows: [down], columns: [across] });
        const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
        for (const row of table.rows) expect(sum(row.cells.map(({ count }) => count))).toBe(row.total.count);
        table.columns.forEach((column, position) =>
          expect(sum(table.rows.map(({ cells }) => cells[position]!.count))).toBe(column.base.unweighted),
        );
        expect(sum(table.columns.map(({ base }) => base.unweighted))).toBe(table.base.unweighted);
        const percents = table.rows.map(({ total }) => total.column_percent ?? 0);
        if (table.base.unweighted > 0) expect(sum(percents)).toBeCloseTo(100, 8);
      }),
      { numRuns: 40 },
    );
  });

  test('is the same with weights of 1', () => {
    fc.assert(
      fc.property(rowsArbitrary, nesting, nesting, (responses, down, across) => {
        const dataset = datasetOf(responses);
        const wanted = { rows: [down, 'age'], columns: [across] };
        const plain = crosstabOf(dataset, wanted);
        const weighted = crosstabOf(dataset, {
          ...wanted,
          weights: new Float64Array(responses.length).fill(1),
        });
        plain.forEach((table, index) => {
          const other = weighted[index]!;
          expect(other.base).toEqual(table.base);
          expect(other.columns).toEqual(table.columns);
          const bare = (rows: TableRow[]) =>
            rows.map((row) => [row.tests, row.cells.map((cell) => ({ ...cell, weighted_count: null }))]);
          expect(bare(other.rows)).toEqual(bare(table.rows));
          expect(other.chi_square?.statistic ?? null).toEqual(
            table.chi_square ? expect.closeTo(table.chi_square.statistic, 8) : null,
          );
          expect(other.mean?.cells.map(({ mean, sd, se }) => [mean, sd, se])).toEqual(
            table.mean?.cells.map(({ mean, sd, se }) => [mean, sd, se]),
          );
        });
      }),
      { numRuns: 40 },
    );
  });

  test('does not depend on the order of the responses', () => {
    fc.assert(
      fc.property(rowsArbitrary, nesting, nesting, (responses, down, across) => {
        const wanted = { rows: [down, 'Q6'], columns: [across] };
        const tables = crosstabOf(datasetOf(responses), wanted);
        expect(crosstabOf(datasetOf([...responses].reverse()), wanted)).toEqual(tables);
      }),
      { numRuns: 40 },
    );
  });
});
