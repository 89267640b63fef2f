/**
 * Finds the row of a response id without an entry per row. Ids come mostly in ascending order (a sequence numbers them),
 * so a binary search does; the few that a later transaction overtook are kept in a map. `ids` itself belongs to the caller.
 */
export class RowIndex {
  /** Rows whose id is smaller than one before them. */
  readonly #late = new Map<number, number>();
  #largest = -Infinity;

  /** `id` has been put at `row`, the next one. */
  add(id: number, row: number): void {
    if (id > this.#largest) this.#largest = id;
    else this.#late.set(id, row);
  }

  /** Ascending ids have been put at rows from `row` on, the next ones. */
  addAscending(ids: Float64Array, row: number): void {
    if (ids.length > 0 && ids[0]! > this.#largest) this.#largest = ids.at(-1)!;
    else ids.forEach((id, position) => this.add(id, row + position));
  }

  /** The row of `id` among the first `count` of `ids`, or -1. */
  find(id: number, ids: Float64Array, count: number): number {
    if (id > this.#largest) return -1;
    const late = this.#late.get(id);
    if (late !== undefined) return late;
    let low = 0;
    let high = count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      // Late rows are out of the order that is searched: stand on the last one before them.
      let row = middle;
      while (this.#late.size > 0 && row >= low && this.#late.has(ids[row] ?? NaN)) row--;
      const found = row < low ? -Infinity : (ids[row] ?? NaN);
      if (found === id) return row;
      if (found < id) low = middle + 1;
      else high = row - 1;
    }
    return -1;
  }

  get bytes(): number {
    return this.#late.size * 48;
  }
}
