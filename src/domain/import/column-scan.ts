import type { ColumnRole } from './column-roles.ts';
import { unescapeFormula } from './match-columns.ts';
import { type MultiAnswers, MultiAnswerScan } from './multi-answers.ts';
import { parseNumber } from './read-cell.ts';
import { emptyMetadata, readMetadata } from './read-metadata.ts';
import type { SourceCell } from './source-file.ts';

/** More different values than these are no list of categories. */
const MAX_DISTINCT = 1_000;
/** What an entry of a Map takes beside its text. */
const ENTRY_BYTES = 64;

/** Bounds the different values that the columns of one file keep in memory together. */
export class DistinctBudget {
  private leftBytes: number;

  constructor(maxBytes = 200_000_000) {
    this.leftBytes = maxBytes;
  }

  /** False when it is used up. */
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
/** 007 is a name in digits. */
const PADDED_NUMBER = /^[+-]?0\d/;
const MAX_DECIMALS = 10;

export interface ScanOptions {
  isCsv: boolean;
  decimalComma: boolean;
  /** Whether texts may be several answers: not in a statistics file, whose variables are declared. */
  mayBeLists: boolean;
  /** Of moments without an offset. */
  timeZone: string;
  /** Shared by the columns of the file. */
  budget: DistinctBudget;
}

/** What a column of a file holds, looked at once from its first cell to its last. */
export class ColumnScan {
  filled = 0;
  empty = 0;
  /** null: more than MAX_DISTINCT, or more than the budget of the file allows. */
  distinct: Map<SourceCell, number> | null = new Map();
  allNumbers = true;
  allIntegers = true;
  /** Digits after the point, 10 at most. */
  decimals = 0;
  allDates = true;
  allDatetimes = true;
  allClocks = true;
  longestCharacters = 0;
  /** What the column says about the response, by its name or by the layout; null: nothing. */
  readonly role: ColumnRole | null;
  /** Whether every cell can be read as the role. */
  isMetadata: boolean;
  private distinctBytes = 0;
  /** Of the cells when there were too many different ones to be kept, and of all since. */
  private lists: MultiAnswerScan | null = null;
  private readonly options: ScanOptions;

  constructor(role: ColumnRole | null, options: ScanOptions) {
    this.role = role;
    this.isMetadata = role !== null;
    this.options = options;
  }

  add(given: SourceCell): void {
    const cell = this.options.isCsv && typeof given === 'string' ? unescapeFormula(given) : given;
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

  /** How its cells hold several answers each; null: they do not. */
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
