import { describe, expect, test } from 'vitest';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { isIdentifier } from '../../../../src/domain/insights/variables.ts';
import { testMeans } from '../../../../src/domain/insights/difference.ts';
import type { MeanFigure } from '../../../../src/domain/statistics/moments.ts';
import { question, response, surveyOf } from '../dataset/survey-fixture.ts';

function isIdentifierOf(code: string, values: readonly number[]): boolean {
  const catalog = new ColumnCatalog(surveyOf(question('number', code, [], { decimals: 2 })));
  const entry = catalog.find(code);
  if (entry === undefined) throw new Error(`no column ${code}`);
  const rows = values.map((value, index) => response(index + 1, { [code]: value }));
  const dataset = Dataset.ofRows(catalog, rows, [code]);
  const column = dataset.column(entry);
  if (column.kind !== 'numeric') throw new Error(`${code} is ${column.kind}`);
  return isIdentifier(entry, column.values, new Uint8Array(values.length).fill(1));
}
const count = (size: number, of: (index: number) => number) =>
  Array.from({ length: size }, (_, index) => of(index));

describe('a number that is an identifier is not analyzed', () => {
  test.each<[string, string, number[], boolean]>([
    ['counts up', 'Q7', count(40, (index) => 1_001 + index), true],
    [
      'counts up with gaps, in any order',
      'Q7',
      count(40, (index) => 500 - index - Math.floor(index / 3)),
      true,
    ],
    ['has the code id', 'id', [5, 5, 7], true],
    ['has a code that ends with _id', 'panel_id', [5, 5, 7], true],
    ['repeats', 'age', count(40, (index) => 20 + (index % 30)), false],
    ['is spread widely', 'income', count(40, (index) => 1_000 + index * 137), false],
    ['has decimals', 'score', count(40, (index) => index + 0.5), false],
    ['has few answers', 'Q7', [1, 2, 3], false],
  ])('a number that %s: %s', (_, code, values, expected) =>
    expect(isIdentifierOf(code, values)).toBe(expected),
  );
});

test('groups whose values are equal but for rounding have no effect size', () => {
  const constant = (mean: number): MeanFigure => ({
    count: 50,
    weighted_count: null,
    effective_base: 50,
    mean,
    sd: 1e-16 * mean,
    se: 1e-17 * mean,
  });
  expect(testMeans([constant(3), constant(5)], ['a', 'b'])?.d).toBe(0);
});
