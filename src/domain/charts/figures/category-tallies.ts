import { selectCountedRows } from '../../statistics/base.ts';
import type { Coding, Region } from '../../statistics/crosstab/axis.ts';
import { countCrossing, sumRegionRows, type TableRows } from '../../statistics/crosstab/count-crossing.ts';
import { type Tally, tallyNumbers } from '../../statistics/tally.ts';

/** Whole numbers within a range this wide are counted by crossing; other values are sorted. */
const MAX_RANGE = 512;

/** Tallies the values (by row, NaN if missing) of the counted rows in a region. */
type RegionTally = (region: Region) => Tally;

/**
 * Tallies the values in each category. Passes over the responses once per coding, whatever the number of categories. Yields after each
 * pass.
 */
export function* tallyCategories(
  values: Float64Array,
  codings: readonly Coding[],
  regions: readonly Region[],
  counting: TableRows,
): Generator<void, Tally[]> {
  if (codings.every(({ size }) => size === 1)) {
    const { mask, weights } = counting;
    const all = tallyNumbers(values, selectCountedRows(mask, weights));
    return regions.map(() => all);
  }
  const coded = codeValues(values, counting.mask);
  yield;
  const within = new Map<number, RegionTally>();
  for (const { coding } of regions) {
    if (within.has(coding)) continue;
    const slots = codings[coding]!;
    within.set(
      coding,
      coded === null ? tallyBySorting(values, slots, counting) : tallyByCrossing(coded, slots, counting),
    );
    yield;
  }
  return regions.map((region) => within.get(region.coding)!(region));
}

interface CodedValues {
  coding: Coding;
  /** The value that slot 1 represents; slot 0 is missing. */
  least: number;
}

/** Returns null if the values are not whole numbers or their range is too wide. */
function codeValues(values: Float64Array, mask: Uint8Array): CodedValues | null {
  let [least, greatest] = [Infinity, -Infinity];
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    if ((value | 0) !== value) return null;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  if (greatest < least)
    return { coding: { indices: new Int16Array(mask.length), offset: 0, size: 1 }, least: 0 };
  if (greatest - least >= MAX_RANGE) return null;
  const indices = new Int16Array(mask.length);
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    // Rows that are not counted may hold any value.
    indices[row] = value >= least && value <= greatest && (value | 0) === value ? value - least + 1 : 0;
  }
  return { coding: { indices, offset: 0, size: greatest - least + 2 }, least };
}

function tallyByCrossing({ coding, least }: CodedValues, slots: Coding, counting: TableRows): RegionTally {
  const crossing = countCrossing(slots, coding, counting);
  return (region) => {
    const { counts, weights, squares } = sumRegionRows(crossing, region);
    const found: number[] = [];
    for (let slot = 1; slot < counts.length; slot++) if (counts[slot]! > 0) found.push(slot);
    const pick = (from: Float64Array) => Float64Array.from(found, (slot) => from[slot]!);
    return {
      values: Float64Array.from(found, (slot) => least + slot - 1),
      counts: pick(counts),
      weights: pick(weights),
      squaredWeights: pick(squares),
    };
  };
}

/** Sorts the values by slot and tallies the slots of a region. */
function tallyBySorting(
  values: Float64Array,
  { indices, offset, size }: Coding,
  { mask, weights }: TableRows,
): RegionTally {
  const counts = (row: number) =>
    mask[row] !== 0 && !Number.isNaN(values[row]!) && (weights === null || weights[row]! > 0);
  const ends = new Uint32Array(size + 1);
  for (let row = 0; row < mask.length; row++) if (counts(row)) ends[indices[row]! + offset + 1]!++;
  for (let slot = 0; slot < size; slot++) ends[slot + 1]! += ends[slot]!;
  const next = ends.slice(0, size);
  const sorted = new Float64Array(ends[size]!);
  const sortedWeights = weights === null ? null : new Float64Array(ends[size]!);
  for (let row = 0; row < mask.length; row++) {
    if (!counts(row)) continue;
    const index = next[indices[row]! + offset]!++;
    sorted[index] = values[row]!;
    if (sortedWeights) sortedWeights[index] = weights![row]!;
  }
  return ({ slots }) => {
    const join = (from: Float64Array) => {
      const parts = slots.map((slot) => from.subarray(ends[slot], ends[slot + 1]));
      const joined = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
      let at = 0;
      for (const part of parts) {
        joined.set(part, at);
        at += part.length;
      }
      return joined;
    };
    const all = join(sorted);
    const rows = { mask: new Uint8Array(all.length).fill(1), withoutWeight: 0 };
    return tallyNumbers(all, { ...rows, weights: sortedWeights && join(sortedWeights) });
  };
}

/**
 * The largest contribution of one respondent to a sum, in percent of all others together. Returns Infinity if the others contribute
 * nothing, and null if there are no contributions. Contributions are absolute values times weights. Among respondents with the same
 * value, the largest weight is bounded by the mean and spread of their weights (P. A. Samuelson, "How deviant can you be?", JASA 63, 1968).
 */
export function largestContribution({ values, counts, weights, squaredWeights }: Tally): number | null {
  let [largest, all] = [0, 0];
  for (let index = 0; index < values.length; index++) {
    const count = counts[index]!;
    if (!(count > 0)) continue;
    const size = Math.abs(values[index]!);
    const mean = weights[index]! / count;
    const spread = Math.max(0, squaredWeights[index]! / count - mean * mean);
    largest = Math.max(largest, size * (mean + Math.sqrt((count - 1) * spread)));
    all += size * weights[index]!;
  }
  if (largest === 0) return null;
  const others = all - largest;
  return others > 0 ? (100 * largest) / others : Infinity;
}
