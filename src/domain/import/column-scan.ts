import { LIST_SEPARATOR, NONE_TICKED } from '../columns/column-spec.ts';
import { isMissingMark } from './missing-marks.ts';
import { MomentScan } from './moment-scan.ts';
import { NumberScan } from './number-scan.ts';
import { emptyMetadata, readMetadata } from './read-metadata.ts';
import { createMissingCheck, type ColumnRole, type SourceCell, type SourceVariable } from './source-file.ts';
import { clockSeconds } from './statistics-cells.ts';

/** Separators that form tools use within one cell. */
const SEPARATORS = [LIST_SEPARATOR, ',', '|', '\n'];
/** Columns with more distinct answers are not lists of options. */
const MAX_ANSWERS = 60;
/** Joins of pieces that are tried. */
const MAX_JOINS = 1_000;
const MAX_CELL_CHARACTERS = 4_000;
const MAX_ANSWER_CHARACTERS = 200;
/** Maximum share of answers that occur once, such as texts typed beside "Other". */
const MAX_ONCE_SHARE = 0.1;
/** Minimum number of filled cells per distinct answer. */
const MIN_CELLS_PER_ANSWER = 2;

interface Piece {
  text: string;
  count: number;
  /** Numbers of cells that start with it, end with it, or contain nothing else. */
  first: number;
  last: number;
  alone: number;
  /** The following pieces with their counts, and the preceding ones. */
  next: Map<Piece, number>;
  previous: Set<Piece>;
}

/** How the cells of a column split into several answers. */
export interface MultiAnswers {
  answers: string[];
  split: (cell: string) => string[];
}

/** Detects lists of recurring answers in a text column, such as "Red, Green". */
export class MultiAnswerScan {
  private lists: ListScan[];

  /** `cells`: distinct cells so far with their counts. */
  constructor(cells: ReadonlyMap<string | number | null, number>) {
    const texts = [...cells.keys()].map(String);
    const separators = SEPARATORS.filter((separator) => texts.some((text) => text.includes(separator)));
    this.lists = separators.map((separator) => new ListScan(separator));
    for (const [cell, count] of cells) this.add(String(cell), count);
  }

  add(cell: string, count = 1): void {
    if (this.lists.length === 0) return;
    const lists = this.lists.filter((list) => list.add(cell, count));
    if (lists.length < this.lists.length) this.lists = lists;
  }

  /** Returns null if cells are single answers or free texts. */
  detect(): MultiAnswers | null {
    const found = this.lists.flatMap((list) => {
      const answers = list.detect();
      return answers === null ? [] : [{ answers, count: list.separated }];
    });
    found.sort((a, b) => b.count - a.count);
    return found[0]?.answers ?? null;
  }
}

class ListScan {
  /** Number of cells that contain the separator. */
  separated = 0;
  private readonly pieces = new Map<string, Piece>();
  private cells = 0;
  private longest = 0;
  private allDigits = true;
  private allTight = true;

  constructor(private readonly separator: string) {}

  /** Returns false if the column cannot contain lists. */
  add(cell: string, count: number): boolean {
    if (cell.trim() === NONE_TICKED) return true;
    if (cell.length > MAX_CELL_CHARACTERS) return false;
    const texts = splitCell(cell, this.separator);
    if (new Set(texts).size < texts.length) return false;
    this.cells += count;
    if (texts.length > 1) {
      this.separated += count;
      this.allTight &&= !cell.includes(`${this.separator} `);
    }
    this.longest = Math.max(this.longest, texts.length);
    if (texts.some((text) => text.length > MAX_ANSWER_CHARACTERS)) return false;
    const pieces = texts.map((text) => this.piece(text));
    for (const [i, piece] of pieces.entries()) {
      this.allDigits &&= /^\d+$/.test(piece.text);
      piece.count += count;
      const previous = pieces[i - 1];
      if (previous === undefined) piece.first += count;
      else piece.previous.add(previous);
      const next = pieces[i + 1];
      if (next === undefined) piece.last += count;
      else piece.next.set(next, (piece.next.get(next) ?? 0) + count);
      if (pieces.length === 1) piece.alone += count;
    }
    return this.pieces.size <= MAX_ANSWERS;
  }

