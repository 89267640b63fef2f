import type { Count } from '../base.ts';
import type { Coding, Region } from './coding.ts';

/** The rows that a table looks at: 1 or 0 per row, and a weight for each; a row without a positive weight does not count. */
export interface TableRows {
  mask: Uint8Array;
  /** By row, NaN where there is none; null: every row counts as one. */
  weights: Float64Array | null;
}

/** How many rows fall on each two slots of two codings: counts, Σw and Σw² at `row slot * columnSize + column slot`. */
export interface Crossing {
  columnSize: number;
  counts: Float64Array;
  weights: Float64Array;
  squares: Float64Array;
}

/** Up to so many slots several rows are counted side by side: neighbours often fall on one slot, and would wait for each other. */
const MAX_SIDE_BY_SIDE = 4_096;

export function countCrossing(rows: Coding, columns: Coding, { mask, weights }: TableRows): Crossing {
  const slots = rows.size * columns.size;
  return weights === null
    ? countUnweighted(rows, columns, mask, slots)
    : countWeighted(rows, columns, mask, weights, slots);
}

/** Adding the mask instead of asking it keeps the loop free of branches. */
function countUnweighted(rows: Coding, columns: Coding, mask: Uint8Array, slots: number): Crossing {
  const { indices: down } = rows;
  const { indices: across, size } = columns;
  const tables = slots <= MAX_SIDE_BY_SIDE ? 4 : 1;
  const counts = new Uint32Array(tables * slots);
  const first = rows.offset * size + columns.offset;
  const second = first + (1 % tables) * slots;
  const third = first + (2 % tables) * slots;
  const fourth = first + (3 % tables) * slots;
  const end = mask.length - (mask.length % 4);
  for (let row = 0; row < end; row += 4) {
    counts[Math.imul(down[row]!, size) + across[row]! + first]! += mask[row]!;
    counts[Math.imul(down[row + 1]!, size) + across[row + 1]! + second]! += mask[row + 1]!;
    counts[Math.imul(down[row + 2]!, size) + across[row + 2]! + third]! += mask[row + 2]!;
    counts[Math.imul(down[row + 3]!, size) + across[row + 3]! + fourth]! += mask[row + 3]!;
  }
  for (let row = end; row < mask.length; row++) {
    counts[Math.imul(down[row]!, size) + across[row]! + first]! += mask[row]!;
  }
  const summed = new Float64Array(slots);
  for (let slot = 0; slot < counts.length; slot++) summed[slot % slots]! += counts[slot]!;
  return { columnSize: size, counts: summed, weights: summed, squares: summed };
}

/** A slot's three sums and a fourth that stays empty: together they fill half a line of the processor's cache. */
const STRIDE = 4;

/** Rows that do not count go to a slot of their own, before all others, which is thrown away. */
function countWeighted(
  rows: Coding,
  columns: Coding,
  mask: Uint8Array,
  weights: Float64Array,
  slots: number,
): Crossing {
  const { indices: down } = rows;
  const { indices: across, size } = columns;
  const tables = slots <= MAX_SIDE_BY_SIDE ? 2 : 1;
  const length = (slots + 1) * STRIDE;
  const sums = new Float64Array(tables * length);
  const beside = (tables - 1) * length;
  const first = rows.offset * size + columns.offset + 1;
  const end = mask.length - (mask.length % 2);
  for (let row = 0; row < end; row += 2) {
    const weight = weights[row]!;
    const counting = mask[row]! & +(weight > 0);
    const at = Math.imul(Math.imul(down[row]!, size) + across[row]! + first, counting) * STRIDE;
    sums[at]! += 1;
    sums[at + 1]! += weight;
    sums[at + 2]! += weight * weight;
    const nextWeight = weights[row + 1]!;
    const nextCounting = mask[row + 1]! & +(nextWeight > 0);
    const nextSlot = Math.imul(Math.imul(down[row + 1]!, size) + across[row + 1]! + first, nextCounting);
    const next = nextSlot * STRIDE + beside;
    sums[next]! += 1;
    sums[next + 1]! += nextWeight;
    sums[next + 2]! += nextWeight * nextWeight;
  }
  for (let row = end; row < mask.length; row++) {
    const weight = weights[row]!;
    const counting = mask[row]! & +(weight > 0);
    const at = Math.imul(Math.imul(down[row]!, size) + across[row]! + first, counting) * STRIDE;
    sums[at]! += 1;
    sums[at + 1]! += weight;
    sums[at + 2]! += weight * weight;
  }
  const pick = (part: number) =>
    Float64Array.from({ length: slots }, (_, slot) => {
      let sum = 0;
      for (let table = 0; table < tables; table++) sum += sums[table * length + (slot + 1) * STRIDE + part]!;
      return sum;
    });
  return { columnSize: size, counts: pick(0), weights: pick(1), squares: pick(2) };
}

/** All that a crossing counted. */
export function countedIn({ counts }: Crossing): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The crossing's rows of a region, added up by column slot. */
export function slotsWithin(crossing: Crossing, { slots }: Region): Crossing {
  const { columnSize } = crossing;
  const add = (from: Float64Array) => {
    const sums = new Float64Array(columnSize);
    for (const slot of slots) {
      const start = slot * columnSize;
      for (let column = 0; column < columnSize; column++) sums[column]! += from[start + column]!;
    }
    return sums;
  };
  return {
    columnSize,
    counts: add(crossing.counts),
    weights: add(crossing.weights),
    squares: add(crossing.squares),
  };
}

/** What a crossing of one row holds in a region of the columns. */
export function countWithin({ counts, weights, squares }: Crossing, { slots }: Region): Count {
  let count = 0;
  let weight = 0;
  let squaredWeight = 0;
  for (const slot of slots) {
    count += counts[slot]!;
    weight += weights[slot]!;
    squaredWeight += squares[slot]!;
  }
  return { count, weight, squaredWeight };
}
