import { describe, expect, it, test } from 'vitest';
import { randomNumbers } from '../../../../src/lib/seeded-random.ts';
import type { Cell } from '../../../../src/domain/columns/column-spec.ts';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { ALL_RESPONSES, selectRows } from '../../../../src/domain/dataset/filter/select-rows.ts';
import { listResponseIds, sortResponseIds } from '../../../../src/domain/dataset/sort-rows.ts';
import { runToCompletion } from '../../../../src/lib/concurrency.ts';
import { everyType, response } from './survey-fixture.ts';

/** More than two steps of the sort, and not a multiple of one. */
const ROWS = 10_001;
const catalog = new ColumnCatalog(everyType);
const CODES = ['Q1', 'region', 'Q2_33', 'Q5', 'age', 'Q9'];

/** Ids are not in the order of rows; about a third of the cells are missing. */
function randomDataset(): Dataset {
  const random = randomNumbers(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const answers = {
      Q1: pick(['1', '2', '-99']),
      region: pick(['north', 'South', 'west']),
      Q2: pick([['1'], ['33'], ['1', '33', '40']]),
      Q5: pick(['zebra', 'Äpfel', 'apple', 'Apple', '😀', '￿']),
      age: Math.round(random() * 900) / 10,
      Q9: pick(['2024-02-29', '2025-12-31', '2026-01-01']),
    };
    const given = Object.entries(answers).filter(() => random() > 0.3);
    return response(((index * 7_919) % ROWS) + 1, Object.fromEntries(given));
  });
  return Dataset.ofRows(catalog, rows, new Set(['Q1', 'region', 'Q2', 'Q5', 'age', 'Q9']));
}

const dataset = randomDataset();
const mask = selectRows(dataset, ALL_RESPONSES);

/** The position of a cell among the sorted values. */
function rank(code: string, cell: Cell): number | string {
  const entry = catalog.find(code)!;
  if (typeof cell !== 'string' || entry.spec.values.length === 0) return cell as number | string;
  return entry.spec.values.findIndex(({ value }) => value === cell);
}

/** By the definition: sorts all rows with one comparison. */
function naivelySorted(code: string, descending: boolean): number[] {
  const column = dataset.column(catalog.find(code)!);
  const rows = Array.from({ length: ROWS }, (_, row) => ({
    id: dataset.responseIds[row]!,
    cell: column.cell(row),
  }));
  const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0);
  return rows
    .sort((a, b) => {
      if (a.cell === null || b.cell === null)
        return Number(a.cell === null) - Number(b.cell === null) || a.id - b.id;
      const order = compare(rank(code, a.cell), rank(code, b.cell));
      return (descending ? -order : order) || a.id - b.id;
    })
    .map(({ id }) => id);
}

describe('responses ordered by a column', () => {
  test.each(CODES.flatMap((code) => [[code, false] as const, [code, true] as const]))(
    '%s, descending: %s',
    (code, descending) => {
      const column = catalog.find(code)!;
      const sorted = runToCompletion(sortResponseIds(dataset, mask, { column, descending }));
      expect(Array.from(sorted)).toEqual(naivelySorted(code, descending));
    },
  );

  it('leave out responses that do not count', () => {
    const few = new Uint8Array(mask.length);
    few.set([1, 0, 1, 1]);
    const column = catalog.find('age')!;
    const sorted = runToCompletion(sortResponseIds(dataset, few, { column, descending: false }));
    expect(Array.from(sorted).sort()).toEqual([0, 2, 3].map((row) => dataset.responseIds[row]!).sort());
  });

  it('are sorted in many short steps', () => {
    const work = sortResponseIds(dataset, mask, { column: catalog.find('Q5')!, descending: false });
    let steps = 0;
    while (work.next().done !== true) steps += 1;
    expect(steps).toBeGreaterThan(2 * Math.floor(ROWS / 4_096));
  });
});

it('responses without an order are listed by id', () => {
  expect(Array.from(listResponseIds(dataset, mask))).toEqual(
    Array.from({ length: ROWS }, (_, index) => index + 1),
  );
});
