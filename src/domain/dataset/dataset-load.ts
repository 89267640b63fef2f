import type { StoredAnswer } from '../answers/codec.ts';
import type { StoredColumn } from './columns/columns.ts';

/** What a load brings for one response: an answer, or the value of a metadata column. */
export type LoadedValue = StoredAnswer | null | undefined;

/** A load under way. */
export interface DatasetLoad {
  /** What is really loaded: without what was there already. */
  readonly loadCodes: readonly string[];
  /** What will hold the cells, by load code: who has them in the same form puts them in directly. */
  readonly storedColumns: ReadonlyMap<string, readonly StoredColumn[]>;
  /**
   * A chunk of responses, in the order of their ids; `values` has an array for each of `loadCodes`, parallel to the ids:
   * null is skipped, undefined not shown. Ids that the dataset does not hold are passed over.
   */
  add(responseIds: ArrayLike<number>, values: readonly ArrayLike<LoadedValue>[]): void;
  /** From here on the columns can be read. Responses that no chunk named count as not shown. */
  finish(): void;
}
