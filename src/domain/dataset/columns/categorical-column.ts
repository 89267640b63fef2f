import type { Cell, ColumnSpec } from './column-spec.ts';
import { type MissingReason, missingReason, NOT_SHOWN, SKIPPED } from './missing.ts';

const MAX_INT16 = 32_767;

/** One of `spec.values` per row. */
export class CategoricalColumn {
  readonly kind = 'categorical';
  /** Index into `spec.values`; -1 skipped, -2 not shown, -3 not applicable. Reallocated on growth: read the field once per loop. */
  indices: Int16Array | Int32Array;
  readonly #indexOfValue: ReadonlyMap<string, number>;

  constructor(
    readonly spec: ColumnSpec,
    capacity: number,
  ) {
    this.#indexOfValue = new Map(spec.values.map(({ value }, index) => [value, index]));
    this.indices = this.#allocate(capacity);
  }

  get bytes(): number {
    return this.indices.byteLength;
  }

  grow(capacity: number): void {
    const indices = this.#allocate(capacity);
    indices.set(this.indices);
    this.indices = indices;
  }

  /** Stores an unknown value as skipped, so that one invalid row does not make every figure fail. */
  set(row: number, cell: Cell): void {
    const index = cell === null ? undefined : this.#indexOfValue.get(String(cell));
    this.indices[row] = index ?? -SKIPPED;
  }

  setMissing(row: number, reason: MissingReason): void {
    this.indices[row] = -reason;
  }

  missing(row: number): MissingReason | null {
    return missingReason(Math.max(0, -(this.indices[row] ?? -NOT_SHOWN)));
  }

  cell(row: number): Cell {
    return this.spec.values[this.indices[row] ?? -1]?.value ?? null;
  }

  #allocate(capacity: number): Int16Array | Int32Array {
    const wide = this.spec.values.length > MAX_INT16;
    return (wide ? new Int32Array(capacity) : new Int16Array(capacity)).fill(-NOT_SHOWN);
  }
}
