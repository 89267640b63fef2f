import { expect, test } from 'vitest';
import { ColumnScan, DistinctBudget } from '../../../../src/domain/import/column-scan.ts';

test('columns share and release a budget for distinct values', () => {
  const budget = new DistinctBudget(10_000);
  const options = { isCsv: false, decimalComma: false, mayBeLists: false, timeZone: 'UTC', budget };
  const long = new ColumnScan(null, options);
  for (let i = 0; i < 10; i += 1) long.add(`${'a'.repeat(1_000)}${i}`);
  expect(long.distinct).toBeNull();
  const short = new ColumnScan(null, options);
  for (let i = 0; i < 50; i += 1) short.add(`${i % 5}`);
  expect(short.distinct?.size).toBe(5);
  expect(long.filled).toBe(10);
});
