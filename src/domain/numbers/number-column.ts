import { type DecimalMark, readNumberText } from './read-number-text.ts';

/** The notation of the numbers of one source, such as a column of a file. */
export type ColumnNotation =
  /** All numbers are read the same with this mark; null: with either. */
  | { kind: 'known'; decimalMark: DecimalMark | null }
  /** All numbers can be read with a decimal point and with a decimal comma, and mean different numbers; `example` is the first of them. */
  | { kind: 'ambiguous'; example: string }
  /** Some numbers need a decimal point and others a decimal comma; the examples are the first of each. */
  | { kind: 'mixed'; pointExample: string; commaExample: string };

/** Infers the notation of numbers that are added one by one. Other texts, and empty ones, are counted and otherwise ignored. */
export class NumberColumn {
  /** Texts that are no numbers in either notation, and the first of them. */
  notNumbers = 0;
  firstNotNumber: string | null = null;
  private pointExample: string | null = null;
  private commaExample: string | null = null;
  private ambiguousExample: string | null = null;

  constructor(private readonly options: { allowsExponent: boolean } = { allowsExponent: true }) {}

  add(text: string): void {
    const point = readNumberText(text, { ...this.options, decimalMark: '.' });
    const comma = readNumberText(text, { ...this.options, decimalMark: ',' });
    if (point.kind === 'number' && comma.kind === 'number') {
      if (point.value !== comma.value) this.ambiguousExample ??= text;
    } else if (point.kind === 'number') this.pointExample ??= text;
    else if (comma.kind === 'number') this.commaExample ??= text;
    else if (text.trim() !== '') {
      this.notNumbers += 1;
      this.firstNotNumber ??= text;
    }
  }

  get notation(): ColumnNotation {
    const { pointExample, commaExample, ambiguousExample } = this;
    if (pointExample !== null && commaExample !== null) return { kind: 'mixed', pointExample, commaExample };
    if (pointExample !== null) return { kind: 'known', decimalMark: '.' };
    if (commaExample !== null) return { kind: 'known', decimalMark: ',' };
    if (ambiguousExample !== null) return { kind: 'ambiguous', example: ambiguousExample };
    return { kind: 'known', decimalMark: null };
  }
}

/** Infers the notation of a column of texts. */
export function inferNumberNotation(texts: Iterable<string>): ColumnNotation {
  const column = new NumberColumn();
  for (const text of texts) column.add(text);
  return column.notation;
}
