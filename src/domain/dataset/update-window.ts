import type { Dataset } from './dataset.ts';

/** Responses written in [since, until), in milliseconds since 1970. */
export interface UpdateWindow {
  /** null: no limits; every response passes, whenever it was written. */
  sinceMs: number | null;
  /** All writes before this time are visible; later writes belong to the next window, which starts here. */
  untilMs: number;
}

/** The metadata column that the window filters by. */
export const UPDATED_AT = 'updated_at';

/** Keeps in the mask the responses last written within the window. `updated_at` must be loaded. */
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
