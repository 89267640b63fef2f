import { MAX_IMPORT_COLUMNS } from '../../domain/import/source-file.ts';

/** One record of a CSV file. */
export interface CsvRecord {
  /** 1-based row as spreadsheets show it: blank lines count, line ends inside quotes do not. */
  row: number;
  cells: string[];
}

/** A quote that opens and is not closed before the end of the file, or of the longest allowed record. */
export class UnclosedQuoteError extends Error {
  constructor(
    /** 1-based line of the text. */
    readonly line: number,
    /** 1-based cell within its record. */
    readonly cell: number,
  ) {
    super(`line ${line}: the quote (") that opens cell ${cell} is not closed`);
  }
}

/** Longest record: a file whose quotes are unbalanced would otherwise be one record. */
const MAX_RECORD_CHARACTERS = 4_000_000;
/** Four times the columns of the largest table. */
const MAX_RECORD_CELLS = 4 * MAX_IMPORT_COLUMNS;

/** A record with more than MAX_RECORD_CELLS cells. */
export class TooManyCellsError extends Error {
  /** `row`: as in CsvRecord. */
  constructor(readonly row: number) {
    super(`row ${row} has more than ${MAX_RECORD_CELLS} cells`);
  }
}

const QUOTE = 0x22;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface Scanned {
  cells: string[];
  /** The index of the next record. */
  next: number;
  isBlank: boolean;
  hasQuotes: boolean;
  /** The indexes of opening quotes of cells with text behind their closing quote. */
  misquotedAt: number[];
}

/**
 * Splits text into records as RFC 4180 with these additions: lines end with LF, CRLF or CR; a quote inside an unquoted cell is a
 * character; spaces around a quoted cell are ignored; in a cell with text behind its closing quote, all quotes are characters.
 */
export class CsvParser {
  /** Cells with text behind their closing quote: their number, and the line of the first. */
  readonly misquoted = { count: 0, firstLine: 0 };
  private readonly delimiter: number;
  /** The beginning of an incomplete record. */
  private rest = '';
  /** Texts behind it that are not read yet. */
  private parts: string[] = [];
  /** Characters of `parts` before a long record is read again: reading it at each text would take quadratic time. */
  private missing = 0;
  private row = 0;
  private line = 1;

  /** `hasQuotes`: whether quotes at the beginning of a cell enclose it. */
  constructor(
    delimiter: string,
    private readonly hasQuotes = true,
  ) {
    this.delimiter = delimiter.charCodeAt(0);
  }

  /** Returns the records that are complete after this text. Throws UnclosedQuoteError. */
  push(text: string): CsvRecord[] {
    this.parts.push(text);
    this.missing -= text.length;
    if (this.missing > 0) return [];
    const records = this.read(this.takeText(), false);
    this.missing = this.rest.length;
    return records;
  }

  /** Returns the complete records of what was pushed. */
  flush(): CsvRecord[] {
    return this.read(this.takeText(), false);
  }

  /** Returns the records at the end of the text. */
  end(): CsvRecord[] {
    return this.read(this.takeText(), true);
  }

  private takeText(): string {
    const text = this.rest + this.parts.join('');
    this.parts = [];
    return text;
  }

  private read(text: string, isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let at = 0;
    while (at < text.length) {
      const blankEnd = endOfBlankLine(text, at);
      if (blankEnd !== null) {
        this.row += 1;
        this.line += 1;
        at = blankEnd;
        continue;
      }
      const scanned = this.scan(text, at, isLast);
      if (scanned === 'incomplete') break;
      const { cells, next, isBlank, hasQuotes, misquotedAt } = scanned;
      this.row += 1;
      if (!isBlank) records.push({ row: this.row, cells });
      for (const open of misquotedAt) {
        this.misquoted.count += 1;
        this.misquoted.firstLine ||= this.line + countLineEnds(text, at, open);
      }
      this.line += hasQuotes ? countLineEnds(text, at, next) : 1;
      at = next;
    }
    this.rest = text.slice(at);
    return records;
  }

