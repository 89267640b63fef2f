/**
 * Finds the row of a response id without an entry per row. Ids come from a sequence and mostly arrive in ascending order, so a binary
 * search suffices; ids that arrive out of order are kept in a map. The caller owns the `ids` array.
 */
export class RowIndex {
  /** Rows whose id is smaller than an earlier one. */
  readonly #outOfOrder = new Map<number, number>();
  #largest = -Infinity;

  /** Registers that `id` is stored at `row`, the next row. */
  add(id: number, row: number): void {
    if (id > this.#largest) this.#largest = id;
    else this.#outOfOrder.set(id, row);
  }

  /** Registers that ascending ids are stored from `row` on. */
  addAscending(ids: Float64Array, row: number): void {
    if (ids.length > 0 && ids[0]! > this.#largest) this.#largest = ids.at(-1)!;
    else ids.forEach((id, position) => this.add(id, row + position));
  }

  /** Returns the row of `id` among the first `count` of `ids`, or -1. */
  find(id: number, ids: Float64Array, count: number): number {
    if (id > this.#largest) return -1;
    const outOfOrderRow = this.#outOfOrder.get(id);
    if (outOfOrderRow !== undefined) return outOfOrderRow;
    let low = 0;
    let high = count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      // Late rows break the search order: step back to the last row that is in order.
      let row = middle;
      while (this.#outOfOrder.size > 0 && row >= low && this.#outOfOrder.has(ids[row] ?? NaN)) row--;
      const found = row < low ? -Infinity : (ids[row] ?? NaN);
      if (found === id) return row;
      if (found < id) low = middle + 1;
      else high = row - 1;
    }
    return -1;
  }

  get bytes(): number {
    return this.#outOfOrder.size * 48;
  }
}
