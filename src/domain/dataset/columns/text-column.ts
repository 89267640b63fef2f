import type { Cell, ColumnSpec } from './column-spec.ts';
import { type MissingReason, missingReason, NOT_SHOWN, PRESENT, SKIPPED } from './missing.ts';

/** With more distinct texts, sharing equal strings does not save memory. */
const MAX_SHARED = 1_000;
/** Estimated bytes per string besides its characters, and per reference; used for the cache budget. */
const STRING_OVERHEAD_BYTES = 16;
const REFERENCE_BYTES = 8;

/** Open texts and file ids. Shares equal strings while there are few distinct ones. */
export class TextColumn {
  readonly kind = 'text';
  /** Null where missing. */
  readonly texts: (string | null)[] = [];
  /** PRESENT or a MissingReason. Reallocated on growth. */
  states: Uint8Array;
  #shared: Map<string, string> | null = new Map();
  #textBytes = 0;

  constructor(
    readonly spec: ColumnSpec,
    capacity: number,
  ) {
    this.states = new Uint8Array(capacity).fill(NOT_SHOWN);
  }

  get bytes(): number {
    return this.states.byteLength + this.states.length * REFERENCE_BYTES + this.#textBytes;
  }

  grow(capacity: number): void {
    const states = new Uint8Array(capacity).fill(NOT_SHOWN);
    states.set(this.states);
    this.states = states;
  }

  set(row: number, cell: Cell): void {
    if (cell === null || cell === '') return this.setMissing(row, SKIPPED);
    this.#putText(row, this.#share(Array.isArray(cell) ? cell.join(';') : String(cell)));
    this.states[row] = PRESENT;
  }

  setMissing(row: number, reason: MissingReason): void {
    this.#putText(row, null);
    this.states[row] = reason;
  }

  missing(row: number): MissingReason | null {
    return missingReason(this.states[row]);
  }

  cell(row: number): Cell {
    return this.texts[row] ?? null;
  }

  /** Fills gaps with null: rows are written in any order, and a sparse array would be slow. */
  #putText(row: number, text: string | null): void {
    while (this.texts.length < row) this.texts.push(null);
    this.texts[row] = text;
  }

  #share(text: string): string {
    const known = this.#shared?.get(text);
    if (known !== undefined) return known;
    this.#textBytes += STRING_OVERHEAD_BYTES + 2 * text.length;
    if (this.#shared && this.#shared.size >= MAX_SHARED) this.#shared = null;
    this.#shared?.set(text, text);
    return text;
  }
}
