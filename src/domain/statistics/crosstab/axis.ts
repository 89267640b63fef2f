import { quote, unknownValue } from '../../../lib/error-messages.ts';
import { invalidReference } from '../../../lib/errors.ts';
import type { ColumnSpec, ColumnValue } from '../../columns/column-spec.ts';
import { MISSING_SLOTS, type MultipleColumn, NOT_SHOWN, PRESENT } from '../../columns/columns.ts';
import { allowsMeans } from '../../columns/column-spec.ts';
import type { Base } from '../base.ts';

/** A value of a variable. Texts found in the data have no code and no number. */
export interface AxisValue extends Omit<ColumnValue, 'code' | 'number'> {
  code: number | null;
  number: number | null;
}

/** A category of one variable, or a net of several. */
interface CategoryStep {
  columnCode: string;
  /** Null for a net. */
  code: number | null;
  /** What means use; null for a net. */
  number: number | null;
  value: string | null;
  label: string;
  /** The values of a net. */
  values: readonly string[] | null;
}

/** One row or column of a table. */
export interface AxisCategory {
  /** One per nested variable, outermost first. */
  steps: readonly CategoryStep[];
  region: Region;
  /** Contains options flagged as missing. */
  missing: boolean;
  isNet: boolean;
  /** Categories of the same family share no respondents and can be compared; null: never compared. */
  family: number | null;
  /** Categories of the same family that may share respondents, such as options of a multiple choice. Absent or null: they share none, or are never compared. */
  overlapFamily?: number | null;
}

/** The rows or columns of a table: one variable, or several nested. */
export interface Axis {
  specs: readonly ColumnSpec[];
  codings: readonly Coding[];
  categories: readonly AxisCategory[];
  /** The base of the percents. */
  base: Region;
  /** Whether a respondent can be in several categories, even without nets. */
  overlaps: boolean;
  /** Whether the codes of the categories have a mean. */
  hasMean: boolean;
}

/** Returns the coding that a region refers to. */
export function codingAt({ codings }: Axis, index: number): Coding {
  const coding = codings[index];
  if (coding === undefined) throw new RangeError(`The axis has no coding ${index}`);
  return coding;
}

/** A requested net: several categories of a variable under one label. */
export interface Net {
  columnCode: string;
  label: string;
  values: readonly string[];
  /** The path of its values in the request. */
  field: string;
}

/** An axis without categories: all rows are in the base. */
export function emptyAxis(rowCount: number): Axis {
  return {
    specs: [],
    codings: [{ indices: new Int16Array(rowCount), offset: 0, size: 1 }],
    categories: [],
    base: { coding: 0, slots: [0] },
    overlaps: false,
    hasMean: false,
  };
}

/** The column codes of the axis variables, outermost first. */
export const columnCodesOf = ({ specs }: Pick<Axis, 'specs'>): string[] =>
  specs.map(({ columnCode }) => columnCode);

/** The indices of a net's values. Throws 400 for an unknown value. */
function resolveNetValues(net: Net, values: readonly AxisValue[]): number[] {
  const positions = net.values.map((wanted, index) => {
    const position = values.findIndex(({ value }) => value === wanted);
    if (position < 0) {
      const some = values.slice(0, 10).map(({ value }) => quote(value));
      const accepted = `${some.join(', ')}${values.length > some.length ? ', …' : ''}`;
      throw invalidReference(
        `${net.field}[${index}]`,
        unknownValue(wanted, `a value of ${net.columnCode}`, { accepted }),
      );
    }
    return position;
  });
  return [...new Set(positions)];
}

/** A value of a variable as the step of a category. */
function valueStep({ columnCode }: ColumnSpec, { code, value, number, label }: AxisValue): CategoryStep {
  return { columnCode, code, value, number, label, values: null };
}

/** A net as the step of a category. */
function netStep({ columnCode, label, values }: Net): CategoryStep {
  return { columnCode, code: null, value: null, number: null, label, values };
}

/** The index of each row's value; negative where missing, as in CategoricalColumn. */
export type ValueIndices = Pick<Coding, 'indices' | 'counted'>;

