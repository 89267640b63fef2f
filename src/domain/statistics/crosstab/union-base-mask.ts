import type { CatalogColumn } from '../../dataset/columns/column-catalog.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { Base } from '../base.ts';
import { createVariableAxis } from './variable-axis.ts';

/** Returns a mask of the rows in the base of at least one of the columns. Yields after each pass over the responses. */
export function* unionBaseMask(
  dataset: Dataset,
  entries: readonly CatalogColumn[],
  { base, mask, field }: { base: Base; mask: Uint8Array; field: string },
): Generator<void, Uint8Array> {
  const found = new Uint8Array(mask.length);
  for (const entry of entries) {
    const axis = createVariableAxis(dataset, entry, false, { base, nets: [], mask, field });
    const { indices, offset, size } = axis.codings[axis.base.coding]!;
    const slots = new Uint8Array(size);
    for (const slot of axis.base.slots) slots[slot] = 1;
    for (let row = 0; row < mask.length; row++) found[row]! |= slots[indices[row]! + offset]!;
    yield;
  }
  for (let row = 0; row < mask.length; row++) found[row]! &= mask[row]!;
  return found;
}
