import {
  type BinaryColumn,
  type CategoricalColumn,
  MISSING_SLOTS,
  type MissingReason,
  type MultipleColumn,
  NOT_APPLICABLE,
  NOT_SHOWN,
  PRESENT,
  SKIPPED,
  STATE_OF_NO_ANSWER,
} from '../columns/columns.ts';
import { NO_ANSWER_REASONS } from '../columns/no-answer.ts';
import { addCounts, type AnswerStatusCounts, type Count, type CountedRows, NO_RESPONSES } from './base.ts';

// Loops copy imported constants to local variables: reading an import in every iteration doubles the time of a short loop.

/** The number of responses per option, in the order of the column's values, and the answer status of all responses. */
export interface ChoiceCounts {
  options: Count[];
  groups: AnswerStatusCounts;
}

/** Counts, Σw and Σw² by slot. */
class SlotCounts {
  readonly counts: Uint32Array;
  readonly weights: Float64Array;
  readonly squares: Float64Array;
  readonly #weighted: boolean;

  constructor(size: number, weighted: boolean) {
    this.counts = new Uint32Array(size);
    this.weights = new Float64Array(weighted ? size : 0);
    this.squares = new Float64Array(weighted ? size : 0);
    this.#weighted = weighted;
  }

  countAt(slot: number): Count {
    const count = this.counts[slot] ?? 0;
    if (!this.#weighted) return { count, weight: count, squaredWeight: count };
    return { count, weight: this.weights[slot] ?? 0, squaredWeight: this.squares[slot] ?? 0 };
  }
}

/** The counts of the missing reasons. */
function countMissing(
  countAt: (reason: MissingReason) => Count,
): Pick<AnswerStatusCounts, 'skipped' | 'notShown' | 'notApplicable' | 'noAnswer'> {
  return {
    skipped: countAt(SKIPPED),
    notShown: countAt(NOT_SHOWN),
    notApplicable: countAt(NOT_APPLICABLE),
    noAnswer: {
      dont_know: countAt(STATE_OF_NO_ANSWER.dont_know),
      refused: countAt(STATE_OF_NO_ANSWER.refused),
      not_applicable: countAt(STATE_OF_NO_ANSWER.not_applicable),
    },
  };
}

/** The number of responses with each missing reason. */
export function countsByReason(groups: AnswerStatusCounts): { reason: MissingReason; count: number }[] {
  return [
    { reason: SKIPPED, count: groups.skipped.count },
    { reason: NOT_SHOWN, count: groups.notShown.count },
    { reason: NOT_APPLICABLE, count: groups.notApplicable.count },
    ...NO_ANSWER_REASONS.map((reason) => ({
      reason: STATE_OF_NO_ANSWER[reason],
      count: groups.noAnswer[reason].count,
    })),
  ];
}

/** Counts a single choice: one option per answered row. */
export function countCategorical(
  { indices, spec }: CategoricalColumn,
  { mask, weights }: CountedRows,
): ChoiceCounts {
  // The missing states come first.
  const offset = MISSING_SLOTS;
  const slots = new SlotCounts(offset + spec.values.length, weights !== null);
  countIndices(indices, mask, offset, slots.counts);
  if (weights) {
    const { weights: sums, squares } = slots;
    for (let row = 0; row < mask.length; row++) {
      const slot = indices[row]! + offset;
      const weight = weights[row]!;
      sums[slot]! += weight;
      squares[slot]! += weight * weight;
    }
  }
  const options = spec.values.map((_, index) => slots.countAt(offset + index));
  const pick = (missing: boolean) =>
    addCounts(...options.filter((_, index) => spec.values[index]?.missing === missing));
  const groups = {
    answering: pick(false),
    optionMissing: pick(true),
    ...countMissing((reason) => slots.countAt(offset - reason)),
  };
  return { options, groups };
}

/**
 * Adds the number of rows of each slot to `counts`. Adding the mask instead of testing it avoids branches. Counts four rows at a time in
 * separate tables: adjacent rows often have the same answer, and additions to the same cell would have to wait for each other.
 */
export function countIndices(
  indices: Int16Array | Int32Array,
  mask: Uint8Array,
  offset: number,
  counts: Uint32Array,
): void {
  const size = counts.length;
  const tables = new Uint32Array(4 * size);
  const [second, third, fourth] = [offset + size, offset + 2 * size, offset + 3 * size];
  const end = mask.length - (mask.length % 4);
  for (let row = 0; row < end; row += 4) {
    tables[indices[row]! + offset]! += mask[row]!;
    tables[indices[row + 1]! + second]! += mask[row + 1]!;
    tables[indices[row + 2]! + third]! += mask[row + 2]!;
    tables[indices[row + 3]! + fourth]! += mask[row + 3]!;
  }
  for (let row = end; row < mask.length; row++) tables[indices[row]! + offset]! += mask[row]!;
  for (let slot = 0; slot < tables.length; slot++) counts[slot % size]! += tables[slot]!;
}

/** Counts one option of a multiple choice: 0 and 1 among those who answered the question. */
export function countBinary(column: BinaryColumn, { mask, weights }: CountedRows): ChoiceCounts {
  const { states } = column;
  const { words, wordsPerRow } = column.source;
  const slots = new SlotCounts(2 + MISSING_SLOTS, weights !== null);
  const { counts, weights: sums, squares } = slots;
  const present = PRESENT;
  const shift = column.option & 31;
  let word = column.option >>> 5;
  for (let row = 0; row < mask.length; row++, word += wordsPerRow) {
    // 0 and 1 are the option values; the missing states follow.
    const state = states[row]!;
    const slot = state === present ? (words[word]! >>> shift) & 1 : 1 + state;
    counts[slot]! += mask[row]!;
    if (weights) {
      const weight = weights[row]!;
      sums[slot]! += weight;
      squares[slot]! += weight * weight;
    }
  }
  const options = [slots.countAt(0), slots.countAt(1)];
  const missing = countMissing((reason) => slots.countAt(1 + reason));
  return {
    options,
    groups: {
      ...missing,
      answering: addCounts(...options),
      optionMissing: column.isMissingIfFlagged ? missing.notApplicable : NO_RESPONSES,
      notApplicable: column.isMissingIfFlagged ? NO_RESPONSES : missing.notApplicable,
    },
  };
}

const BYTE_PATTERNS = 256;

/**
 * Counts the rows with each bit of one byte of a word. Counts rows by byte pattern, eight options in one step, and derives the options
 * from the patterns.
 */
function countByte(
  { words, wordsPerRow }: MultipleColumn,
  byte: number,
  { mask, weights }: CountedRows,
): (bit: number) => Count {
  const patterns = new SlotCounts(BYTE_PATTERNS, weights !== null);
  const { counts, weights: sums, squares } = patterns;
  const shift = (byte & 3) * 8;
  let word = byte >>> 2;
  for (let row = 0; row < mask.length; row++, word += wordsPerRow) {
    const pattern = (words[word]! >>> shift) & 255;
    counts[pattern]! += mask[row]!;
    if (weights) {
      const weight = weights[row]!;
      sums[pattern]! += weight;
      squares[pattern]! += weight * weight;
    }
  }
  const patternsByBit = Array.from({ length: BYTE_PATTERNS }, (_, pattern) => patterns.countAt(pattern));
  return (bit) => addCounts(...patternsByBit.filter((_, pattern) => ((pattern >>> bit) & 1) === 1));
}

/** Counts a multiple choice: each response counts once in the base and once for each of its options. */
export function countMultiple(column: MultipleColumn, rows: CountedRows): ChoiceCounts {
  const { values } = column.spec;
  const options: Count[] = [];
  // A row without an answer has no bits set.
  for (let byte = 0; byte * 8 < values.length; byte++) {
    const countOf = countByte(column, byte, rows);
    for (let bit = 0; bit < 8 && byte * 8 + bit < values.length; bit++) options.push(countOf(bit));
  }
  const groups = countStates(column.states, rows);
  if (!values.some(({ missing }) => missing)) return { options, groups };
  return { options, groups: { ...groups, ...splitAnswering(column, rows) } };
}

/** Separates respondents with a usable option from those who chose only options flagged as missing. */
function splitAnswering(
  column: MultipleColumn,
  { mask, weights }: CountedRows,
): Pick<AnswerStatusCounts, 'answering' | 'optionMissing'> {
  const states = column.statesOfUsable();
  const [noAnswer, onlyMissing, answering] = [0, 1, 2];
  const slotOfState = new Uint8Array(1 + MISSING_SLOTS).fill(noAnswer);
  slotOfState[PRESENT] = answering;
  slotOfState[NOT_APPLICABLE] = onlyMissing;
  const slots = new SlotCounts(3, weights !== null);
  for (let row = 0; row < mask.length; row++) {
    const slot = slotOfState[states[row]!]!;
    slots.counts[slot]! += mask[row]!;
    if (weights) {
      slots.weights[slot]! += weights[row]!;
      slots.squares[slot]! += weights[row]! ** 2;
    }
  }
  return { answering: slots.countAt(answering), optionMissing: slots.countAt(onlyMissing) };
}

/** Counts rows by the missing states in `states`. */
export function countStates(states: Uint8Array, { mask, weights }: CountedRows): AnswerStatusCounts {
  if (weights === null) return countStatesUnweighted(states, mask);
  const slots = new SlotCounts(1 + MISSING_SLOTS, true);
  const { counts, weights: sums, squares } = slots;
  for (let row = 0; row < mask.length; row++) {
    const state = states[row]!;
    const weight = weights[row]!;
    counts[state]! += mask[row]!;
    sums[state]! += weight;
    squares[state]! += weight * weight;
  }
  return {
    answering: slots.countAt(PRESENT),
    optionMissing: NO_RESPONSES,
    ...countMissing((reason) => slots.countAt(reason)),
  };
}

/** The third bit of the states of four rows. */
const THIRD_BITS = 0x04040404;

/**
 * Processes four rows at a time. Of the first two bits of a state, the first alone is SKIPPED, the second alone NOT_SHOWN, both
 * NOT_APPLICABLE. States with the third bit, the reasons that respondents give, are rare: only where one occurs, all states are counted one
 * by one. The mask (0 or 1) selects each bit in its row's byte.
 */
function countStatesUnweighted(states: Uint8Array, mask: Uint8Array): AnswerStatusCounts {
  const words = Math.ceil(mask.length / 4);
  const stateWords = viewAsWords(states, words);
  const maskWords = viewAsWords(mask, words);
  let all = 0;
  let firstBits = 0;
  let secondBits = 0;
  let notApplicable = 0;
  let everyBit = 0;
  for (let word = 0; word < words; word++) {
    const counting = maskWords[word]!;
    const state = stateWords[word]!;
    everyBit |= state;
    all += sumOfBytes(counting);
    const second = state >>> 1;
    firstBits += sumOfBytes(counting & state);
    secondBits += sumOfBytes(counting & second);
    notApplicable += sumOfBytes(counting & state & second);
  }
  if ((everyBit & THIRD_BITS) !== 0) return countEachState(states, mask);
  return {
    answering: unweighted(all - firstBits - secondBits + notApplicable),
    optionMissing: NO_RESPONSES,
    skipped: unweighted(firstBits - notApplicable),
    notShown: unweighted(secondBits - notApplicable),
    notApplicable: unweighted(notApplicable),
    noAnswer: { dont_know: NO_RESPONSES, refused: NO_RESPONSES, not_applicable: NO_RESPONSES },
  };
}

function countEachState(states: Uint8Array, mask: Uint8Array): AnswerStatusCounts {
  const slots = new SlotCounts(1 + MISSING_SLOTS, false);
  const { counts } = slots;
  for (let row = 0; row < mask.length; row++) counts[states[row]!]! += mask[row]!;
  return {
    answering: slots.countAt(PRESENT),
    optionMissing: NO_RESPONSES,
    ...countMissing((reason) => slots.countAt(reason)),
  };
}

/** For a word with small bytes: the highest byte of the product is their sum. */
const sumOfBytes = (word: number): number => Math.imul(word, 0x01010101) >>> 24;

const unweighted = (count: number) => ({ count, weight: count, squaredWeight: count });

/** Views the first bytes as words. If they end within a word, returns a copy padded with zeros. */
function viewAsWords(bytes: Uint8Array, words: number): Int32Array {
  if (bytes.byteOffset % 4 === 0 && bytes.length >= words * 4) {
    return new Int32Array(bytes.buffer, bytes.byteOffset, words);
  }
  const padded = new Uint8Array(words * 4);
  padded.set(bytes.subarray(0, words * 4));
  return new Int32Array(padded.buffer);
}
