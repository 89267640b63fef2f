import type { CellOutcome, SourceCell } from './source-file.ts';

export const MISSING: CellOutcome = { kind: 'missing' };

/** A converted cell, if it is not the same value. */
export class ConvertedCell {
  constructor(
    readonly cell: SourceCell,
    readonly outcome: CellOutcome,
  ) {}
}

export const MISSING_CELL = new ConvertedCell(null, MISSING);
export const unreadableCell = (reason: string) => new ConvertedCell(null, { kind: 'unreadable', reason });
