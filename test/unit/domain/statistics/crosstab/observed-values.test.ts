import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  NOT_APPLICABLE,
  NOT_SHOWN,
  NumericColumn,
  MISSING_SLOTS,
  SKIPPED,
  STATE_OF_NO_ANSWER,
} from '../../../../../src/domain/columns/columns.ts';
import { observeNumbers } from '../../../../../src/domain/statistics/crosstab/variable-axis.ts';

const spec = { values: [] } as never;
const known = [3, 1].map((code) => ({
  code,
  value: String(code),
  number: code,
  label: `${code}`,
  missing: false,
}));

const REASONS = {
  skipped: SKIPPED,
  'not shown': NOT_SHOWN,
  'not applicable': NOT_APPLICABLE,
  refused: STATE_OF_NO_ANSWER.refused,
} as const;

/** A number, or the reason why it is missing, and whether the row is counted. */
const few = fc.oneof(
  fc.integer({ min: 0, max: 6 }),
  fc.constantFrom('skipped', 'not shown', 'not applicable', 'refused'),
);
const many = fc.oneof(few, fc.constantFrom(0.1 + 0.2, 0.3, -4, 1_000));

test('every counted row has the index of its value, and counts match the indices', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.tuple(few, fc.boolean())), fc.array(fc.tuple(many, fc.boolean()))),
      (rows) => {
        const column = new NumericColumn(spec, rows.length);
        rows.forEach(([cell], row) => {
          if (typeof cell === 'number') column.set(row, cell);
          else column.setMissing(row, REASONS[cell]);
        });
        const mask = Uint8Array.from(rows, ([, counts]) => +counts);
        const { values, indices, counted } = observeNumbers(column, known, mask)!;
        expect(values.slice(0, 2)).toEqual(known);
        const codes = values.slice(2).map(({ code }) => code!);
        expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
        const counts = new Float64Array(MISSING_SLOTS + values.length);
        rows.forEach(([cell, isCounted], row) => {
          if (!isCounted) return;
          const index = indices[row]!;
          if (typeof cell === 'number') expect(values[index]!.code).toBeCloseTo(cell, 12);
          else expect(index).toBe(-REASONS[cell]);
          counts[index + MISSING_SLOTS]! += 1;
        });
        // Only known values can have no counted rows.
        expect([...counts.slice(MISSING_SLOTS + known.length)].every((count) => count > 0)).toBe(true);
        if (counted !== undefined) expect([...counted.counts]).toEqual([...counts]);
      },
    ),
  );
});

test('counts small integers without computing indices, and other values by index', () => {
  const columnOf = (value: number) => {
    const column = new NumericColumn(spec, 1);
    column.set(0, value);
    return column;
  };
  const mask = Uint8Array.of(1);
  expect(observeNumbers(columnOf(3), known, mask)!.counted!.mask).toBe(mask);
  expect(observeNumbers(columnOf(3.5), known, mask)!.counted).toBeUndefined();
});
