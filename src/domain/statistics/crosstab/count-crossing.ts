import type { Count } from '../base.ts';
import { countIndices } from '../count-choices.ts';
import type { Coding, Region } from './axis.ts';

/** The rows of a table: 1 or 0 per row, and a weight for each. A row without a positive weight is not counted. */
export interface TableRows {
  mask: Uint8Array;
  /** By row, NaN where missing; null: unweighted. */
  weights: Float64Array | null;
}

/** Counts of each pair of slots of two codings: counts, Σw and Σw² at `row slot * columnSize + column slot`. */
interface Crossing {
  columnSize: number;
  counts: Float64Array;
  weights: Float64Array;
  squares: Float64Array;
}

/**
 * Up to this many slots, several rows are counted in parallel tables: adjacent rows often have the same slot and would have to wait for
 * each other.
 */
const MAX_SIDE_BY_SIDE = 4_096;

/** Counts in one pass over all rows. Codings and weights are at least as long as the mask. */
export function countCrossing(rows: Coding, columns: Coding, { mask, weights }: TableRows): Crossing {
  if (weights === null && columns.size === 1) return countSingleCoding(rows, mask);
  const slots = rows.size * columns.size;
  return weights === null
    ? countUnweighted(rows, columns, mask, slots)
    : countWeighted(rows, columns, mask, weights, slots);
}

/** Counts a single coding, unless its counts are already known. */
function countSingleCoding(rows: Coding, mask: Uint8Array): Crossing {
  const { counted, size, offset } = rows;
  if (counted?.mask === mask) return asSingleCoding(counted.counts);
  const counts = new Uint32Array(size);
  countIndices(rows.indices, mask, offset, counts);
  return asSingleCoding(Float64Array.from(counts));
}

const asSingleCoding = (counts: Float64Array): Crossing => {
  return { columnSize: 1, counts, weights: counts, squares: counts };
};

/** Adding the mask instead of testing it avoids branches. */
function countUnweighted(rows: Coding, columns: Coding, mask: Uint8Array, slots: number): Crossing {
  const { indices: rowIndices } = rows;
  const { indices: columnIndices, size } = columns;
  const tables = slots <= MAX_SIDE_BY_SIDE ? 4 : 1;
  const counts = new Uint32Array(tables * slots);
  const first = rows.offset * size + columns.offset;
  const second = first + (1 % tables) * slots;
  const third = first + (2 % tables) * slots;
  const fourth = first + (3 % tables) * slots;
  const end = mask.length - (mask.length % 4);
  for (let row = 0; row < end; row += 4) {
    counts[Math.imul(rowIndices[row]!, size) + columnIndices[row]! + first]! += mask[row]!;
    counts[Math.imul(rowIndices[row + 1]!, size) + columnIndices[row + 1]! + second]! += mask[row + 1]!;
    counts[Math.imul(rowIndices[row + 2]!, size) + columnIndices[row + 2]! + third]! += mask[row + 2]!;
    counts[Math.imul(rowIndices[row + 3]!, size) + columnIndices[row + 3]! + fourth]! += mask[row + 3]!;
  }
  for (let row = end; row < mask.length; row++) {
    counts[Math.imul(rowIndices[row]!, size) + columnIndices[row]! + first]! += mask[row]!;
  }
  const summed = new Float64Array(slots);
  for (let slot = 0; slot < counts.length; slot++) summed[slot % slots]! += counts[slot]!;
  return { columnSize: size, counts: summed, weights: summed, squares: summed };
}

/** A row that is not counted adds 0; testing it would be slower if half of the rows are counted. */
function countWeighted(
  rows: Coding,
  columns: Coding,
  mask: Uint8Array,
  weights: Float64Array,
  slots: number,
): Crossing {
  const { indices: rowIndices } = rows;
  const { indices: columnIndices, size } = columns;
  const tables = slots <= MAX_SIDE_BY_SIDE ? 2 : 1;
  const counts = new Uint32Array(tables * slots);
  // Σw and Σw² of a slot are adjacent, on one cache line.
  const sums = new Float64Array(2 * tables * slots);
  const first = rows.offset * size + columns.offset;
  const second = first + (tables - 1) * slots;
  const end = mask.length - (mask.length % 2);
  for (let row = 0; row < end; row += 2) {
    const rowWeight = weights[row]!;
    const counting = mask[row]! & +(rowWeight > 0);
    const weight = (rowWeight > 0 ? rowWeight : 0) * counting;
    const slot = Math.imul(rowIndices[row]!, size) + columnIndices[row]! + first;
    counts[slot]! += counting;
    sums[2 * slot]! += weight;
    sums[2 * slot + 1]! += weight * weight;
    const nextRowWeight = weights[row + 1]!;
    const nextCounting = mask[row + 1]! & +(nextRowWeight > 0);
    const nextWeight = (nextRowWeight > 0 ? nextRowWeight : 0) * nextCounting;
    const nextSlot = Math.imul(rowIndices[row + 1]!, size) + columnIndices[row + 1]! + second;
    counts[nextSlot]! += nextCounting;
    sums[2 * nextSlot]! += nextWeight;
    sums[2 * nextSlot + 1]! += nextWeight * nextWeight;
  }
  for (let row = end; row < mask.length; row++) {
    const weight = weights[row]!;
    if (mask[row] === 0 || !(weight > 0)) continue;
    const slot = Math.imul(rowIndices[row]!, size) + columnIndices[row]! + first;
    counts[slot]! += 1;
    sums[2 * slot]! += weight;
    sums[2 * slot + 1]! += weight * weight;
  }
  const crossing = {
    columnSize: size,
    counts: new Float64Array(slots),
    weights: new Float64Array(slots),
    squares: new Float64Array(slots),
  };
  for (let at = 0; at < counts.length; at++) {
    const slot = at % slots;
    crossing.counts[slot]! += counts[at]!;
    crossing.weights[slot]! += sums[2 * at]!;
    crossing.squares[slot]! += sums[2 * at + 1]!;
  }
  return crossing;
}

/** The total of a crossing. */
export function totalCount({ counts }: Crossing): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The number of counted rows. */
export function countTableRows({ mask, weights }: TableRows): number {
  let counting = 0;
  for (let row = 0; row < mask.length; row++) {
    if (weights === null || weights[row]! > 0) counting += mask[row]!;
  }
  return counting;
}

/** Sums the rows of a region by column slot. */
export function sumRegionRows(crossing: Crossing, { slots }: Region): Crossing {
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

/** The count of a single-row crossing in a region of the columns. */
export function countInRegion({ counts, weights, squares }: Crossing, { slots }: Region): Count {
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
