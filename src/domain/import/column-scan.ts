import { type ImportedMetadata, unescaped } from './match-columns.ts';
import { numberOf } from './read-cell.ts';
import { noMetadata, readMetadata } from './read-metadata.ts';
import type { SourceCell } from './source-file.ts';

/** More different values than these are no list of categories. */
const MAX_DISTINCT = 1_000;

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATETIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;
const CLOCK = /^\d\d:\d\d(:\d\d(\.\d+)?)?$/;
/** 007 is a name in digits. */
const PADDED_NUMBER = /^[+-]?0\d/;
const MAX_DECIMALS = 10;

/** What a column of a file holds, looked at once from its first cell to its last. */
export class ColumnScan {
  filled = 0;
  empty = 0;
  /** null: more than MAX_DISTINCT. */
  distinct: Map<SourceCell, number> | null = new Map();
  allNumbers = true;
  allIntegers = true;
  /** Digits after the point, 10 at most. */
  decimals = 0;
  allDates = true;
  allDatetimes = true;
  allClocks = true;
  longestCharacters = 0;
  /** Whether every cell can be what the column is called. */
  isMetadata: boolean;
  private readonly metadata: ImportedMetadata | null;
  private readonly decimalComma: boolean;
  private readonly isCsv: boolean;

  constructor(
    metadata: ImportedMetadata | null,
    { isCsv, decimalComma }: { isCsv: boolean; decimalComma: boolean },
  ) {
    this.metadata = metadata;
    this.isMetadata = metadata !== null;
    this.isCsv = isCsv;
    this.decimalComma = decimalComma;
  }

  add(given: SourceCell): void {
    const cell = this.isCsv && typeof given === 'string' ? unescaped(given) : given;
    if (cell === null || cell === '') {
      this.empty += 1;
      return;
    }
    this.filled += 1;
    this.isMetadata &&= readMetadata(noMetadata(), this.metadata!, cell) === null;
    if (this.distinct !== null) {
      this.distinct.set(cell, (this.distinct.get(cell) ?? 0) + 1);
      if (this.distinct.size > MAX_DISTINCT) this.distinct = null;
    }
    this.addNumber(cell);
    if (typeof cell === 'number') {
      this.allDates = this.allDatetimes = this.allClocks = false;
      return;
    }
    this.longestCharacters = Math.max(this.longestCharacters, cell.length);
    this.allDates &&= DATE.test(cell);
    this.allDatetimes &&= DATE.test(cell) || DATETIME.test(cell);
    this.allClocks &&= CLOCK.test(cell);
  }

  private addNumber(cell: string | number): void {
    if (!this.allNumbers) return;
    const value =
      typeof cell === 'string' && PADDED_NUMBER.test(cell) ? null : numberOf(cell, this.decimalComma);
    if (value === null) {
      this.allNumbers = this.allIntegers = false;
      return;
    }
    if (Number.isInteger(value)) return;
    this.allIntegers = false;
    while (this.decimals < MAX_DECIMALS && !hasAtMost(value, this.decimals)) this.decimals += 1;
  }
}

function hasAtMost(value: number, decimals: number): boolean {
  return Number(value.toFixed(decimals)) === value;
}
