import {
  type BinaryColumn,
  type CategoricalColumn,
  type Column,
  MISSING_SLOTS,
  type MissingReason,
  type MultipleColumn,
  PRESENT,
  type TextColumn,
} from '../../columns/columns.ts';
import type { DateSpan } from '../../columns/dates.ts';

/**
 * Filter loops. Each removes from a mask (1 counts, 0 does not) the rows that its column rejects, over `mask.length` rows. Missing cells
 * never pass. Imported constants are copied to locals: reading an import binding in each iteration doubles the time of a short loop.
 */

/** `accepted[k]` is 1 where option k is accepted. */
export function narrowCategorical(column: CategoricalColumn, accepted: Uint8Array, mask: Uint8Array): void {
  const { indices } = column;
  // The missing reasons, which are negative, come first, so that each row needs one lookup and no branch.
  const offset = MISSING_SLOTS;
  const table = new Uint8Array(offset + accepted.length);
  table.set(accepted, offset);
  for (let row = 0; row < mask.length; row++) mask[row]! &= table[indices[row]! + offset]!;
}

/** Keeps zeros, ones, or both. */
export function narrowBinary(
  column: BinaryColumn,
  acceptsZero: boolean,
  acceptsOne: boolean,
  mask: Uint8Array,
): void {
  const { states } = column;
  const { words, wordsPerRow } = column.source;
  const table = Uint8Array.of(Number(acceptsZero), Number(acceptsOne));
  const present = PRESENT;
  const shift = column.option & 31;
  let word = column.option >>> 5;
  for (let row = 0; row < mask.length; row++) {
    mask[row]! &= states[row] === present ? table[(words[word]! >>> shift) & 1]! : 0;
    word += wordsPerRow;
  }
}

/** Required relation between chosen and wanted options. */
export type SetRelation = 'any' | 'none' | 'all' | 'exactly' | 'not_exactly';

/** `options` are indexes in the column's values, `states` by row. */
export function narrowMultiple(
  column: MultipleColumn,
  states: Uint8Array,
  { relation, options }: { relation: SetRelation; options: readonly number[] },
  mask: Uint8Array,
): void {
  const { words, wordsPerRow } = column;
  const present = PRESENT;
  const wanted = column.wordsWith(options);
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0) continue;
    let some = 0;
    let absentWanted = 0;
    let unwanted = 0;
    for (let word = 0; word < wordsPerRow; word++) {
      const chosen = words[row * wordsPerRow + word]!;
      some |= chosen & wanted[word]!;
      absentWanted |= wanted[word]! & ~chosen;
      unwanted |= chosen & ~wanted[word]!;
    }
    if (states[row] !== present || !matchesRelation(relation, some, absentWanted, unwanted)) mask[row] = 0;
  }
}

function matchesRelation(
  relation: SetRelation,
  some: number,
  absentWanted: number,
  unwanted: number,
): boolean {
  switch (relation) {
    case 'any':
      return some !== 0;
    case 'none':
      return some === 0;
    case 'all':
      return absentWanted === 0;
    case 'exactly':
      return absentWanted === 0 && unwanted === 0;
    case 'not_exactly':
      return absentWanted !== 0 || unwanted !== 0;
  }
}

/** Keeps values from `first` to `last`, inclusive. Branch-free arithmetic takes a quarter of the time, four rows at once a quarter less. */
export function narrowToSpan(values: Float64Array, { first, last }: DateSpan, mask: Uint8Array): void {
  const end = mask.length - (mask.length % 4);
  for (let row = 0; row < end; row += 4) {
    const a = values[row]!;
    const b = values[row + 1]!;
    const c = values[row + 2]!;
    const d = values[row + 3]!;
    mask[row]! &= +(a >= first) & +(a <= last);
    mask[row + 1]! &= +(b >= first) & +(b <= last);
    mask[row + 2]! &= +(c >= first) & +(c <= last);
    mask[row + 3]! &= +(d >= first) & +(d <= last);
  }
  for (let row = end; row < mask.length; row++) {
    const value = values[row]!;
    mask[row]! &= +(value >= first) & +(value <= last);
  }
}

