import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { NOT_APPLICABLE, SKIPPED } from '../../../../src/domain/columns/columns.ts';
import type { ResponseRow } from '../../../../src/domain/responses/response-row.ts';
import { NUMBER_FORM } from '../../../../src/domain/transforms/transform.ts';
import { all, buildColumn, cars, cells, MPG, transformed } from '../derived/derived-values.ts';
import { question, response, surveyOf } from '../dataset/survey-fixture.ts';

const winsorized = (lower: number, upper: number) =>
  cells(
    cars,
    transformed(cars, { kind: 'winsorize', percentiles: { lower, upper }, frozen: false }, 'mpg'),
  ) as number[];

describe('reference values of mtcars$mpg from R', () => {
  // q <- quantile(mtcars$mpg, c(.05, .95), type = 7); w <- pmin(pmax(mtcars$mpg, q[1]), q[2])
  const w = winsorized(5, 95);

  test('are limited to the percentiles', () => {
    // q
    expect(Math.min(...w)).toBeCloseTo(11.995, 12);
    expect(Math.max(...w)).toBeCloseTo(31.3, 12);
    // sum(w != mtcars$mpg)
    expect(w.filter((value, row) => value !== MPG[row])).toHaveLength(4);
  });

  test('have the mean and sd of the limited values', () => {
    const mean = w.reduce((sum, value) => sum + value, 0) / w.length;
    const squares = w.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    // mean(w), sd(w)
    expect(mean).toBeCloseTo(20.0746875, 10);
    expect(Math.sqrt(squares / (w.length - 1))).toBeCloseTo(5.617890623755847, 10);
  });

  test('can have any percentiles', () => {
    // quantile(mtcars$mpg, c(.1, .8), type = 7)
    const asymmetric = winsorized(10, 80);
    expect(Math.min(...asymmetric)).toBeCloseTo(14.34, 12);
    expect(Math.max(...asymmetric)).toBeCloseTo(24.08, 12);
    expect(winsorized(0, 100)).toEqual(MPG);
  });
});

describe('the bounds', () => {
  const catalog = new ColumnCatalog(surveyOf(question('number', 'x', [], { decimals: 2 })));
  const datasetOf = (...extra: ResponseRow[]) => {
    const complete = Array.from({ length: 11 }, (_, index) => response(index + 1, { x: index * 10 }));
    return Dataset.ofRows(catalog, [...complete, ...extra], ['x']);
  };
  const build = (dataset: Dataset, definition: object) =>
    buildColumn(dataset, { kind: 'winsorize', source: 'x', ...definition }, NUMBER_FORM);
  const percentiles = { lower: 10, upper: 90 };

  test('come from the complete responses, and limit responses of every status', () => {
    const dataset = datasetOf(
      response(12, { x: 1_000 }, { status: 'partial' }),
      response(13, { x: -5 }, { isDeleted: true }),
      response(14, { x: null }),
    );
    const column = build(dataset, { percentiles });
    // quantile(0:10 * 10, c(.1, .9), type = 7)
    expect(cells(dataset, column)).toEqual([10, 10, 20, 30, 40, 50, 60, 70, 80, 90, 90, 90, 10, null]);
    expect(column.missing(13)).toBe(SKIPPED);
  });

  test('follow the data unless they are frozen', () => {
    const dataset = datasetOf(response(12, { x: 1_000 }));
    // quantile(c(0:10 * 10, 1000), c(.1, .9), type = 7)
    expect(cells(dataset, build(dataset, { percentiles })).slice(-2)).toEqual([99, 99]);
    const frozen = { lower: 10, upper: 90 };
    expect(cells(dataset, build(dataset, { percentiles, frozen })).slice(-2)).toEqual([90, 90]);
  });

  test('can be fixed on one side or both', () => {
    const dataset = datasetOf();
    const both = cells(dataset, build(dataset, { frozen: { lower: 25, upper: 75 } }));
    expect(both).toEqual([25, 25, 25, 30, 40, 50, 60, 70, 75, 75, 75]);
    const upperOnly = cells(dataset, build(dataset, { frozen: { lower: null, upper: 15 } }));
    expect(upperOnly).toEqual([0, 10, ...Array<number>(9).fill(15)]);
  });

  test('do not exist without a number in a complete response', () => {
    const dataset = Dataset.ofRows(catalog, [response(1, { x: 3 }, { status: 'partial' })], ['x']);
    const column = build(dataset, { percentiles });
    expect(all(dataset).map((row) => column.missing(row))).toEqual([NOT_APPLICABLE]);
    expect(() => transformed(dataset, { kind: 'winsorize', percentiles, frozen: true }, 'x')).toThrow(
      'x has no number yet among the complete responses',
    );
  });
});
