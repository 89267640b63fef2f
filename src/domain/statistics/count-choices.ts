import type { CategoricalColumn } from '../dataset/categorical-column.ts';
import { NOT_SHOWN, PRESENT, SKIPPED } from '../dataset/missing.ts';
import type { BinaryColumn, MultipleColumn } from '../dataset/multiple-column.ts';
import { addCounts, type Count, type Groups, NO_RESPONSES } from './base.ts';
import type { CountedRows } from './counted-rows.ts';

/** How many responses chose each option, in the column's order of values, and how the others stand. */
export interface ChoiceCounts {
  options: Count[];
  groups: Groups;
}

/** Counts, Σw and Σw² by slot. */
class Slots {
  readonly counts: Float64Array;
  readonly weights: Float64Array;
  readonly squares: Float64Array;

  constructor(size: number, weighted: boolean) {
    this.counts = new Float64Array(size);
    this.weights = weighted ? new Float64Array(size) : this.counts;
    this.squares = weighted ? new Float64Array(size) : this.counts;
  }

  at(slot: number): Count {
    return {
      count: this.counts[slot] ?? 0,
      weight: this.weights[slot] ?? 0,
      squaredWeight: this.squares[slot] ?? 0,
    };
  }
}

export function countCategorical(
  { indices, spec }: CategoricalColumn,
  { mask, weights }: CountedRows,
): ChoiceCounts {
  // The two missing codes, -2 and -1, come first. Adding the mask instead of asking it keeps the loop free of branches.
  const slots = new Slots(NOT_SHOWN + spec.values.length, weights !== null);
  const { counts } = slots;
  for (let row = 0; row < mask.length; row++) counts[indices[row]! + NOT_SHOWN]! += mask[row]!;
  if (weights) {
    const { weights: sums, squares } = slots;
    for (let row = 0; row < mask.length; row++) {
      const slot = indices[row]! + NOT_SHOWN;
      const weight = weights[row]!;
      sums[slot]! += weight;
      squares[slot]! += weight * weight;
    }
  }
  const options = spec.values.map((_, index) => slots.at(NOT_SHOWN + index));
  const pick = (missing: boolean) =>
    addCounts(...options.filter((_, index) => spec.values[index]?.missing === missing));
  const groups = {
    answering: pick(false),
    optionMissing: pick(true),
    skipped: slots.at(NOT_SHOWN - SKIPPED),
    notShown: slots.at(0),
  };
  return { options, groups };
}

/** One option of a multiple choice: 0 and 1 among those who answered the question. */
export function countBinary(column: BinaryColumn, { mask, weights }: CountedRows): ChoiceCounts {
  const { words, states, wordsPerRow } = column.source;
  const slots = new Slots(4, weights !== null);
  const { counts, weights: sums, squares } = slots;
  const shift = column.option & 31;
  let word = column.option >>> 5;
  for (let row = 0; row < mask.length; row++, word += wordsPerRow) {
    // 0 and 1 are the option, 2 skipped, 3 not shown.
    const state = states[row]!;
    const slot = state === PRESENT ? (words[word]! >>> shift) & 1 : 1 + state;
    counts[slot]! += mask[row]!;
    if (weights) {
      const weight = weights[row]!;
      sums[slot]! += weight;
      squares[slot]! += weight * weight;
    }
  }
  const options = [slots.at(0), slots.at(1)];
  const [skipped, notShown] = [slots.at(1 + SKIPPED), slots.at(1 + NOT_SHOWN)];
  return {
    options,
    groups: { answering: addCounts(...options), optionMissing: NO_RESPONSES, skipped, notShown },
  };
}

/** A multiple choice: every response counts once in the base and once for each of its options. */
export function countMultiple(column: MultipleColumn, { mask, weights }: CountedRows): ChoiceCounts {
  const { words, states, wordsPerRow, spec } = column;
  const usable = new Uint32Array(wordsPerRow);
  spec.values.forEach(({ missing }, option) => {
    if (!missing) usable[option >>> 5]! |= 1 << (option & 31);
  });
  const slots = new Slots(spec.values.length, weights !== null);
  // PRESENT, SKIPPED, NOT_SHOWN, and present with nothing but options flagged as missing.
  const ONLY_MISSING = 3;
  const standing = new Slots(4, weights !== null);
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0) continue;
    let group = states[row]!;
    if (group === PRESENT) {
      let usableChosen = 0;
      for (let word = 0; word < wordsPerRow; word++) {
        let left = words[row * wordsPerRow + word]!;
        usableChosen |= left & usable[word]!;
        for (; left !== 0; left &= left - 1) {
          addTo(slots, word * 32 + 31 - Math.clz32(left & -left), weights, row);
        }
      }
      if (usableChosen === 0) group = ONLY_MISSING;
    }
    addTo(standing, group, weights, row);
  }
  const groups = {
    answering: standing.at(PRESENT),
    optionMissing: standing.at(ONLY_MISSING),
    skipped: standing.at(SKIPPED),
    notShown: standing.at(NOT_SHOWN),
  };
  return { options: spec.values.map((_, option) => slots.at(option)), groups };
}

function addTo(slots: Slots, slot: number, weights: Float64Array | null, row: number): void {
  slots.counts[slot]!++;
  if (!weights) return;
  const weight = weights[row]!;
  slots.weights[slot]! += weight;
  slots.squares[slot]! += weight * weight;
}

/** How the rows stand towards a column that keeps its reasons in `states`. */
export function countStates(states: Uint8Array, { mask, weights }: CountedRows): Groups {
  const slots = new Slots(3, weights !== null);
  const { counts, weights: sums, squares } = slots;
  for (let row = 0; row < mask.length; row++) {
    const state = states[row]!;
    counts[state]! += mask[row]!;
    if (weights) {
      const weight = weights[row]!;
      sums[state]! += weight;
      squares[state]! += weight * weight;
    }
  }
  return {
    answering: slots.at(PRESENT),
    optionMissing: NO_RESPONSES,
    skipped: slots.at(SKIPPED),
    notShown: slots.at(NOT_SHOWN),
  };
}
