import type { Dataset } from '../dataset.ts';
import type { CompiledFilter } from './filter.ts';
import { countingStates, type WhatCounts } from '../row-state.ts';

export interface Selection extends WhatCounts {
  filter?: Pick<CompiledFilter, 'narrow'> | undefined;
}

/**
 * The responses that count, as a mask: 1 or 0 per row. Measures walk all rows and look at the mask, which on half a million
 * rows is as fast as walking a list of the selected ones, takes a quarter of its memory, and combines by `&`.
 * Not to be changed: without a filter it is the dataset's own.
 */
export function selectRows(dataset: Dataset, selection: Selection = {}): Uint8Array {
  const counting = dataset.rowsCounting(countingStates(selection));
  if (selection.filter === undefined) return counting;
  const mask = counting.slice();
  selection.filter.narrow(dataset, mask);
  return mask;
}
