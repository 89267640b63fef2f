import type { ColumnRole } from './column-roles.ts';
import { unescapeFormula } from './match-columns.ts';
import { type MultiAnswers, MultiAnswerScan } from './multi-answers.ts';
import { parseNumber } from './read-cell.ts';
import { emptyMetadata, readMetadata } from './read-metadata.ts';
import type { SourceCell } from './source-file.ts';

/** Columns with more distinct values are not categories. */
const MAX_DISTINCT = 1_000;
/** Bytes of a Map entry besides its text. */
const ENTRY_BYTES = 64;

/** Limits the memory for distinct values of all columns of a file. */
export class DistinctBudget {
  private leftBytes: number;

  constructor(maxBytes = 200_000_000) {
    this.leftBytes = maxBytes;
  }

  /** Returns false if the budget is exhausted. */
  reserve(bytes: number): boolean {
    this.leftBytes -= bytes;
    return this.leftBytes >= 0;
  }

  release(bytes: number): void {
    this.leftBytes += bytes;
  }
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATETIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;
const CLOCK = /^\d\d:\d\d(:\d\d(\.\d+)?)?$/;
/** A number with leading zeros, such as 007, is an identifier. */
const PADDED_NUMBER = /^[+-]?0\d/;
const MAX_DECIMALS = 10;

export interface ScanOptions {
  isCsv: boolean;
  decimalComma: boolean;
  /** Whether texts can be lists of answers; false for statistics files, whose variables are declared. */
  mayBeLists: boolean;
  /** Time zone of timestamps without an offset. */
  timeZone: string;
  /** Shared by all columns of the file. */
  budget: DistinctBudget;
}

/** Collects the content of a file column in one pass. */
export class ColumnScan {
  filled = 0;
  empty = 0;
  /** null: more than MAX_DISTINCT values, or over the memory budget of the file. */
  distinct: Map<SourceCell, number> | null = new Map();
  allNumbers = true;
  allIntegers = true;
  /** Maximum number of decimals, at most 10. */
  decimals = 0;
  allDates = true;
  allDatetimes = true;
  allClocks = true;
  longestCharacters = 0;
  /** Whether every cell is valid for the role. */
  isMetadata: boolean;
  private distinctBytes = 0;
  /** Scans for lists once there are too many distinct values to keep. */
  private lists: MultiAnswerScan | null = null;

  constructor(
    /** Role by name or layout; null: none. */
    readonly role: ColumnRole | null,
    private readonly options: ScanOptions,
  ) {
    this.isMetadata = role !== null;
  }

  add(rawCell: SourceCell): void {
    const cell = this.options.isCsv && typeof rawCell === 'string' ? unescapeFormula(rawCell) : rawCell;
    if (cell === null || cell === '') {
      this.empty += 1;
      return;
    }
    this.filled += 1;
    this.isMetadata &&= readMetadata(emptyMetadata(), this.role!, cell, this.options.timeZone) === null;
    if (this.distinct === null) this.lists?.add(String(cell));
    else {
      const count = this.distinct.get(cell) ?? 0;
      const isAffordable = count > 0 || this.reserveBytes(cell);
      this.distinct.set(cell, count + 1);
      if (this.distinct.size > MAX_DISTINCT || !isAffordable) {
        if (this.options.mayBeLists) this.lists = new MultiAnswerScan(this.distinct);
        this.distinct = null;
        this.options.budget.release(this.distinctBytes);
      }
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

  /** Returns how cells split into several answers, or null if they do not. */
  multiAnswers(): MultiAnswers | null {
    if (!this.options.mayBeLists) return null;
    const scan = this.distinct === null ? this.lists : new MultiAnswerScan(this.distinct);
    return scan?.detect() ?? null;
  }

  private reserveBytes(cell: string | number): boolean {
    const bytes = ENTRY_BYTES + (typeof cell === 'string' ? 2 * cell.length : 0);
    this.distinctBytes += bytes;
    return this.options.budget.reserve(bytes);
  }

  private addNumber(cell: string | number): void {
    if (!this.allNumbers) return;
    const value =
      typeof cell === 'string' && PADDED_NUMBER.test(cell)
        ? null
        : parseNumber(cell, this.options.decimalComma);
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
