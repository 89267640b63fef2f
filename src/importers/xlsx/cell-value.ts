import type { SourceCell } from '../../domain/import/source-file.ts';
import { formatClock } from '../../lib/clock-text.ts';
import { unreadableFile } from '../byte-file.ts';
import { builtInFormat, type NumberFormat } from './number-format.ts';
import { DAY_SECONDS, formatSerial, parseIsoCell, secondsOfSerial } from './serial-date.ts';

/** A time of day or a length of time; the whole column decides which. */
export interface TimeCell {
  seconds: number;
}

export type SheetCell = SourceCell | TimeCell;

/** What a column has that a note is about, in cells. */
export interface ColumnFacts {
  /** From 0. */
  column: number;
  errors: number;
  /** Such as `#N/A`, of the first one. */
  firstError: string;
  firstErrorRow: number;
  /** Formulas without a result. */
  uncalculated: number;
  /** Numbers with the format of a date that are no dates. */
  notDates: number;
  firstNotDate: number;
  percents: number;
  /** Numbers that are shown with zeros in front. */
  padded: number;
  /** Times without a date. */
  times: number;
  /** Times that are lengths: in their format, or because they are a day or longer, or negative. */
  lengths: number;
  /** Other numbers. */
  numbers: number;
}

const createFacts = (column: number): ColumnFacts => ({
  column,
  errors: 0,
  firstError: '',
  firstErrorRow: 0,
  uncalculated: 0,
  notDates: 0,
  firstNotDate: 0,
  percents: 0,
  padded: 0,
  times: 0,
  lengths: 0,
  numbers: 0,
});

/** A cell (ECMA-376 part 1, 18.3.1.4). */
export interface RawCell {
  row: number;
  column: number;
  /** `t`; null: a number. */
  type: string | null;
  /** Index of its format. */
  style: number;
  /** The text of `v`, or of `is` without phonetic hints; null: neither is there. */
  text: string | null;
  hasFormula: boolean;
}

/** What cells refer to. */
export interface CellContext {
  /** By the index of a style. */
  formats: readonly NumberFormat[];
  sharedStrings: readonly string[];
  is1904: boolean;
}

const GENERAL = builtInFormat(0);
/** A longer time without a date is a moment that is shown without its date. */
const MAX_LENGTH_DAYS = 366;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** A character that XML or a spreadsheet cannot write, as UTF-16. */
const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;

/** Decodes `_x000D_` (ECMA-376 part 1, 22.9.2.19); `_x005F_x000D_` is the text `_x000D_`. */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Converts cells by their type and format, and counts what notes are about. */
export class CellConverter {
  private readonly columns: (ColumnFacts | undefined)[] = [];

  constructor(private readonly context: CellContext) {}

  /** Columns with something to note. */
  get facts(): ColumnFacts[] {
    return this.columns.filter((facts) => facts !== undefined);
  }

  convert(cell: RawCell): SheetCell {
    const { text } = cell;
    if (text === null || (text === '' && cell.type !== 'str')) {
      if (cell.hasFormula) this.factsOf(cell).uncalculated += 1;
      return null;
    }
    switch (cell.type) {
      case 's':
        return this.sharedString(text) || null;
      case 'str':
      case 'inlineStr':
        return decodeEscapes(text) || null;
      case 'b':
        return text === '1' || text === 'true' ? 1 : 0;
      case 'e': {
        const facts = this.factsOf(cell);
        if (facts.errors === 0) Object.assign(facts, { firstError: text, firstErrorRow: cell.row });
        facts.errors += 1;
        return null;
      }
      case 'd':
        return this.isoDate(cell, text);
      default:
        return this.number(cell, text);
    }
  }

  private sharedString(index: string): string {
    const text = /^\s*\d{1,9}\s*$/.test(index) ? this.context.sharedStrings[Number(index)] : undefined;
    if (text === undefined)
      throw unreadableFile(
        `cannot be read as an .xlsx workbook: it has no shared string ${index.slice(0, 20)}, which a cell refers to`,
      );
    return text;
  }

  private isoDate(cell: RawCell, text: string): SheetCell {
    const read = parseIsoCell(text.trim());
    if (read === null) return decodeEscapes(text);
    const { day, seconds } = read;
    if (seconds === null) return day;
    if (day === null) return this.time(cell, seconds / DAY_SECONDS, 'time');
    if (seconds === 0) return day;
    return `${day}T${formatClock(seconds)}`;
  }

  private number(cell: RawCell, text: string): SheetCell {
    const value = NUMBER.test(text) ? Number(text) : parseSpaced(text);
    // Nothing is lost: the import says that it is no number.
    if (!Number.isFinite(value)) return decodeEscapes(text);
    const format = this.context.formats[cell.style] ?? GENERAL;
    const kind = format.kindOf(value);
    const facts = this.factsOf(cell);
    switch (kind) {
      case 'date': {
        const { is1904 } = this.context;
        if (value > 0 && value < 1 && !is1904) return this.time(cell, value, 'time');
        const date = formatSerial(value, is1904);
        if (date !== null) return date;
        if (facts.notDates === 0) facts.firstNotDate = value;
        facts.notDates += 1;
        return null;
      }
      case 'time':
        if (value >= MAX_LENGTH_DAYS) {
          const date = formatSerial(value, this.context.is1904);
          if (date !== null) return date;
        }
        return this.time(cell, value, 'time');
      case 'length':
        return this.time(cell, value, 'length');
      case 'percent':
        facts.percents += 1;
        break;
      case 'number':
        if (format.padding > 0 && value >= 0 && String(value).length < format.padding) facts.padded += 1;
    }
    facts.numbers += 1;
    return value;
  }

  private time(cell: RawCell, days: number, kind: 'time' | 'length'): TimeCell {
    const facts = this.factsOf(cell);
    facts.times += 1;
    if (kind === 'length' || days < 0 || days >= 1) facts.lengths += 1;
    return { seconds: secondsOfSerial(days) };
  }

  private factsOf({ column }: RawCell): ColumnFacts {
    return (this.columns[column] ??= createFacts(column));
  }
}

function parseSpaced(text: string): number {
  const trimmed = text.trim();
  return NUMBER.test(trimmed) ? Number(trimmed) : NaN;
}
