import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allocateCells,
  type CellOccupancy,
  type QuotaMatch,
} from '../../../../src/domain/quota/allocate-cells.ts';
import type { Quota, QuotaCell, QuotaMode } from '../../../../src/domain/quota/quota.ts';

const NO_CONDITIONS = { connector: 'and' as const, conditions: [] };
const cell = (cellId: number, target: number | null): QuotaCell => ({
  cellId,
  label: `Cell ${cellId}`,
  condition: NO_CONDITIONS,
  target,
});
const quota = (mode: QuotaMode, cells: QuotaCell[]): Quota => ({
  quotaId: cells[0]!.cellId,
  name: 'A quota',
  mode,
  cells,
});
/** A response that matches the first cells and possibly the others. */
const fit = (mode: QuotaMode, cells: QuotaCell[], certain = cells.length): QuotaMatch => ({
  quota: quota(mode, cells),
  cells: cells.slice(0, certain),
  possibleCells: cells.slice(certain),
});
const taken = (...cells: [number, number, number?][]): Map<number, CellOccupancy> =>
  new Map(cells.map(([cellId, completed, pending = 0]) => [cellId, { completed, pending }]));
const NO_CELLS = new Set<number>();

describe('a response that matches several cells', () => {
  const cells = [cell(1, 10), cell(2, 20), cell(3, null)];

  test.each<[string, Map<number, CellOccupancy>, number]>([
    ['counts in the first of equally filled cells', taken(), 1],
    ['counts in the cell with the smaller share of its target', taken([1, 3], [2, 4]), 2],
    ['considers reservations of other responses', taken([1, 0, 5], [2, 4, 0]), 2],
    [
      'counts in the cell without a target if the others are over theirs',
      taken([1, 11], [2, 21], [3, 50]),
      3,
    ],
    ['counts in a cell with a target before one without', taken([1, 9], [2, 19]), 1],
  ])('%s', (_, counts, expected) => {
    expect(
      allocateCells({ fits: [fit('soft', cells)], reservedIds: NO_CELLS, occupancy: counts, end: 'open' }),
    ).toEqual({
      isOver: false,
      cellIds: [expected],
    });
  });

  test('skips a full cell', () => {
    expect(
      allocateCells({
        fits: [fit('hard', [cell(1, 1), cell(2, 2)])],
        reservedIds: NO_CELLS,
        occupancy: taken([1, 1], [2, 1]),
        end: 'open',
      }),
    ).toEqual({
      isOver: false,
      cellIds: [2],
    });
  });

  test('keeps its reserved cell even if others are less filled', () => {
    expect(
      allocateCells({
        fits: [fit('hard', cells)],
        reservedIds: new Set([1]),
        occupancy: taken([1, 9, 1]),
        end: 'open',
      }),
    ).toEqual({
      isOver: false,
      cellIds: [1],
    });
  });
});

describe('a full hard quota', () => {
  const full = taken([1, 5], [2, 3, 2]);

  test('rejects a response and records its nearest cell', () => {
    expect(
      allocateCells({
        fits: [fit('hard', [cell(1, 5)])],
        reservedIds: NO_CELLS,
        occupancy: full,
        end: 'open',
      }),
    ).toEqual({
      isOver: true,
      cellIds: [1],
    });
  });

  test('waits for answers that may still match another cell', () => {
    expect(
      allocateCells({
        fits: [fit('hard', [cell(1, 5), cell(9, 5)], 1)],
        reservedIds: NO_CELLS,
        occupancy: full,
        end: 'open',
      }),
    ).toEqual({
      isOver: false,
      cellIds: [],
    });
  });

  test('releases the cells of the other quotas', () => {
    const fits = [fit('hard', [cell(7, 5)]), fit('hard', [cell(1, 5)]), fit('soft', [cell(8, 5)])];
    expect(allocateCells({ fits, reservedIds: NO_CELLS, occupancy: full, end: 'open' })).toEqual({
      isOver: true,
      cellIds: [1],
    });
  });

  test('keeps a counted response beyond its target', () => {
    expect(
      allocateCells({
        fits: [fit('hard', [cell(1, 5)])],
        reservedIds: NO_CELLS,
        occupancy: full,
        end: 'counted',
      }),
    ).toEqual({
      isOver: false,
      cellIds: [1],
    });
  });

  test('completes a response with a reservation, but not beyond a lowered target', () => {
    const [reservedIds, fits] = [new Set([2]), [fit('hard', [cell(2, 5)])]];
    expect(allocateCells({ fits, reservedIds, occupancy: taken([2, 4, 1]), end: 'complete' })).toEqual({
      isOver: false,
      cellIds: [2],
    });
    expect(allocateCells({ fits, reservedIds, occupancy: taken([2, 5, 1]), end: 'open' })).toEqual({
      isOver: false,
      cellIds: [2],
    });
    expect(allocateCells({ fits, reservedIds, occupancy: taken([2, 5, 1]), end: 'complete' })).toEqual({
      isOver: true,
      cellIds: [2],
    });
  });

  test('ignores a response that matches none of its cells', () => {
    expect(
      allocateCells({
        fits: [fit('hard', [cell(1, 5)], 0)],
        reservedIds: NO_CELLS,
        occupancy: full,
        end: 'open',
      }).isOver,
    ).toBe(false);
    expect(
      allocateCells({
        fits: [{ ...fit('hard', [cell(1, 5)], 0), possibleCells: [] }],
        reservedIds: NO_CELLS,
        occupancy: full,
        end: 'complete',
      }),
    ).toEqual({
      isOver: false,
      cellIds: [],
    });
  });
});

test.each(['soft', 'counter'] as const)('a %s quota never rejects a response', (mode) => {
  expect(
    allocateCells({
      fits: [fit(mode, [cell(1, 5)])],
      reservedIds: NO_CELLS,
      occupancy: taken([1, 50]),
      end: 'complete',
    }),
  ).toEqual({
    isOver: false,
    cellIds: [1],
  });
});

test('no order of starts, moves and ends exceeds a hard target or rejects a response while capacity is free', () => {
  const targets = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 });
  const arrivals = fc.array(
    fc.record({ fits: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }), completes: fc.boolean() }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(targets, arrivals, (wanted, people) => {
      const cells = wanted.map((target, index) => cell(index, target));
      const counts = new Map<number, CellOccupancy>(
        cells.map(({ cellId }) => [cellId, { completed: 0, pending: 0 }]),
      );
      for (const { fits, completes } of people) {
        const theirs = cells.filter(({ cellId }) => fits.includes(cellId));
        const given = allocateCells({
          fits: [{ quota: quota('hard', cells), cells: theirs, possibleCells: [] }],
          reservedIds: NO_CELLS,
          occupancy: counts,
          end: completes ? 'complete' : 'open',
        });
        const room = theirs.some(
          ({ cellId, target }) => counts.get(cellId)!.completed + counts.get(cellId)!.pending < target!,
        );
        expect(given.isOver).toBe(theirs.length > 0 && !room);
        if (given.isOver) continue;
        for (const id of given.cellIds) counts.get(id)![completes ? 'completed' : 'pending'] += 1;
      }
      for (const { cellId, target } of cells) {
        const { completed, pending } = counts.get(cellId)!;
        expect(completed + pending).toBeLessThanOrEqual(target!);
      }
    }),
  );
});
