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

/**
 * Two rows of a coding or mask at a time: half the memory accesses. Both views have the same row in the low half of an element, the first
 * on little-endian processors and the second on others.
 */
const viewPairs = ({ indices }: Coding): Int32Array =>
  new Int32Array(indices.buffer, indices.byteOffset, indices.length >>> 1);
const viewMaskPairs = (mask: Uint8Array): Uint16Array =>
  new Uint16Array(mask.buffer, mask.byteOffset, mask.length >>> 1);
const LOW_ROW = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 0 : 1;

/** Adding the mask instead of testing it avoids branches. */
function countUnweighted(rows: Coding, columns: Coding, mask: Uint8Array, slots: number): Crossing {
  const { indices: rowIndices } = rows;
  const { indices: columnIndices, size } = columns;
  const [rowPairs, columnPairs, maskPairs] = [viewPairs(rows), viewPairs(columns), viewMaskPairs(mask)];
  const tables = slots <= MAX_SIDE_BY_SIDE ? 4 : 1;
  const counts = new Uint32Array(tables * slots);
  const first = rows.offset * size + columns.offset;
  const second = first + (1 % tables) * slots;
  const third = first + (2 % tables) * slots;
  const fourth = first + (3 % tables) * slots;
  const end = mask.length - (mask.length % 4);
  for (let pair = 0; pair < end >>> 1; pair += 2) {
    const row = rowPairs[pair]!;
    const nextRow = rowPairs[pair + 1]!;
    const column = columnPairs[pair]!;
    const nextColumn = columnPairs[pair + 1]!;
    const counting = maskPairs[pair]!;
    const nextCounting = maskPairs[pair + 1]!;
    // `<< 16 >> 16` is the low half with its sign, `>> 16` the high half.
    counts[Math.imul((row << 16) >> 16, size) + ((column << 16) >> 16) + first]! += counting & 1;
    counts[Math.imul(row >> 16, size) + (column >> 16) + second]! += counting >>> 8;
    counts[Math.imul((nextRow << 16) >> 16, size) + ((nextColumn << 16) >> 16) + third]! += nextCounting & 1;
    counts[Math.imul(nextRow >> 16, size) + (nextColumn >> 16) + fourth]! += nextCounting >>> 8;
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
  const [rowPairs, columnPairs, maskPairs] = [viewPairs(rows), viewPairs(columns), viewMaskPairs(mask)];
  const tables = slots <= MAX_SIDE_BY_SIDE ? 2 : 1;
  // The count, Σw and Σw² of a slot are adjacent, on one cache line; the fourth number is unused.
  const sums = new Float64Array(4 * tables * slots);
  const first = rows.offset * size + columns.offset;
  const second = first + (tables - 1) * slots;
  const lowRow = LOW_ROW;
  const highRow = 1 - lowRow;
  for (let pair = 0; pair < maskPairs.length; pair++) {
    const row = rowPairs[pair]!;
    const column = columnPairs[pair]!;
    const counting = maskPairs[pair]!;
    const lowWeight = weights[2 * pair + lowRow]!;
    const highWeight = weights[2 * pair + highRow]!;
    const low = counting & +(lowWeight > 0);
    const high = (counting >>> 8) & +(highWeight > 0);
    const lowAdded = (lowWeight > 0 ? lowWeight : 0) * low;
    const highAdded = (highWeight > 0 ? highWeight : 0) * high;
    const lowSlot = (Math.imul((row << 16) >> 16, size) + ((column << 16) >> 16) + first) << 2;
    const highSlot = (Math.imul(row >> 16, size) + (column >> 16) + second) << 2;
    sums[lowSlot]! += low;
    sums[lowSlot + 1]! += lowAdded;
    sums[lowSlot + 2]! += lowAdded * lowAdded;
    sums[highSlot]! += high;
    sums[highSlot + 1]! += highAdded;
    sums[highSlot + 2]! += highAdded * highAdded;
  }
  for (let row = 2 * maskPairs.length; row < mask.length; row++) {
    const weight = weights[row]!;
    if (mask[row] === 0 || !(weight > 0)) continue;
    const slot = (Math.imul(rowIndices[row]!, size) + columnIndices[row]! + first) << 2;
    sums[slot]! += 1;
    sums[slot + 1]! += weight;
    sums[slot + 2]! += weight * weight;
  }
  const crossing = {
    columnSize: size,
    counts: new Float64Array(slots),
    weights: new Float64Array(slots),
    squares: new Float64Array(slots),
  };
  for (let at = 0; at < tables * slots; at++) {
    const slot = at % slots;
    crossing.counts[slot]! += sums[4 * at]!;
    crossing.weights[slot]! += sums[4 * at + 1]!;
    crossing.squares[slot]! += sums[4 * at + 2]!;
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

/** The number of rows in the mask that are not counted because they have no positive weight. */
export function countRowsWithoutWeight({ mask, weights }: TableRows): number {
  let without = 0;
  if (weights !== null)
    for (let row = 0; row < mask.length; row++) if (!(weights[row]! > 0)) without += mask[row]!;
  return without;
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