/** The axis of a variable with one of `values` per row. Values flagged as missing are categories only if the base includes them. */
export function createSingleChoiceAxis(
  spec: ColumnSpec,
  values: readonly AxisValue[],
  positions: ValueIndices,
  { nets, base }: { nets: readonly Net[]; base: Base },
): Axis {
  // The missing states come first.
  const offset = MISSING_SLOTS;
  const size = offset + values.length;
  const listed = values.flatMap((each, position): AxisCategory[] => {
    if (each.missing && base === 'answering') return [];
    return [
      {
        steps: [valueStep(spec, each)],
        region: { coding: 0, slots: [offset + position] },
        missing: each.missing,
        isNet: false,
        family: each.missing ? null : 0,
      },
    ];
  });
  const netted = nets.map((net): AxisCategory => {
    // Values outside the base are not part of the net.
    const positions = resolveNetValues(net, values).filter(
      (position) => base !== 'answering' || !values[position]!.missing,
    );
    return {
      steps: [netStep(net)],
      region: { coding: 0, slots: positions.map((position) => offset + position) },
      missing: positions.some((position) => values[position]!.missing),
      isNet: true,
      family: null,
    };
  });
  const all = Array.from({ length: size }, (_, slot) => slot);
  const inBase = {
    answering: all.filter((slot) => slot >= offset && !values[slot - offset]!.missing),
    shown: all.filter((slot) => slot !== offset - NOT_SHOWN),
    all,
  }[base];
  return {
    specs: [spec],
    codings: [createCoding(positions, offset, size)],
    categories: [...listed, ...netted],
    base: { coding: 0, slots: inBase },
    overlaps: false,
    hasMean: allowsMeans(spec) && values.length > 0,
  };
}

/** The slot of each row is computed only when needed. */
function createCoding(positions: ValueIndices, offset: number, size: number): Coding {
  return {
    get indices() {
      return positions.indices;
    },
    offset,
    size,
    counted: positions.counted,
  };
}

const BITS = 8;
/** The missing states precede the patterns of a byte. */
const PATTERN_OFFSET = MISSING_SLOTS;

/** Codes a row's answers to eight options at once, so that one pass counts them all. */
function byteCoding({ words, wordsPerRow, states }: MultipleColumn, byte: number, rowCount: number): Coding {
  const indices = new Int16Array(rowCount);
  const [present, before] = [PRESENT, PATTERN_OFFSET];
  const shift = (byte & 3) * BITS;
  let word = byte >>> 2;
  for (let row = 0; row < rowCount; row++, word += wordsPerRow) {
    const state = states[row]!;
    indices[row] = state === present ? ((words[word]! >>> shift) & 255) + before : before - state;
  }
  return { indices, offset: 0, size: PATTERN_OFFSET + 2 ** BITS };
}

/** 1 if a row has one of these options, else 0. */
function anyOfCoding(column: MultipleColumn, positions: readonly number[], rowCount: number): Coding {
  const { words, wordsPerRow, states } = column;
  const wanted = column.wordsWith(positions);
  const indices = new Int16Array(rowCount);
  const present = PRESENT;
  for (let row = 0; row < rowCount; row++) {
    let found = 0;
    for (let word = 0; word < wordsPerRow; word++) found |= words[row * wordsPerRow + word]! & wanted[word]!;
    indices[row] = states[row] === present && found !== 0 ? 1 : 0;
  }
  return { indices, offset: 0, size: 2 };
}

const [ONLY_MISSING, ANSWERING] = [MISSING_SLOTS, MISSING_SLOTS + 1];

/** The answer status of a row: missing states first, then only options flagged as missing, then answering. */
function stateCoding(column: MultipleColumn, rowCount: number): Coding {
  const { words, wordsPerRow, states } = column;
  const usable = column.usableWords;
  const indices = new Int16Array(rowCount);
  const [present, slots, onlyMissing, answering] = [PRESENT, MISSING_SLOTS, ONLY_MISSING, ANSWERING];
  for (let row = 0; row < rowCount; row++) {
    let chosen = 0;
    let used = 0;
    for (let word = 0; word < wordsPerRow; word++) {
      const bits = words[row * wordsPerRow + word]!;
      chosen |= bits;
      used |= bits & usable[word]!;
    }
    const answer = chosen !== 0 && used === 0 ? onlyMissing : answering;
    indices[row] = states[row] === present ? answer : slots - states[row]!;
  }
  return { indices, offset: 0, size: ANSWERING + 1 };
}

