import { type ColumnNotation, NumberColumn } from '../numbers/number-column.ts';
import { type DecimalMark, type NumberReading, readNumberText } from '../numbers/read-number-text.ts';
import { mustBe } from '../../lib/error-messages.ts';
import { MAX_DECIMALS } from '../questions/types/number.ts';
import { digitsAfterPoint } from '../questions/types/numeric-answers.ts';
import { ConvertedCell, unreadableCell } from './cell-outcome.ts';
import type { SourceCell } from './source-file.ts';
import { trimCharacters } from '../../lib/trim-characters.ts';

/** A number with leading zeros, such as 007, is an identifier. */
const PADDED_NUMBER = /^[+-]?0\d/;
/** A plus before so many digits is a telephone number. */
const TELEPHONE = /^\+[\d\s]{7,}$/;
/** Digits in groups. Of the same length in all cells, they are identifiers such as telephone numbers. */
const GROUPED_IDENTIFIER = /^\d{1,3}([ .'’]\d{3}){2,}$/;
const MIN_IDENTIFIER_CHARACTERS = 9;
/** A double holds so many digits of any number. */
const EXACT_DIGITS = 15;
const DIGIT = /\p{Nd}/u;
/** Beyond, the column is not examined further. */
const MAX_OTHERS = 10_000;
/** Numbers whose marks have one meaning: `12`, `12.5`, `12,25`, `1234.5678`. */
const SIMPLE = /^-?(?:0|[1-9]\d{0,14})(?:([.,])(?:\d{1,2}|\d{4,10}))?$/;

/** Reads a number of a file; exponents are allowed, as programs write them. */
export function readFileNumber(text: string, decimalMark: DecimalMark | null): NumberReading {
  return readNumberText(text, { decimalMark, allowsExponent: true });
}

/** What all numbers of a column have in common if they are read with one decimal mark. */
class MarkStatistics {
  count = 0;
  areIntegers = true;
  decimals = 0;

  add(value: number): void {
    this.count += 1;
    if (Number.isSafeInteger(value)) return;
    this.areIntegers = false;
    const isExact = Math.abs(value) <= Number.MAX_SAFE_INTEGER && Number(value.toPrecision(15)) === value;
    this.decimals = isExact
      ? Math.min(MAX_DECIMALS, Math.max(this.decimals, decimalsOf(value)))
      : MAX_DECIMALS;
  }
}

/** The number of decimals of a double as it is written shortest: 11 of 1.2e-11 plus its digits. */
function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, digitsAfterPoint(Number(mantissa)) - Number(exponent));
}

/** Collects the numbers of a column. Their decimal mark is only known after all columns of the file are scanned. */
export class NumberScan {
  /** Cells that are numbers in no notation, or identifiers; and the first of them. */
  others = 0;
  firstOther: string | null = null;
  /** The mark that begins decimals in this column, set from its numbers and the other columns; null: no number needs it. */
  decimalMark: DecimalMark | null = null;
  private cells = 0;
  private readonly byMark = { '.': new MarkStatistics(), ',': new MarkStatistics() };
  private readonly column = new NumberColumn();
  private identifierCharacters: number | null = null;

  add(cell: string | number): void {
    this.cells += 1;
    if (this.others >= MAX_OTHERS) {
      this.others += 1;
      return;
    }
    if (typeof cell === 'number') {
      this.addReadings(cell, cell);
      return;
    }
    const text = cell.trim();
    if (PADDED_NUMBER.test(text) || TELEPHONE.test(text) || !DIGIT.test(text)) {
      this.addOther(cell);
      return;
    }
    const mark = SIMPLE.exec(text)?.[1];
    if (mark === undefined && SIMPLE.test(text)) this.addReadings(Number(text), Number(text));
    else if (mark === '.') this.addReadings(Number(text), null);
    else if (mark === ',') this.addReadings(null, Number(text.replace(',', '.')));
    else {
      const [point, comma] = (['.', ','] as const).map((decimal) => {
        const reading = readFileNumber(text, decimal);
        return reading.kind === 'number' && isStorable(reading) ? reading.value : null;
      });
      if (point == null && comma == null) {
        this.addOther(cell);
        return;
      }
      this.addReadings(point ?? null, comma ?? null);
    }
    this.column.add(text);
    const isGrouped = text.length >= MIN_IDENTIFIER_CHARACTERS && GROUPED_IDENTIFIER.test(text);
    this.identifierCharacters =
      isGrouped && (this.cells === 1 || this.identifierCharacters === text.length) ? text.length : null;
  }

