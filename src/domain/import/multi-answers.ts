import { LIST_SEPARATOR, NONE_TICKED } from '../dataset/columns/list-cell.ts';

/** Separators that form tools use within one cell. */
const SEPARATORS = [LIST_SEPARATOR, ',', '|', '\n'];
/** Columns with more distinct answers are not lists of options. */
const MAX_ANSWERS = 60;
const MAX_CELL_CHARACTERS = 4_000;
const MAX_ANSWER_CHARACTERS = 200;
/** Maximum share of answers that occur once, such as texts typed beside "Other". */
const MAX_ONCE_SHARE = 0.1;
/** Minimum number of filled cells per distinct answer. */
const MIN_CELLS_PER_ANSWER = 2;

interface Piece {
  count: number;
  /** Numbers of cells that start with it, end with it, or contain nothing else. */
  first: number;
  last: number;
  alone: number;
  /** The following pieces with their counts, and the preceding ones. */
  next: Map<string, number>;
  previous: Set<string>;
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
    for (const [i, text] of texts.entries()) {
      if (text.length > MAX_ANSWER_CHARACTERS) return false;
      this.allDigits &&= /^\d+$/.test(text);
      const piece = this.piece(text);
      piece.count += count;
      if (i === 0) piece.first += count;
      else piece.previous.add(texts[i - 1]!);
      if (i === texts.length - 1) piece.last += count;
      else piece.next.set(texts[i + 1]!, (piece.next.get(texts[i + 1]!) ?? 0) + count);
      if (texts.length === 1) piece.alone += count;
    }
    return this.pieces.size <= MAX_ANSWERS;
  }

  private piece(text: string): Piece {
    let piece = this.pieces.get(text);
    if (piece === undefined) {
      piece = { count: 0, first: 0, last: 0, alone: 0, next: new Map(), previous: new Set() };
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
      const outside = [...piece.next].filter(([next]) => !isGlued(text, next));
      for (const [, count] of outside) lists += count;
      const neighbours = new Set([
        ...outside.map(([next]) => next),
        ...[...piece.previous].filter((previous) => !isGlued(previous, text)),
      ]);
      const hasGlued = outside.length < piece.next.size || [...piece.previous].some((p) => isGlued(p, text));
      const isFree = hasGlued || (piece.first > 0 && piece.last > 0) || neighbours.size >= 2;
      if (!isFree && piece.count > 1) return null;
      isAlone ||= piece.alone > 0 && neighbours.size > 0;
    }
    const counts = [...this.pieces.values()].map(({ count }) => count);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const once = counts.filter((count) => count === 1).length;
    if (lists < 2 || !isAlone || once > MAX_ONCE_SHARE * total) return null;
    const answers = this.distinctAnswers(isGlued);
    if (answers.length < 2 || this.cells < MIN_CELLS_PER_ANSWER * answers.length) return null;
    return { answers, split };
  }

  /** Returns whether two consecutive pieces are parts of one answer. */
  private gluedPairs(): (piece: string, next: string) => boolean {
    const glued = new Set<string>();
    const key = (piece: string, next: string) => JSON.stringify([piece, next]);
    for (const [text, piece] of this.pieces) {
      // Always followed by a piece that occurs nowhere else: "Tea, hot" and "Tea, cold".
      const nextPieces = [...piece.next.keys()].map((next) => [next, this.pieces.get(next)!] as const);
      const isAlwaysFirst = nextPieces.every(([, { first, previous }]) => first === 0 && previous.size === 1);
      if (piece.last === 0 && isAlwaysFirst) for (const [next] of nextPieces) glued.add(key(text, next));
      // Always preceded by a piece that occurs nowhere else: "hot, please" and "cold, please".
      const previousPieces = [...piece.previous].map(
        (previous) => [previous, this.pieces.get(previous)!] as const,
      );
      const isAlwaysSecond = previousPieces.every(([, { last, next }]) => last === 0 && next.size === 1);
      if (piece.first === 0 && isAlwaysSecond)
        for (const [previous] of previousPieces) glued.add(key(previous, text));
    }
    return (piece, next) => glued.has(key(piece, next));
  }

  private distinctAnswers(isGlued: (piece: string, next: string) => boolean): string[] {
    const answers = new Set<string>();
    const grow = (text: string, last: string, seen: ReadonlySet<string>) => {
      const more = [...this.pieces.get(last)!.next.keys()].filter((next) => isGlued(last, next));
      if (more.length === 0) answers.add(text);
      for (const next of more)
        if (!seen.has(next)) grow(`${text}${this.glue()}${next}`, next, new Set([...seen, next]));
    };
    for (const [text, { previous, first }] of this.pieces) {
      const continues = first === 0 && [...previous].every((before) => isGlued(before, text));
      if (!continues) grow(text, text, new Set([text]));
    }
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
  pieces.forEach((piece, i) => {
    if (i > 0 && isGlued(pieces[i - 1]!, piece)) answers[answers.length - 1] += glueOf(separator) + piece;
    else answers.push(piece);
  });
  return answers;
}