const EVERY_STATE = Array.from({ length: ANSWERING + 1 }, (_, slot) => slot);
const STATES_IN_BASE: Record<Base, readonly number[]> = {
  answering: [ANSWERING],
  shown: EVERY_STATE.filter((slot) => slot !== MISSING_SLOTS - NOT_SHOWN),
  all: EVERY_STATE,
};

/** The byte patterns that have one of these bits. */
function patternsWith(bits: readonly number[]): number[] {
  const wanted = bits.reduce((mask, bit) => mask | (1 << bit), 0);
  return Array.from({ length: 2 ** BITS }, (_, pattern) => pattern)
    .filter((pattern) => (pattern & wanted) !== 0)
    .map((pattern) => PATTERN_OFFSET + pattern);
}

/**
 * The axis of a multiple-response set; its base are respondents. `isNested`: each category has a two-slot coding, which is efficient to
 * nest; otherwise eight options share one.
 */
export function createMultipleChoiceAxis(
  column: MultipleColumn,
  rowCount: number,
  { nets, base, apart }: { nets: readonly Net[]; base: Base; apart: boolean },
): Axis {
  const { spec } = column;
  const codings: Coding[] = [stateCoding(column, rowCount)];
  const codingOfByte = new Map<number, number>();
  const regionOf = (positions: readonly number[]): Region => {
    const bytes = new Set(positions.map((index) => Math.floor(index / BITS)));
    const [byte] = bytes;
    if (apart || bytes.size !== 1 || byte === undefined) {
      const coding = codings.push(anyOfCoding(column, positions, rowCount)) - 1;
      return { coding, slots: [1] };
    }
    let coding = codingOfByte.get(byte);
    if (coding === undefined) {
      coding = codings.push(byteCoding(column, byte, rowCount)) - 1;
      codingOfByte.set(byte, coding);
    }
    return { coding, slots: patternsWith(positions.map((index) => index % BITS)) };
  };
  const category = (step: CategoryStep, positions: readonly number[], isNet: boolean): AxisCategory => ({
    steps: [step],
    region: regionOf(positions),
    missing: positions.some((index) => spec.values[index]!.missing),
    isNet,
    family: null,
    overlapFamily: isNet || positions.some((index) => spec.values[index]!.missing) ? null : 0,
  });
  const counts = (index: number) => base !== 'answering' || !spec.values[index]!.missing;
  const listed = spec.values.flatMap((value, index) =>
    counts(index) ? [category(valueStep(spec, value), [index], false)] : [],
  );
  const netted = nets.map((net) =>
    category(netStep(net), resolveNetValues(net, spec.values).filter(counts), true),
  );
  return {
    specs: [spec],
    codings,
    categories: [...listed, ...netted],
    base: { coding: 0, slots: STATES_IN_BASE[base] },
    overlaps: true,
    hasMean: false,
  };
}

/** Assigns each row one of a few slots, 0 to size - 1: `indices[row] + offset`. */
export interface Coding {
  readonly indices: Int16Array;
  offset: number;
  size: number;
  counted?: CountedSlots | undefined;
}

/** Unweighted counts of the rows of a mask by slot, if they are known without computing the slot of each row. */
interface CountedSlots {
  mask: Uint8Array;
  counts: Float64Array;
}

/** The largest number of slots that fits an Int16. */
export const MAX_CODING_SIZE = 32_000;

/** The rows in one of these slots of one of the axis's codings. */
export interface Region {
  coding: number;
  slots: readonly number[];
}

/** A region with its coding, apart from the axis. */
export interface AnswerRegion {
  coding: Coding;
  slots: readonly number[];
}

/** The answers of a category or base of the axis. */
export const answerRegion = (axis: Axis, { coding, slots }: Region): AnswerRegion => {
  return { coding: codingAt(axis, coding), slots };
};

/** Combines two codings: slot `outer * inner.size + inner`. Covers `rowCount` rows. */
export function combineCodings(outer: Coding, inner: Coding, rowCount: number): Coding {
  const { indices: first } = outer;
  const { indices: second, size } = inner;
  const offset = outer.offset * size + inner.offset;
  const indices = new Int16Array(rowCount);
  for (let row = 0; row < rowCount; row++) indices[row] = first[row]! * size + second[row]! + offset;
  return { indices, offset: 0, size: outer.size * size };
}