  private piece(text: string): Piece {
    let piece = this.pieces.get(text);
    if (piece === undefined) {
      piece = { text, count: 0, first: 0, last: 0, alone: 0, next: new Map(), previous: new Set() };
      this.pieces.set(text, piece);
    }
    return piece;
  }

  /**
   * Pieces that only occur together are one answer that contains the separator, such as "Yes, often". The rest are lists if answers recur,
   * are few and independent: each occurs first and last or next to two others, and some cell holds one alone.
   */
  detect(): MultiAnswers | null {
    const isGlued = this.gluedPairs();
    const split = (cell: string) => joinGlued(splitCell(cell, this.separator), isGlued, this.separator);
    // "1,5" and "2,5" are numbers unless a cell has three parts.
    if (this.allDigits && this.allTight && this.separator === ',' && this.longest < 3) return null;
    let lists = 0;
    let isAlone = false;
    for (const [text, piece] of this.pieces) {
      const outside = [...piece.next].filter(([next]) => !isGlued(text, next.text));
      for (const [, count] of outside) lists += count;
      const neighbors = new Set([
        ...outside.map(([next]) => next),
        ...[...piece.previous].filter((previous) => !isGlued(previous.text, text)),
      ]);
      const hasGlued =
        outside.length < piece.next.size || [...piece.previous].some((p) => isGlued(p.text, text));
      const isFree = hasGlued || (piece.first > 0 && piece.last > 0) || neighbors.size >= 2;
      if (!isFree && piece.count > 1) return null;
      isAlone ||= piece.alone > 0 && neighbors.size > 0;
    }
    const counts = [...this.pieces.values()].map(({ count }) => count);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const once = counts.filter((count) => count === 1).length;
    if (lists < 2 || !isAlone || once > MAX_ONCE_SHARE * total) return null;
    const answers = this.distinctAnswers(isGlued);
    if (answers === null || answers.length < 2 || this.cells < MIN_CELLS_PER_ANSWER * answers.length)
      return null;
    return { answers, split };
  }

  /** Returns whether two consecutive pieces are parts of one answer. */
  private gluedPairs(): (piece: string, next: string) => boolean {
    const glued = new Set<string>();
    const key = (piece: string, next: string) => JSON.stringify([piece, next]);
    for (const [text, piece] of this.pieces) {
      // Always followed by a piece that occurs nowhere else: "Tea, hot" and "Tea, cold".
      const nextPieces = [...piece.next.keys()];
      const isAlwaysFirst = nextPieces.every(({ first, previous }) => first === 0 && previous.size === 1);
      if (piece.last === 0 && isAlwaysFirst) for (const next of nextPieces) glued.add(key(text, next.text));
      // Always preceded by a piece that occurs nowhere else: "hot, please" and "cold, please".
      const previousPieces = [...piece.previous];
      const isAlwaysSecond = previousPieces.every(({ last, next }) => last === 0 && next.size === 1);
      if (piece.first === 0 && isAlwaysSecond)
        for (const previous of previousPieces) glued.add(key(previous.text, text));
    }
    return (piece, next) => glued.has(key(piece, next));
  }

  /** null: the pieces join to too many answers, of which there can be exponentially many. */
  private distinctAnswers(isGlued: (piece: string, next: string) => boolean): string[] | null {
    const answers = new Set<string>();
    let steps = 0;
    const grow = (text: string, last: Piece, seen: ReadonlySet<Piece>) => {
      if ((steps += 1) > MAX_JOINS) return;
      const more = [...last.next.keys()].filter((next) => isGlued(last.text, next.text));
      if (more.length === 0) answers.add(text);
      for (const next of more)
        if (!seen.has(next)) grow(`${text}${this.glue()}${next.text}`, next, new Set([...seen, next]));
    };
    for (const [text, piece] of this.pieces) {
      const continues =
        piece.first === 0 && [...piece.previous].every((before) => isGlued(before.text, text));
      if (!continues) grow(text, piece, new Set([piece]));
    }
    if (steps > MAX_JOINS || answers.size > MAX_ANSWERS) return null;
    return [...answers].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }

