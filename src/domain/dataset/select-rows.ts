import type { Dataset } from './dataset.ts';
import type { CompiledFilter } from './filter.ts';
import { countingStates, type WhatCounts } from './row-state.ts';

export interface Selection extends WhatCounts {
  filter?: Pick<CompiledFilter, 'narrow'> | undefined;
}

/**
 * The responses that count, as a mask: 1 or 0 per row. Measures walk all rows and look at the mask, which on half a million
 * rows is as fast as walking a list of the selected ones, takes a quarter of its memory, and combines by `&`.
 */
export function selectRows(dataset: Dataset, selection: Selection = {}): Uint8Array {
  const counting = countingStates(selection);
  const { rowStates } = dataset;
  const mask = new Uint8Array(dataset.rowCount);
  for (let row = 0; row < mask.length; row++) mask[row] = counting[rowStates[row]!]!;
  selection.filter?.narrow(dataset, mask);
  return mask;
}