/** A list of integers in a range no wider than this becomes a table. */
const MAX_TABLE = 65_536;

/** Keeps values that lie in one of the spans, or in none of them. */
export function narrowToSpans(
  values: Float64Array,
  spans: readonly DateSpan[],
  wanted: 'in' | 'outside',
  mask: Uint8Array,
): void {
  const keep = wanted === 'in';
  const points = spans.filter(({ first, last }) => first === last).map(({ first }) => first);
  const wide = spans.filter(({ first, last }) => first !== last);
  const min = Math.min(...points);
  const size = Math.max(...points) - min + 1;
  if (wide.length === 0 && size <= MAX_TABLE && points.every(Number.isInteger)) {
    const table = new Uint8Array(size);
    for (const point of points) table[point - min] = 1;
    return narrowToTable(values, table, min, keep, mask);
  }
  const known = new Set(points);
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0) continue;
    const value = values[row]!;
    const inside = known.has(value) || wide.some(({ first, last }) => value >= first && value <= last);
    if (Number.isNaN(value) || inside !== keep) mask[row] = 0;
  }
}

/** `table[k]` is 1 where the value `min + k` is listed. */
function narrowToTable(
  values: Float64Array,
  table: Uint8Array,
  min: number,
  keep: boolean,
  mask: Uint8Array,
): void {
  const size = table.length;
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    const slot = (value - min) | 0;
    const inside = slot >= 0 && slot < size && slot + min === value && table[slot] === 1;
    if (inside !== keep || Number.isNaN(value)) mask[row] = 0;
  }
}

/** Keeps values above `bound`. */
export function narrowToAbove(values: Float64Array, bound: number, mask: Uint8Array): void {
  for (let row = 0; row < mask.length; row++) mask[row]! &= +(values[row]! > bound);
}

/** Keeps values below `bound`. */
export function narrowToBelow(values: Float64Array, bound: number, mask: Uint8Array): void {
  for (let row = 0; row < mask.length; row++) mask[row]! &= +(values[row]! < bound);
}

/** `accepts` receives each non-missing text in lower case. */
export function narrowText(column: TextColumn, accepts: (folded: string) => boolean, mask: Uint8Array): void {
  const { texts } = column;
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0) continue;
    const text = texts[row];
    if (text === null || text === undefined || !accepts(text.toLowerCase())) mask[row] = 0;
  }
}

/** Keeps rows with a value, or rows without one. */
export function narrowToPresent(column: Column, wanted: 'present' | 'missing', mask: Uint8Array): void {
  const keep = Number(wanted === 'present');
  if (column.kind === 'categorical') {
    const { indices } = column;
    for (let row = 0; row < mask.length; row++) if (Number(indices[row]! >= 0) !== keep) mask[row] = 0;
    return;
  }
  const present = PRESENT;
  const { states } = column;
  for (let row = 0; row < mask.length; row++) if (Number(states[row] === present) !== keep) mask[row] = 0;
}

/** Keeps rows in which the cell is missing for one of these reasons. */
export function narrowToStates(column: Column, reasons: readonly MissingReason[], mask: Uint8Array): void {
  const table = new Uint8Array(1 + MISSING_SLOTS);
  for (const reason of reasons) table[reason] = 1;
  if (column.kind === 'categorical') {
    const { indices } = column;
    for (let row = 0; row < mask.length; row++) mask[row]! &= table[Math.max(0, -indices[row]!)]!;
    return;
  }
  const { states } = column;
  for (let row = 0; row < mask.length; row++) mask[row]! &= table[states[row]!]!;
}

/** Adds the rows of another mask. */
export function addRows(mask: Uint8Array, others: Uint8Array): void {
  for (let row = 0; row < mask.length; row++) mask[row]! |= others[row]!;
}
