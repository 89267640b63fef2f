import { MISSING_SLOTS, NOT_SHOWN, PRESENT } from '../../dataset/columns/missing.ts';
import type { MultipleColumn } from '../../dataset/columns/multiple-column.ts';
import type { Base } from '../base.ts';
import type { Axis, AxisCategory, Net, CategoryStep } from './axis.ts';
import type { Coding, Region } from './coding.ts';
import { netStep, resolveNetValues, valueStep } from './single-choice-axis.ts';

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
  { nets, base, apart: isNested }: { nets: readonly Net[]; base: Base; apart: boolean },
): Axis {
  const { spec } = column;
  const codings: Coding[] = [stateCoding(column, rowCount)];
  const codingOfByte = new Map<number, number>();
  const regionOf = (positions: readonly number[]): Region => {
    const bytes = new Set(positions.map((index) => Math.floor(index / BITS)));
    const [byte] = bytes;
    if (isNested || bytes.size !== 1 || byte === undefined) {
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