  private addOther(text: string | number): void {
    this.others += 1;
    this.firstOther ??= String(text);
  }

  private addReadings(point: number | null, comma: number | null): void {
    if (point !== null) this.byMark['.'].add(point);
    if (comma !== null) this.byMark[','].add(comma);
  }

  get notation(): ColumnNotation {
    return this.column.notation;
  }

  private get statistics(): MarkStatistics {
    return this.byMark[this.decimalMark ?? '.'];
  }

  get areNumbers(): boolean {
    return (
      this.cells > 0 &&
      this.others === 0 &&
      this.statistics.count === this.cells &&
      (this.identifierCharacters === null || this.cells === 1)
    );
  }

  get areIntegers(): boolean {
    return this.statistics.areIntegers;
  }

  get decimals(): number {
    return this.statistics.decimals;
  }

  /** Returns the value of a cell in the notation of the column; null: it is no number. */
  read(cell: string | number): number | null {
    if (typeof cell === 'number') return cell;
    const reading = readFileNumber(cell, this.decimalMark ?? '.');
    return reading.kind === 'number' ? reading.value : null;
  }

  /** As `read`, with what is lost of numbers that have more digits than a double. */
  convert(cell: string | number): SourceCell | ConvertedCell {
    if (typeof cell === 'number') return cell;
    const reading = readFileNumber(cell, this.decimalMark ?? '.');
    if (reading.kind !== 'number') return unreadableCell(mustBe('a number', cell));
    return hasAllDigits(reading)
      ? reading.value
      : new ConvertedCell(reading.value, {
          kind: 'changed',
          reason: `has more digits than the number ${reading.value} that is stored`,
        });
  }
}

/** Whether the number is no integer beyond those that are exact: such integers are identifiers. */
function isStorable({ value, text }: { value: number; text: string }): boolean {
  return Number.isFinite(value) && (text.includes('.') || /e/i.test(text) || Number.isSafeInteger(value));
}

const digitsOf = (text: string) =>
  trimCharacters((text.split(/e/i, 1)[0] ?? '').replaceAll(/[-.]/g, ''), /0/);

/** Whether a double holds all digits as they are written. */
function hasAllDigits({ value, text }: { value: number; text: string }): boolean {
  const digits = digitsOf(text);
  return (
    digits.length <= EXACT_DIGITS || digitsOf(value.toPrecision(Math.min(100, digits.length))) === digits
  );
}

/**
 * Returns the decimal mark of each column. A column whose numbers can be read in two ways is read as the other columns of the file, or if
 * they do not tell, with a decimal comma in files with semicolons between the cells and with a decimal point in others.
 *
 * @param declared the mark that the client states for all columns; null: none
 */
export function chooseDecimalMarks(
  columns: readonly NumberScan[],
  { declared, delimiter }: { declared: DecimalMark | null; delimiter: string | null },
): void {
  const known = new Set(
    columns.flatMap(({ notation, others }) =>
      notation.kind === 'known' && notation.decimalMark !== null && others === 0
        ? [notation.decimalMark]
        : [],
    ),
  );
  const [only] = known.size === 1 ? known : [];
  const ofFile = only ?? (delimiter === ';' ? ',' : '.');
  for (const column of columns) {
    const { notation } = column;
    if (declared !== null) column.decimalMark = declared;
    else if (notation.kind === 'known') column.decimalMark = notation.decimalMark;
    else if (notation.kind === 'ambiguous') column.decimalMark = ofFile;
  }
}
