import { MISSING_SLOTS, NOT_APPLICABLE, NOT_SHOWN, PRESENT, SKIPPED } from '../../dataset/columns/missing.ts';
import type { NumericColumn } from '../../dataset/columns/numeric-column.ts';
import type { TextColumn } from '../../dataset/columns/text-column.ts';
import { countStates } from '../count-choices.ts';
import { countSmallIntegers } from '../tally.ts';
import type { AxisValue, ValueIndices } from './axis.ts';
import { MAX_OBSERVED } from './limits.ts';

/** The values of a column and the index of each row's value. */
export interface IndexedValues extends ValueIndices {
  values: AxisValue[];
}

/** Removes floating-point error: 0.1 + 0.2 equals 0.3 to fifteen digits. */
const rounded = (value: number): number => Number(value.toPrecision(15));

const SMALL_INTEGERS = 32_768;

/** Indexes numbers. Small integers use an array, which is many times faster than a map. */
class NumberIndex {
  readonly numbers: number[] = [];
  /** Index + 1; 0 where there is none. */
  readonly small = new Int16Array(2 * SMALL_INTEGERS);
  readonly #largerNumbers = new Map<number, number>();

  indexOf(value: number): number {
    const integer = value | 0;
    const isSmall = integer === value && integer >= -SMALL_INTEGERS && integer < SMALL_INTEGERS;
    const position = isSmall
      ? this.small[integer + SMALL_INTEGERS]! - 1
      : this.#largerNumbers.get(rounded(value));
    if (position !== undefined && position >= 0) return position;
    const added = this.numbers.push(rounded(value)) - 1;
    if (isSmall) this.small[integer + SMALL_INTEGERS] = added + 1;
    else this.#largerNumbers.set(rounded(value), added);
    return added;
  }
}

/** Lists the `known` values first, then the other values found in the counted rows, ascending. */
function sorted<Value extends number | string>(
  known: readonly AxisValue[],
  found: readonly Value[],
  indices: Int16Array,
): IndexedValues {
  const order = found.map((_, index) => index).sort((a, b) => (found[a]! < found[b]! ? -1 : 1));
  const indexOf = new Int16Array(found.length);
  order.forEach((index, position) => (indexOf[index] = known.length + position));
  if (order.some((index, position) => index !== position)) {
    for (let row = 0; row < indices.length; row++) {
      const index = indices[row]! - known.length;
      if (index >= 0) indices[row] = indexOf[index]!;
    }
  }
  const added = order.map((index): AxisValue => {
    const value = found[index]!;
    const code = typeof value === 'number' ? value : null;
    return { code, value: String(value), label: String(value), missing: false };
  });
  return { values: [...known, ...added], indices };
}

/** Returns null if there are too many distinct numbers for categories. Reads the rows of the mask. */
export function observeNumbers(
  { values, states }: NumericColumn,
  known: readonly AxisValue[],
  mask: Uint8Array,
): IndexedValues | null {
  const smallIntegerCounts = countSmallIntegers(values, mask);
  if (smallIntegerCounts !== null)
    return observeSmallIntegers({ values, states }, smallIntegerCounts, known, mask);
  const positions = new NumberIndex();
  known.forEach(({ code }) => positions.indexOf(code ?? NaN));
  const half = SMALL_INTEGERS;
  const indices = new Int16Array(mask.length).fill(-NOT_SHOWN);
  const { small } = positions;
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0) continue;
    const value = values[row]!;
    // Nearly every row has a value that was seen before.
    const integer = value | 0;
    const met = integer === value && integer >= -half && integer < half ? small[integer + half]! : 0;
    if (met > 0) indices[row] = met - 1;
    else if (!Number.isNaN(value)) {
      const position = positions.indexOf(value);
      if (position >= known.length + MAX_OBSERVED) return null;
      indices[row] = position;
    } else indices[row] = -states[row]!;
  }
  return sorted(known, positions.numbers.slice(known.length), indices);
}

/** Uses small integers that were counted already. The index of each row is computed only when needed. */
function observeSmallIntegers(
  { values, states }: Pick<NumericColumn, 'values' | 'states'>,
  smallIntegerCounts: Uint32Array,
  known: readonly AxisValue[],
  mask: Uint8Array,
): IndexedValues | null {
  const indexOf = new Int16Array(smallIntegerCounts.length).fill(-1);
  known.forEach(({ code }, position) => {
    if (code !== null && indexOf[code] === -1) indexOf[code] = position;
  });
  const listed = [...known];
  smallIntegerCounts.forEach((count, number) => {
    if (count === 0 || indexOf[number]! >= 0) return;
    indexOf[number] = listed.length;
    listed.push({ code: number, value: String(number), label: String(number), missing: false });
  });
  if (listed.length > known.length + MAX_OBSERVED) return null;
  // The missing states come first.
  const counts = new Float64Array(MISSING_SLOTS + listed.length);
  const { skipped, notShown, notApplicable } = countStates(states, { mask, weights: null, withoutWeight: 0 });
  counts[MISSING_SLOTS - SKIPPED] = skipped.count;
  counts[MISSING_SLOTS - NOT_SHOWN] = notShown.count;
  counts[MISSING_SLOTS - NOT_APPLICABLE] = notApplicable.count;
  indexOf.forEach((position, number) => {
    if (position >= 0) counts[MISSING_SLOTS + position] = smallIntegerCounts[number]!;
  });
  let indices: Int16Array | null = null;
  return {
    values: listed,
    get indices() {
      return (indices ??= indexSmallIntegers({ values, states }, indexOf, mask.length));
    },
    counted: { mask, counts },
  };
}

/** Rows that are not counted may hold any value and get any index. */
function indexSmallIntegers(
  { values, states }: Pick<NumericColumn, 'values' | 'states'>,
  indexOf: Int16Array,
  rowCount: number,
): Int16Array {
  const indices = new Int16Array(rowCount);
  const [present, notShown, size] = [PRESENT, NOT_SHOWN, indexOf.length];
  for (let row = 0; row < rowCount; row++) {
    const value = values[row]!;
    const integer = value | 0;
    if (integer === value && integer >= 0 && integer < size) indices[row] = indexOf[integer]!;
    else indices[row] = states[row] === present ? -notShown : -states[row]!;
  }
  return indices;
}

/** Returns null if there are too many distinct texts for categories. Reads the rows of the mask. */
export function observeTexts({ texts, states }: TextColumn, mask: Uint8Array): IndexedValues | null {
  const positions = new Map<string, number>();
  const indices = new Int16Array(mask.length).fill(-NOT_SHOWN);
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0) continue;
    const text = texts[row];
    if (typeof text === 'string') {
      const position = positions.get(text) ?? positions.size;
      if (position >= MAX_OBSERVED) return null;
      if (position === positions.size) positions.set(text, position);
      indices[row] = position;
    } else indices[row] = -states[row]!;
  }
  return sorted([], [...positions.keys()], indices);
}
