import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ColumnSpec } from '../../../../../src/domain/columns/column-spec.ts';
import {
  createColumn,
  NOT_APPLICABLE,
  NOT_SHOWN,
  SKIPPED,
  type StoredColumn,
} from '../../../../../src/domain/columns/columns.ts';
import {
  decodeColumns,
  decodeIds,
  decodeStates,
  encodeColumns,
  encodeIds,
  encodeStates,
  columnLayout,
  MalformedSegment,
} from '../../../../../src/domain/dataset/segment-codec.ts';

const OPTIONS = 40;
const spec = (type: ColumnSpec['type']): ColumnSpec => ({
  columnCode: `a_${type}`,
  label: 'A column',
  questionId: null,
  type,
  measure: 'nominal',
  source: 'question',
  values: Array.from({ length: OPTIONS }, (_, index) => {
    return {
      code: index + 1,
      value: `v${index}`,
      number: index + 1,
      label: `Value ${index}`,
      missing: false,
    };
  }),
  editable: false,
  retired: false,
  precision: type === 'date' ? 'datetime' : null,
});
const TYPES = ['categorical', 'multiple', 'number', 'date', 'text'] as const;
const columns = (capacity: number): StoredColumn[] => TYPES.map((type) => createColumn(spec(type), capacity));

const number = fc.oneof(
  fc.integer({ min: -200, max: 200 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const cells = {
  categorical: fc.nat(OPTIONS - 1).map((index) => `v${index}`),
  multiple: fc.uniqueArray(fc.nat(OPTIONS - 1)).map((indices) => indices.map((index) => `v${index}`)),
  number,
  date: fc.integer({ min: -8e14, max: 8e14 }),
  text: fc.string({ unit: 'grapheme', minLength: 1 }),
};
const row = fc.tuple(
  ...TYPES.map((type) =>
    fc.oneof(
      { weight: 4, arbitrary: cells[type] as fc.Arbitrary<string | number | string[]> },
      {
        weight: 1,
        arbitrary: fc.constantFrom(SKIPPED, NOT_SHOWN, NOT_APPLICABLE).map((reason) => ({ reason })),
      },
    ),
  ),
);

function filled(rows: readonly unknown[][], capacity: number): StoredColumn[] {
  const storedColumns = columns(capacity);
  rows.forEach((values, at) =>
    values.forEach((value, index) => {
      const column = storedColumns[index]!;
      if (typeof value === 'object' && value !== null && 'reason' in value)
        column.setMissing(at, value.reason as typeof SKIPPED);
      else column.set(at, value as string);
    }),
  );
  return storedColumns;
}

const seen = (of: readonly StoredColumn[], from: number, to: number) =>
  of.map((column) =>
    Array.from({ length: to - from }, (_, index) => [
      column.cell(from + index),
      column.missing(from + index),
    ]),
  );

describe('encoded columns', () => {
  it('decode to the encoded values at any offset', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), fc.nat(20), fc.nat(20), (rows, at, from) => {
        const written = filled(rows, rows.length);
        const first = Math.min(from, rows.length);
        const count = rows.length - first;
        const read = columns(at + count + 3);
        // A view into a larger buffer, as read from a file or database.
        const bytes = Buffer.from(encodeColumns(written, first, rows.length));
        decodeColumns(read, at, count, bytes);
        expect(seen(read, at, at + count)).toEqual(seen(written, first, rows.length));
        // The surrounding rows are unchanged.
        for (const column of read) {
          expect(column.missing(at + count)).toBe(NOT_SHOWN);
          if (at > 0) expect(column.missing(at - 1)).toBe(NOT_SHOWN);
        }
      }),
    );
  });

  it('preserve every number exactly', () => {
    const [, , numbers] = filled(
      [-0, 127, 128, -128, -129, 32_768, 2 ** 31, 0.1, 1e300].map((value) => ['v0', [], value, 0, 'a']),
      9,
    );
    const read = createColumn(spec('number'), 9);
    decodeColumns([read], 0, 9, encodeColumns([numbers!], 0, 9));
    expect((read as { values: Float64Array }).values).toEqual((numbers as { values: Float64Array }).values);
  });

  it('are rejected if truncated, extended or for other columns', () => {
    const bytes = encodeColumns(filled([['v1', ['v2'], 3, 4, 'five']], 1), 0, 1);
    const refused = (given: Uint8Array, count = 1) =>
      expect(() => decodeColumns(columns(10), 0, count, given)).toThrow(MalformedSegment);
    for (let length = 0; length < bytes.length; length += 1) refused(bytes.subarray(0, length));
    refused(Uint8Array.from([...bytes, 0]));
    refused(bytes, 2);
  });

  it('distinguish different options, option orders and types', () => {
    const layout = columnLayout(columns(0));
    expect(columnLayout(columns(100))).toBe(layout);
    const less = createColumn({ ...spec('categorical'), values: spec('categorical').values.slice(1) }, 0);
    const turned = createColumn(
      { ...spec('categorical'), values: spec('categorical').values.toReversed() },
      0,
    );
    const layouts = [
      [less],
      [turned],
      [createColumn(spec('categorical'), 0)],
      [createColumn(spec('text'), 0)],
    ];
    expect(new Set(layouts.map(columnLayout)).size).toBe(4);
  });
});

describe('encoded ids', () => {
  const again = (ids: Float64Array) => {
    const decoded = new Float64Array(ids.length);
    decodeIds(encodeIds(ids), decoded);
    return decoded;
  };

  it('decode to the encoded ids', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(2 ** 40)), (some) => {
        const ids = Float64Array.from(some).sort();
        expect(again(ids)).toEqual(ids);
      }),
    );
  });

  it('need almost no space for consecutive ids', () => {
    const ids = Float64Array.from({ length: 10_000 }, (_, row) => 700_000 + row);
    expect(again(ids)).toEqual(ids);
    expect(encodeIds(ids).length).toBeLessThan(40);
  });
});

describe('encoded states', () => {
  it('decode to the encoded states, uniform or mixed', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fc.nat(15)),
          fc.tuple(fc.nat(15), fc.nat(50)).map(([state, count]) => new Array<number>(count).fill(state)),
        ),
        (some) => {
          const states = Uint8Array.from(some);
          const decoded = new Uint8Array(states.length);
          decodeStates(encodeStates(states), decoded);
          expect(decoded).toEqual(states);
        },
      ),
    );
  });

  it('are rejected if truncated', () => {
    const bytes = encodeStates(Uint8Array.of(1, 2, 3));
    expect(() => decodeStates(bytes.subarray(0, bytes.length - 1), new Uint8Array(3))).toThrow(
      MalformedSegment,
    );
    expect(() => decodeStates(bytes, new Uint8Array(4))).toThrow(MalformedSegment);
  });
});
