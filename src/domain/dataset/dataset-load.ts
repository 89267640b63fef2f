import type { StoredAnswer } from '../answers/codec.ts';
import type { StoredColumn } from './columns/columns.ts';

/** A value loaded for one response: an answer, or the value of a metadata column. */
export type LoadedValue = StoredAnswer | null | undefined;

/** A load in progress. */
export interface DatasetLoad {
  /** The codes that this load reads: those requested without those already loaded. */
  readonly loadCodes: readonly string[];
  /** The columns being filled, by load code; a caller that has cells in storage form can write them directly. */
  readonly storedColumns: ReadonlyMap<string, readonly StoredColumn[]>;
  /**
   * Adds a chunk of responses in ascending id order. `values` has one array per entry of `loadCodes`, parallel to the ids; null is skipped,
   * undefined not shown. Ignores ids that are not in the dataset.
   */
  add(responseIds: ArrayLike<number>, values: readonly ArrayLike<LoadedValue>[]): void;
  /** Makes the columns readable. Responses that no chunk contained are not shown. */
  finish(): void;
}