  private scan(text: string, start: number, isLast: boolean): Scanned | 'incomplete' {
    const cells: string[] = [];
    const misquotedAt: number[] = [];
    let hasQuotes = false;
    for (let at = start; ; at += 1) {
      if (cells.length >= MAX_RECORD_CELLS) throw new TooManyCellsError(this.row + 1);
      const open = this.hasQuotes ? findOpeningQuote(text, at) : -1;
      let end: number | undefined;
      if (open < 0) end = this.endOfCell(text, at);
      else {
        hasQuotes = true;
        const closing = findClosingQuote(text, open + 1, isLast);
        if (closing === 'incomplete') return this.needMore(text, start, { open, cell: cells.length + 1 });
        end = closing === 'missing' ? undefined : this.endOfQuotedCell(text, closing + 1);
        if (end === text.length && !isLast) return 'incomplete';
        if (closing === 'missing' || (end === undefined && countLineEnds(text, open, closing) > 0))
          throw this.unclosed(text, start, { open, cell: cells.length + 1 });
        if (end === undefined) {
          end = this.endOfCell(text, closing + 1);
          misquotedAt.push(open);
          cells.push(text.slice(at, end));
        } else cells.push(text.slice(open + 1, closing).replaceAll('""', '"'));
      }
      if (open < 0) cells.push(text.slice(at, end));
      const isEnd = end >= text.length;
      if (isEnd && !isLast) return this.needMore(text, start, null);
      if (!isEnd && text.charCodeAt(end) === this.delimiter) {
        at = end;
        continue;
      }
      const isBlank = cells.length === 1 && !hasQuotes && cells[0]?.trim() === '';
      const scanned = { cells, isBlank, hasQuotes, misquotedAt };
      const isCarriageReturn = !isEnd && text.charCodeAt(end) === CARRIAGE_RETURN;
      if (isCarriageReturn && end + 1 === text.length && !isLast) return 'incomplete';
      const isPair = isCarriageReturn && text.charCodeAt(end + 1) === LINE_FEED;
      return { ...scanned, next: end + (isPair ? 2 : 1) };
    }
  }

  /** The end of the cell if only spaces follow, else undefined. */
  private endOfQuotedCell(text: string, at: number): number | undefined {
    let end = at;
    while (text.charCodeAt(end) === SPACE) end += 1;
    return end === text.length || this.endsCell(text.charCodeAt(end)) ? end : undefined;
  }

  private endOfCell(text: string, at: number): number {
    let end = at;
    while (end < text.length && !this.endsCell(text.charCodeAt(end))) end += 1;
    return end;
  }

  private endsCell(code: number): boolean {
    return code === this.delimiter || code === LINE_FEED || code === CARRIAGE_RETURN;
  }

  private needMore(text: string, start: number, quoted: { open: number; cell: number } | null): 'incomplete' {
    if (text.length - start <= MAX_RECORD_CHARACTERS) return 'incomplete';
    throw this.unclosed(text, start, quoted ?? { open: start, cell: 1 });
  }

  private unclosed(text: string, start: number, { open, cell }: { open: number; cell: number }) {
    return new UnclosedQuoteError(this.line + countLineEnds(text, start, open), cell);
  }
}

/** The index after a line of spaces that ends with LF, or null. Such lines are skipped without allocations. */
function endOfBlankLine(text: string, at: number): number | null {
  let end = at;
  while (text.charCodeAt(end) === SPACE) end += 1;
  return text.charCodeAt(end) === LINE_FEED ? end + 1 : null;
}

/** The index of the quote that begins the cell, or -1. */
function findOpeningQuote(text: string, at: number): number {
  let open = at;
  while (text.charCodeAt(open) === SPACE) open += 1;
  return text.charCodeAt(open) === QUOTE ? open : -1;
}

/** The index of the quote that closes the cell. `incomplete`: it may follow. */
function findClosingQuote(text: string, from: number, isLast: boolean): number | 'incomplete' | 'missing' {
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return isLast ? 'missing' : 'incomplete';
    if (quote + 1 === text.length) return isLast ? quote : 'incomplete';
    if (text.charCodeAt(quote + 1) !== QUOTE) return quote;
    at = quote + 2;
  }
}

/** CRLF is one. */
function countLineEnds(text: string, from: number, to: number): number {
  const part = text.slice(from, to);
  let count = 0;
  for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) count += 1;
  for (let at = part.indexOf('\r'); at >= 0; at = part.indexOf('\r', at + 1))
    if (text.charCodeAt(from + at + 1) !== LINE_FEED) count += 1;
  return count;
}

/** Characters that are read before the number of records is counted. */
const CHARACTERS_PER_COUNT = 16 * 1024;

/**
 * Splits a text into at most `maxRecords` records. `isWhole` false: without the last record of the text, which may be cut off. Throws
 * UnclosedQuoteError and TooManyCellsError for what was read.
 */
export function parseCsv(
  text: string,
  delimiter: string,
  {
    hasQuotes = true,
    isWhole = true,
    maxRecords = Infinity,
  }: { hasQuotes?: boolean; isWhole?: boolean; maxRecords?: number } = {},
): CsvRecord[] {
  const parser = new CsvParser(delimiter, hasQuotes);
  const records: CsvRecord[] = [];
  for (let start = 0; start < text.length; start += CHARACTERS_PER_COUNT) {
    records.push(...parser.push(text.slice(start, start + CHARACTERS_PER_COUNT)));
    if (records.length >= maxRecords) return records.slice(0, maxRecords);
  }
  const last = isWhole ? parser.end() : parser.flush();
  return [...records, ...last].slice(0, maxRecords);
}