  private glue(): string {
    return glueOf(this.separator);
  }
}

const glueOf = (separator: string) => (separator === '\n' ? ' ' : `${separator} `);

function splitCell(cell: string, separator: string): string[] {
  return cell
    .split(separator)
    .map((piece) => piece.trim().normalize('NFC'))
    .filter((piece) => piece !== '');
}

function joinGlued(
  pieces: readonly string[],
  isGlued: (piece: string, next: string) => boolean,
  separator: string,
): string[] {
  const answers: string[] = [];
  let previous: string | undefined;
  for (const piece of pieces) {
    if (previous !== undefined && isGlued(previous, piece))
      answers[answers.length - 1] += glueOf(separator) + piece;
    else answers.push(piece);
    previous = piece;
  }
  return answers;
}

/** Scans columns that may be one question, row by row, for properties no single column shows. */
export class GroupScan {
  /** Rows with a value in at least one of the columns. */
  answered = 0;
  /** Whether every such row has a value in each column. */
  isComplete = true;
  /** Cells that repeat the value of an earlier column in their row. */
  repeats = 0;
  /** Rows whose values are the ranks 1 to n of at least two columns; null if any row has other values. */
  ranked: number | null = 0;

  constructor(
    private readonly indexes: readonly number[],
    private readonly isMissing: (cell: string | number, index: number) => boolean = () => false,
  ) {}

  add(cells: readonly SourceCell[]): void {
    const values: (string | number)[] = [];
    for (const index of this.indexes) {
      const cell = cells[index] ?? null;
      if (cell !== null && cell !== '' && !this.isMissing(cell, index)) values.push(cell);
    }
    if (values.length === 0) return;
    this.answered += 1;
    this.isComplete &&= values.length === this.indexes.length;
    this.repeats += values.length - new Set(values).size;
    if (this.ranked === null) return;
    const ranks = new Set(values.map(Number));
    if (ranks.size < values.length || values.some((value) => !isRankUpTo(value, values.length)))
      this.ranked = null;
    else if (values.length > 1) this.ranked += 1;
  }
}

function isRankUpTo(value: string | number, count: number): boolean {
  const rank = Number(value);
  return Number.isInteger(rank) && rank >= 1 && rank <= count && String(value).trim() !== '';
}

/** Columns with more distinct values are not categories. */
const MAX_DISTINCT = 1_000;
/** Different user-missing values that are counted: a declared range may hold any number of them. */
const MAX_MISSING_VALUES = 50;
/** Different missing marks that are counted. */
const MAX_MARKS = 50;
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

export interface ScanOptions {
  /** Whether texts can be lists of answers; false for statistics files, whose variables are declared. */
  mayBeLists: boolean;
  /** Time zone of timestamps without an offset. */
  timeZone: string;
  /** Shared by all columns of the file. */
  budget: DistinctBudget;
}

/** Collects the content of a file column in one pass. */
export class ColumnScan {
  /** Cells that are not empty, missing marks included. */
  filled = 0;
  empty = 0;
  /** null: more than MAX_DISTINCT values, or over the memory budget of the file. */
  distinct: Map<SourceCell, number> | null = new Map();
  readonly numbers = new NumberScan();
  readonly moments = new MomentScan();
  longestCharacters = 0;
  /** Cells with a value that the statistics file declares missing; the properties of the values leave them out. */
  userMissing = 0;
  /** Those values with the number of each; null: more than MAX_MISSING_VALUES. */
  missingValues: Map<string | number, number> | null = new Map();
  /** Values of a date variable that no calendar shows. */
  outOfCalendar = 0;
  /** Cells that are valid for the role. */
  metadataCells = 0;
  /** Cells that mean "missing" if the others are numbers or dates, with the number of each. */
  readonly marks = new Map<string, number>();
  private markCells = 0;
  private readonly isUserMissing: (value: string | number) => boolean;
  private distinctBytes = 0;
  /** Scans for lists once there are too many distinct values to keep. */
  private lists: MultiAnswerScan | null = null;

