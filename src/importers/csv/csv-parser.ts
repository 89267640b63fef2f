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
  private rest = '';
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
    return this.read(this.rest + text, false);
  }

  /** Returns the records at the end of the text. */
  end(): CsvRecord[] {
    return this.read(this.rest, true);
  }

  private read(text: string, isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let at = 0;
    while (at < text.length) {
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
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) count += 1;
  }
  return count;
}

/** Splits a whole text; `isWhole` false: without the last record, which may be cut off. */
export function parseCsv(
  text: string,
  delimiter: string,
  { hasQuotes = true, isWhole = true }: { hasQuotes?: boolean; isWhole?: boolean } = {},
): CsvRecord[] {
  const parser = new CsvParser(delimiter, hasQuotes);
  const records = parser.push(text);
  return isWhole ? [...records, ...parser.end()] : records;
}
