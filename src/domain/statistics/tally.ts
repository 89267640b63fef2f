import type { CountedRows } from './base.ts';

/**
 * The distinct values of a variable, ascending, with their counts. All descriptive statistics (mean, standard deviation, quantiles,
 * categories) are computed from it, so half a million rows are read once and need no sorting if there are few distinct values.
 */
export interface Tally {
  values: Float64Array;
  /** Rows with that value. */
  counts: Float64Array;
  /** Σw and Σw² per value. Without weights both equal the counts. */
  weights: Float64Array;
  squaredWeights: Float64Array;
}

/** Integers from -32768 to 32767 are counted in an array that fits a processor's L2 cache. */
const SLOTS = 65_536;
const ZERO_SLOT = SLOTS / 2;

function createTally(values: ArrayLike<number>, counts: ArrayLike<number>): Tally {
  const unweighted = Float64Array.from(counts);
  return {
    values: Float64Array.from(values),
    counts: unweighted,
    weights: unweighted,
    squaredWeights: unweighted,
  };
}

/** Tallies the values (NaN is missing) of the counted rows. */
export function tallyNumbers(values: Float64Array, rows: CountedRows): Tally {
  const smallIntegerCounts = rows.weights === null ? countSmallIntegers(values, rows.mask) : null;
  if (smallIntegerCounts !== null) return tallySmallIntegers(smallIntegerCounts);
  return tallyIntegers(values, rows) ?? tallySorted(values, rows);
}

/** Scale answers and ages: integers from 0 to 255. */
const SMALL_INTEGERS = 256;

/**
 * Counts the rows with each of the integers 0 to 255. Returns null if there are other values (NaN is missing). Counts four rows at a time
 * in separate tables: adjacent rows often have equal values, and additions to the same cell would have to wait for each other.
 */
export function countSmallIntegers(values: Float64Array, mask: Uint8Array): Uint32Array | null {
  const size = SMALL_INTEGERS;
  const tables = new Uint32Array(4 * size);
  const end = mask.length - (mask.length % 4);
  for (let row = 0; row < end; row += 4) {
    const first = values[row]!;
    const second = values[row + 1]!;
    const third = values[row + 2]!;
    const fourth = values[row + 3]!;
    const a = first | 0;
    const b = second | 0;
    const c = third | 0;
    const d = fourth | 0;
    if (a === first && b === second && c === third && d === fourth && (a | b | c | d) >>> 0 < size) {
      tables[a]! += mask[row]!;
      tables[b + size]! += mask[row + 1]!;
      tables[c + 2 * size]! += mask[row + 2]!;
      tables[d + 3 * size]! += mask[row + 3]!;
    } else if (!countOneByOne(values, mask, row, row + 4, tables)) return null;
  }
  if (!countOneByOne(values, mask, end, mask.length, tables)) return null;
  const counts = tables.slice(0, size);
  for (let slot = size; slot < tables.length; slot++) counts[slot % size]! += tables[slot]!;
  return counts;
}

/** Returns false if a counted row has another value. */
function countOneByOne(
  values: Float64Array,
  mask: Uint8Array,
  from: number,
  to: number,
  counts: Uint32Array,
): boolean {
  const size = SMALL_INTEGERS;
  for (let row = from; row < to; row++) {
    const value = values[row]!;
    const integer = value | 0;
    if (integer === value && integer >= 0 && integer < size) counts[integer]! += mask[row]!;
    else if (mask[row] !== 0 && !Number.isNaN(value)) return false;
  }
  return true;
}

function tallySmallIntegers(counts: Uint32Array): Tally {
  const found: number[] = [];
  counts.forEach((count, value) => count > 0 && found.push(value));
  return createTally(
    found,
    found.map((value) => counts[value]!),
  );
}

/** Returns null if there are values other than 16-bit integers. */
function tallyIntegers(values: Float64Array, { mask, weights }: CountedRows): Tally | null {
  const counts = new Uint32Array(SLOTS);
  const sums = weights ? new Float64Array(SLOTS) : null;
  const squares = weights ? new Float64Array(SLOTS) : null;
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    const integer = value | 0;
    const slot = (integer + ZERO_SLOT) | 0;
    if (integer !== value || slot < 0 || slot >= SLOTS) {
      if (mask[row] === 0 || Number.isNaN(value)) continue;
      return null;
    }
    counts[slot]! += mask[row]!;
    if (weights) {
      const weight = weights[row]!;
      sums![slot]! += weight;
      squares![slot]! += weight * weight;
    }
  }
  const found: number[] = [];
  for (let slot = 0; slot < SLOTS; slot++) if (counts[slot] !== 0) found.push(slot);
  const pick = (from: ArrayLike<number>) => Float64Array.from(found, (slot) => from[slot]!);
  const picked = pick(counts);
  return {
    values: Float64Array.from(found, (slot) => slot - ZERO_SLOT),
    counts: picked,
    weights: sums ? pick(sums) : picked,
    squaredWeights: squares ? pick(squares) : picked,
  };
}

/** For arbitrary values: sorts once, then finds the value of each row's weight by binary search. */
function tallySorted(values: Float64Array, { mask, weights }: CountedRows): Tally {
  const sorted = new Float64Array(mask.length);
  let size = 0;
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    // -0 becomes 0: both are one value.
    sorted[size++] = value + 0;
  }
  const present = sorted.subarray(0, size).sort();
  const distinct = new Float64Array(size);
  const counts = new Float64Array(size);
  let last = -1;
  for (let position = 0; position < size; position++) {
    if (last < 0 || present[position] !== distinct[last]) distinct[++last] = present[position]!;
    counts[last]!++;
  }
  const tally = createTally(distinct.subarray(0, last + 1), counts.subarray(0, last + 1));
  return weights ? addTallyWeights(tally, values, mask, weights) : tally;
}

function addTallyWeights(tally: Tally, values: Float64Array, mask: Uint8Array, weights: Float64Array): Tally {
  const sums = new Float64Array(tally.values.length);
  const squares = new Float64Array(tally.values.length);
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    let low = 0;
    let high = tally.values.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (tally.values[middle]! < value) low = middle + 1;
      else high = middle;
    }
    const weight = weights[row]!;
    sums[low]! += weight;
    squares[low]! += weight * weight;
  }
  return { ...tally, weights: sums, squaredWeights: squares };
}
