import { unprocessable, unprocessableField } from '../../../lib/errors.ts';
import type { CatalogColumn } from '../../dataset/column-catalog.ts';
import {
  type BinaryColumn,
  type Column,
  MISSING_SLOTS,
  NOT_SHOWN,
  type NumericColumn,
  PRESENT,
  type TextColumn,
} from '../../columns/columns.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { Base } from '../base.ts';
import { countsByReason, countStates } from '../count-choices.ts';
import { countSmallIntegers } from '../tally.ts';
import {
  type Axis,
  type AxisCategory,
  type AxisValue,
  codingAt,
  type Coding,
  columnCodesOf,
  combineCodings,
  createMultipleChoiceAxis,
  createSingleChoiceAxis,
  MAX_CODING_SIZE,
  type Net,
  type Region,
  type ValueIndices,
} from './axis.ts';
import { createIntervalAxis, createPeriodAxis } from './grouped-axis.ts';
import { MAX_OBSERVED } from './table.ts';

/** The values of a column and the index of each row's value. */
interface IndexedValues extends ValueIndices {
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
    const number = typeof value === 'number' ? value : null;
    return { code: number, value: String(value), number, label: String(value), missing: false };
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
  known.forEach(({ number }) => positions.indexOf(number ?? NaN));
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
  known.forEach(({ number }, position) => {
    if (number !== null && indexOf[number] === -1) indexOf[number] = position;
  });
  const listed = [...known];
  smallIntegerCounts.forEach((count, number) => {
    if (count === 0 || indexOf[number]! >= 0) return;
    indexOf[number] = listed.length;
    const text = String(number);
    listed.push({ code: number, value: text, number, label: text, missing: false });
  });
  if (listed.length > known.length + MAX_OBSERVED) return null;
  // The missing states come first.
  const counts = new Float64Array(MISSING_SLOTS + listed.length);
  const groups = countStates(states, { mask, weights: null, withoutWeight: 0 });
  for (const { reason, count } of countsByReason(groups)) counts[MISSING_SLOTS - reason] = count;
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

/** Every coding is an Int16 per response. */
const MAX_CODINGS = 60;

const MAX_NESTED_CATEGORIES = 5_000;

/** Nests every category of `inner` within every category of `outer`. The base are the respondents in both bases. */
export function nestAxes(outer: Axis, inner: Axis, rowCount: number): Axis {
  const names = [...columnCodesOf(outer), ...columnCodesOf(inner)].join(' > ');
  const categories = outer.categories.length * inner.categories.length;
  if (categories > MAX_NESTED_CATEGORIES)
    throw tooLarge(
      `${names} nested has ${categories} categories; at most ${MAX_NESTED_CATEGORIES} are nested`,
    );
  const codings: Coding[] = [];
  const combined = new Map<string, number>();
  const regionOf = (out: Region, within: Region): Region => {
    const key = `${out.coding} ${within.coding}`;
    const [first, second] = [codingAt(outer, out.coding), codingAt(inner, within.coding)];
    let coding = combined.get(key);
    if (coding === undefined) {
      if (codings.length >= MAX_CODINGS || first.size * second.size > MAX_CODING_SIZE) {
        throw tooLarge(`${names} cannot be nested: together they have too many categories`);
      }
      coding = codings.push(combineCodings(first, second, rowCount)) - 1;
      combined.set(key, coding);
    }
    const slots = out.slots.flatMap((slot) => within.slots.map((inside) => slot * second.size + inside));
    return { coding, slots };
  };
  const base = regionOf(outer.base, inner.base);
  return {
    specs: [...outer.specs, ...inner.specs],
    base,
    categories: outer.categories.flatMap((out, index) =>
      inner.categories.map((within): AxisCategory => ({
        steps: [...out.steps, ...within.steps],
        region: regionOf(out.region, within.region),
        missing: out.missing || within.missing,
        isNet: out.isNet || within.isNet,
        // Compares the categories of the innermost variable within the same outer category.
        family: within.family === null ? null : index,
        overlapFamily: within.overlapFamily == null || out.isNet ? null : index,
      })),
    ),
    codings,
    overlaps: outer.overlaps || inner.overlaps,
    hasMean: false,
  };
}

function tooLarge(message: string) {
  return unprocessable('crosstab_too_large', message);
}

interface AxisSettings {
  base: Base;
  nets: readonly Net[];
  /** 1 for every counted row. Columns without a value list use the values found there. */
  mask: Uint8Array;
  /** The path of the variable in the request. */
  field: string;
  /** Amounts and dates are grouped in at most this many groups. Default: they are refused. */
  maxGroups?: number | undefined;
}

/**
 * Whether the column is a number with amounts instead of categories, so that it has means. Labels of missing codes alone do not make
 * categories.
 */
export function isMeasure({ spec }: CatalogColumn): boolean {
  return spec.type === 'number' && spec.measure !== 'nominal' && spec.values.every(({ missing }) => missing);
}

function notCategorical({ spec }: CatalogColumn, field: string, reason: string) {
  const message = `${spec.columnCode} is of type ${spec.type}: ${reason}, so it cannot make rows or columns of a table`;
  return unprocessableField('no_categories', field, message);
}

/** 0 and 1 of one option of a multiple choice. */
function binaryIndices({ source, option, states }: BinaryColumn, rowCount: number): Int16Array {
  const { words, wordsPerRow } = source;
  const present = PRESENT;
  const indices = new Int16Array(rowCount);
  const shift = option & 31;
  let word = option >>> 5;
  for (let row = 0; row < rowCount; row++, word += wordsPerRow) {
    const state = states[row]!;
    indices[row] = state === present ? (words[word]! >>> shift) & 1 : -state;
  }
  return indices;
}

/** The labeled values of a number. The ranks of a ranking are as many as its options. */
function knownValues({ spec, origin }: CatalogColumn): AxisValue[] {
  if (spec.type !== 'rank' || origin.kind !== 'question') return [...spec.values];
  return origin.questionColumns.question.options.map((_, index) => {
    const rank = String(index + 1);
    return { code: index + 1, value: rank, number: index + 1, label: rank, missing: false };
  });
}

function numberValues(
  entry: CatalogColumn,
  column: NumericColumn,
  { mask, field, maxGroups }: AxisSettings,
): IndexedValues {
  if (isMeasure(entry) && maxGroups === undefined)
    throw notCategorical(entry, field, 'bin it first (transform/bin)');
  const observed = observeNumbers(column, knownValues(entry), mask);
  if (observed === null) throw notCategorical(entry, field, 'it has too many different values; bin it first');
  return observed;
}

/** Creates the axis of a variable. Throws 422 for a variable without categories. `isNested`: the axis will be nested with another one. */
export function createVariableAxis(
  dataset: Dataset,
  entry: CatalogColumn,
  isNested: boolean,
  settings: AxisSettings,
): Axis {
  const column: Column = dataset.column(entry);
  const { spec } = column;
  const { base, mask, field, maxGroups } = settings;
  const nets = settings.nets.filter(({ columnCode }) => columnCode === spec.columnCode);
  const groups = maxGroups === undefined ? null : { base, nets, mask, maxGroups };
  switch (column.kind) {
    case 'categorical': {
      const { indices } = column;
      if (!(indices instanceof Int16Array)) throw notCategorical(entry, field, 'it has too many categories');
      return createSingleChoiceAxis(spec, spec.values, { indices }, { nets, base });
    }
    case 'binary':
      return createSingleChoiceAxis(
        spec,
        spec.values,
        { indices: binaryIndices(column, mask.length) },
        { nets, base },
      );
    case 'multiple':
      return createMultipleChoiceAxis(column, mask.length, { nets, base, apart: isNested });
    case 'numeric': {
      const intervals = groups === null || !isMeasure(entry) ? null : createIntervalAxis(column, groups);
      if (intervals !== null) return intervals;
      const observed = numberValues(entry, column, settings);
      return createSingleChoiceAxis(spec, observed.values, observed, { nets, base });
    }
    case 'text': {
      // System values such as a language are categories; texts written by respondents are not.
      const observed = spec.source === 'metadata' ? observeTexts(column, mask) : null;
      if (observed === null) {
        const reason =
          spec.source === 'metadata' ? 'it has too many different values' : 'it has no categories';
        throw notCategorical(entry, field, reason);
      }
      return createSingleChoiceAxis(spec, observed.values, observed, { nets, base });
    }
    case 'date': {
      if (groups !== null) return createPeriodAxis(column, groups);
      throw notCategorical(
        entry,
        field,
        'it has no categories; make periods of it first (a computed column)',
      );
    }
  }
}

/** Returns a mask of the rows in the base of at least one of the columns. Yields after each pass over the responses. */
export function* unionBaseMask(
  dataset: Dataset,
  entries: readonly CatalogColumn[],
  { base, mask, field }: { base: Base; mask: Uint8Array; field: string },
): Generator<void, Uint8Array> {
  const found = new Uint8Array(mask.length);
  for (const entry of entries) {
    const column = dataset.column(entry);
    if (column.kind === 'numeric') {
      addNumbersInBase(found, column, base);
      yield;
      continue;
    }
    const axis = createVariableAxis(dataset, entry, false, { base, nets: [], mask, field });
    const { indices, offset, size } = codingAt(axis, axis.base.coding);
    const slots = new Uint8Array(size);
    for (const slot of axis.base.slots) slots[slot] = 1;
    for (let row = 0; row < mask.length; row++) found[row]! |= slots[indices[row]! + offset]!;
    yield;
  }
  for (let row = 0; row < mask.length; row++) found[row]! &= mask[row]!;
  return found;
}

/** Marks the rows in the base of a number, which needs no categories for that. */
function addNumbersInBase(found: Uint8Array, { states }: NumericColumn, base: Base): void {
  for (let row = 0; row < found.length; row++) {
    const state = states[row]!;
    if (base === 'all' || state === PRESENT || (base === 'shown' && state !== NOT_SHOWN)) found[row] = 1;
  }
}
