import type { Dataset } from './dataset.ts';

/** Responses written in [since, until), in milliseconds since 1970. */
export interface UpdateWindow {
  /** null: from the beginning, and whatever came after `untilMs` too. */
  sinceMs: number | null;
  /** Everything written before it is there to be read; what is written later belongs to the next window, which begins here. */
  untilMs: number;
}

/** The metadata column that a window is held against. */
export const UPDATED_AT = 'updated_at';

/** Leaves in the mask what was written last within the window. `updated_at` has to be loaded. */
export function narrowToUpdateWindow(
  dataset: Dataset,
  mask: Uint8Array,
  { sinceMs, untilMs }: UpdateWindow,
): void {
  const entry = dataset.catalog.find(UPDATED_AT);
  const column = entry && dataset.column(entry);
  if (sinceMs === null || column?.kind !== 'date') return;
  const { values } = column;
  for (let row = 0; row < mask.length; row++) {
    const updatedMs = values[row]!;
    if (updatedMs < sinceMs || updatedMs >= untilMs) mask[row] = 0;
  }
}