  constructor(
    /** Role by name or layout; null: none. */
    readonly role: ColumnRole | null,
    private readonly options: ScanOptions,
    /** Statistics files only. */
    private readonly variable: SourceVariable | null = null,
  ) {
    this.isUserMissing = variable === null ? () => false : createMissingCheck(variable);
  }

  add(cell: SourceCell): void {
    if (cell === null || cell === '') {
      this.empty += 1;
      return;
    }
    this.filled += 1;
    if (this.role !== null) {
      const { timeZone } = this.options;
      if (readMetadata(emptyMetadata(), { role: this.role, cell, timeZone }) === null)
        this.metadataCells += 1;
    }
    this.addDistinct(cell);
    if (this.isUserMissing(cell)) {
      this.userMissing += 1;
      this.addMissingValue(cell);
      return;
    }
    if (typeof cell === 'string') this.longestCharacters = Math.max(this.longestCharacters, cell.length);
    const kind = this.variable?.kind;
    if (typeof cell === 'number' && (kind === 'date' || kind === 'datetime')) {
      this.numbers.add(cell);
      this.outOfCalendar += 1;
      return;
    }
    if (typeof cell === 'string' && this.variable === null && isMissingMark(cell)) {
      this.markCells += 1;
      const mark = cell.trim();
      if (this.marks.size < MAX_MARKS || this.marks.has(mark))
        this.marks.set(mark, (this.marks.get(mark) ?? 0) + 1);
      return;
    }
    this.numbers.add(kind === 'time' && typeof cell === 'string' ? (clockSeconds(cell) ?? cell) : cell);
    this.moments.add(cell);
  }

  private addMissingValue(cell: string | number): void {
    this.missingValues?.set(cell, (this.missingValues.get(cell) ?? 0) + 1);
    if ((this.missingValues?.size ?? 0) > MAX_MISSING_VALUES) this.missingValues = null;
  }

  private addDistinct(cell: string | number): void {
    if (this.distinct === null) {
      this.lists?.add(String(cell));
      return;
    }
    const count = this.distinct.get(cell) ?? 0;
    const isAffordable = count > 0 || this.reserveBytes(cell);
    this.distinct.set(cell, count + 1);
    if (this.distinct.size <= MAX_DISTINCT && isAffordable) return;
    if (this.options.mayBeLists) this.lists = new MultiAnswerScan(this.distinct);
    this.distinct = null;
    this.options.budget.release(this.distinctBytes);
  }

  /** Cells that are neither empty nor missing marks. */
  get valued(): number {
    return this.filled - this.markCells;
  }

  /** Whether all cells but missing marks are numbers in the notation of the column. */
  get allNumbers(): boolean {
    return this.valued > 0 && this.numbers.areNumbers;
  }

  get allIntegers(): boolean {
    return this.allNumbers && this.numbers.areIntegers;
  }

  /** Whether all cells are dates, or times of a day; true if there are none. */
  get allDates(): boolean {
    return this.moments.areDates;
  }

  get allClocks(): boolean {
    return this.moments.areClocks;
  }

  /** Maximum number of decimals. */
  get decimals(): number {
    return this.numbers.decimals;
  }

  /** Whether the column has numbers or moments alone, so that its missing marks are missing values. */
  get hasMissingMarks(): boolean {
    return this.markCells > 0 && (this.allNumbers || this.moments.precision !== null);
  }

  isMissing(cell: SourceCell): boolean {
    return typeof cell === 'string' && this.hasMissingMarks && isMissingMark(cell);
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
}
