import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chooseSuppressedCounts,
  type CountSum,
  findSuppressedCounts,
} from '../../../../src/domain/charts/disclosure/protection.ts';
import { isDerived } from './is-derived.ts';

const MIN = 5;

/** A total and its parts, the total first. */
function lineOf(...parts: number[]) {
  const counts = [parts.reduce((sum, part) => sum + part, 0), ...parts];
  return { counts, sums: [{ total: 0, parts: parts.map((_, index) => index + 1) }] };
}

const hiddenOf = ({ counts, sums }: ReturnType<typeof lineOf>) =>
  [...findSuppressedCounts(counts, sums, { minBase: MIN })].sort((a, b) => a - b);

describe('suppression in a total and its parts', () => {
  test.each([
    ['with no small part', [10, 20, 30], []],
    ['with an empty part', [10, 0, 30], []],
    ['with one small part also suppresses the next smallest', [3, 20, 10], [1, 3]],
    ['with two parts that are small together suppresses a third', [1, 2, 20, 10], [1, 2, 4]],
    ['with two parts that are large enough together suppresses no third', [3, 4, 20], [1, 2]],
    ['suppresses all if no other part exists', [3, 10], [1, 2]],
    ['suppresses a small total too', [3, 0], [0, 1]],
  ])('%s', (_, parts, hidden) => {
    expect(hiddenOf(lineOf(...parts))).toEqual(hidden);
  });
});

const small = fc.constantFrom(0, 0, 1, 2, 3, 4, 5, 6, 8, 12, 30);

describe('suppression in any table with margins', () => {
  const tables = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }))
    .chain(([height, width]) =>
      fc.array(fc.array(small, { minLength: width, maxLength: width }), {
        minLength: height,
        maxLength: height,
      }),
    );

  function margins(cells: number[][]) {
    const counts = cells.flat();
    const width = cells[0]!.length;
    const at = (row: number, column: number) => row * width + column;
    const add = (parts: number[]): CountSum => {
      return { total: counts.push(parts.reduce((sum, part) => sum + counts[part]!, 0)) - 1, parts };
    };
    const rows = cells.map((row, index) => add(row.map((_, column) => at(index, column))));
    const columns = cells[0]!.map((_, column) => add(cells.map((__, row) => at(row, column))));
    const whole = add(rows.map(({ total }) => total));
    return {
      counts,
      sums: [...rows, ...columns, whole, { ...whole, parts: columns.map(({ total }) => total) }],
    };
  }

  test('discloses no small group, and none can be derived', () => {
    fc.assert(
      fc.property(tables, (cells) => {
        const { counts, sums } = margins(cells);
        const hidden = findSuppressedCounts(counts, sums, { minBase: MIN });
        counts.forEach((count, position) => {
          if (count > 0 && count < MIN) expect(hidden.has(position)).toBe(true);
        });
        for (const position of hidden) expect(isDerived(position, sums, hidden)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  test('does not treat the unknown part of a disclosed total as a small group', () => {
    fc.assert(
      fc.property(tables, (cells) => {
        const { counts, sums } = margins(cells);
        const hidden = findSuppressedCounts(counts, sums, { minBase: MIN });
        for (const { total, parts } of sums) {
          if (hidden.has(total)) continue;
          const left = parts.filter((part) => hidden.has(part));
          const sum = left.reduce((added, part) => added + counts[part]!, 0);
          expect(left.length === 0 || (left.length >= 2 && sum >= MIN)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('suppresses nothing without a small group', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom(0, 5, 9, 40), { minLength: 3, maxLength: 3 }), {
          minLength: 2,
          maxLength: 5,
        }),
        (cells) => {
          const { counts, sums } = margins(cells);
          expect(findSuppressedCounts(counts, sums, { minBase: MIN }).size).toBe(0);
        },
      ),
    );
  });
});

test('is chosen in steps, between which other requests are served', () => {
  // 60 by 40 cells with their margins.
  const counts = Array.from({ length: 2_400 }, (_, i) => (i * 7) % 23);
  const line = (parts: number[]): CountSum => {
    return { total: counts.push(parts.reduce((sum, part) => sum + counts[part]!, 0)) - 1, parts };
  };
  const sums = [
    ...Array.from({ length: 60 }, (_, r) => line(Array.from({ length: 40 }, (__, c) => 40 * r + c))),
    ...Array.from({ length: 40 }, (_, c) => line(Array.from({ length: 60 }, (__, r) => 40 * r + c))),
  ];
  const work = chooseSuppressedCounts(counts, sums, { minBase: MIN });
  let steps = 0;
  while (work.next().done !== true) steps += 1;
  expect(steps).toBeGreaterThan(sums.length);
});
