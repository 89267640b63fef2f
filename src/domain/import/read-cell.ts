import { findSimilar, formatList, mustBe, quote, unknownValue } from '../../lib/error-messages.ts';
import { truncateText } from '../../lib/truncate-text.ts';
import {
  type Cell,
  type ColumnSpec,
  type ColumnValue,
  LIST_SEPARATOR,
  NONE_TICKED,
} from '../columns/column-spec.ts';
import type { DecimalMark } from '../numbers/read-number-text.ts';
import { MISSING } from './cell-outcome.ts';
import { isMissingMark } from './missing-marks.ts';
import { readFileNumber } from './number-scan.ts';
import type { CellOutcome, SourceCell } from './source-file.ts';

/** How the file writes coded values: as option_value, as label, or either, values first. */
export type ValuesAs = 'code' | 'label' | 'auto';

type ReadCell = { ok: true; cell: Cell; outcome?: CellOutcome } | { ok: false; message: string };

const SEPARATORS = [LIST_SEPARATOR, ',', '|', '\n'];
const LISTED = 5;
/** Messages about a column's unknown values that suggest a similar one. */
const MAX_SUGGESTIONS = 100;

const folded = (text: string) => text.trim().normalize('NFC').toLowerCase();

/** Maps cells to the categories of a column. */
class ChoiceCellReader {
  private readonly values: readonly ColumnValue[];
  private readonly byValue: Map<string, string>;
  private readonly byCode: Map<string, string>;
  /** null: the label is ambiguous. */
  private readonly byLabel = new Map<string, string | null>();
  /** The most parts that a value or label has when it is split, by separator. */
  private readonly mostParts: ReadonlyMap<string, number>;
  private unknownValues = 0;

  /** `codesFirst`: numbers are option_codes, as in a statistics file. */
  constructor(
    { values }: Pick<ColumnSpec, 'values'>,
    private readonly valuesAs: ValuesAs,
    private readonly codesFirst: boolean,
  ) {
    this.values = values;
    this.byValue = new Map(values.map(({ value }) => [value.normalize('NFC'), value]));
    this.byCode = new Map(values.map(({ code, value }) => [String(code), value]));
    for (const { value, label } of values) {
      const key = folded(label);
      this.byLabel.set(key, this.byLabel.has(key) ? null : value);
    }
    const texts = values.flatMap(({ value, label }) => [value, label]);
    this.mostParts = new Map(
      SEPARATORS.map((separator) => [
        separator,
        texts.reduce((most, text) => Math.max(most, text.split(separator).length), 1),
      ]),
    );
  }

  readOne(cell: string | number): ReadCell {
    const text = String(cell).trim();
    const value = this.find(text, typeof cell === 'number');
    if (typeof value === 'string') return { ok: true, cell: value };
    if (value === null)
      return { ok: false, message: `${quote(text)} is the label of several values; send a value` };
    return { ok: false, message: this.unknownValueMessage(text) };
  }

  /** Reads several values separated by semicolons, else commas, bars or newlines; values can contain the separator. `[]`: none ticked. */
  readSeveral(cell: string | number): ReadCell {
    const text = String(cell);
    if (text.trim() === NONE_TICKED) return { ok: true, cell: [] };
    const first = this.readSeparated(text, LIST_SEPARATOR, typeof cell === 'number');
    if (first.ok) return first;
    for (const separator of SEPARATORS.slice(1)) {
      const read = text.includes(separator) ? this.readSeparated(text, separator, false) : first;
      if (read.ok) return read;
    }
    return first;
  }

  private readSeparated(text: string, separator: string, isNumber: boolean): ReadCell {
    const parts = text.split(separator);
    const found: string[] = [];
    const mostParts = this.mostParts.get(separator) ?? 1;
    // Some tools add a trailing separator.
    while (parts.length > 1 && parts.at(-1)?.trim() === '') parts.pop();
    for (let from = 0; from < parts.length;) {
      let partCount = 0;
      for (let to = Math.min(parts.length, from + mostParts); to > from && partCount === 0; to -= 1) {
        const value = this.find(parts.slice(from, to).join(separator).trim(), isNumber);
        if (typeof value !== 'string') continue;
        found.push(value);
        partCount = to - from;
      }
      if (partCount === 0)
        return { ok: false, message: this.unknownValueMessage((parts[from] ?? '').trim()) };
      from += partCount;
    }
    return { ok: true, cell: found };
  }

  private find(text: string, isNumber: boolean): string | null | undefined {
    const value = this.byValue.get(text.normalize('NFC'));
    const code = this.byCode.get(text);
    const label = this.byLabel.get(folded(text));
    if (this.valuesAs === 'label') return label ?? (label === null ? null : undefined);
    const coded = this.codesFirst && isNumber ? (code ?? value) : (value ?? code);
    return coded ?? (this.valuesAs === 'auto' ? label : undefined);
  }

  private unknownValueMessage(text: string): string {
    const accepted = formatList(this.values, LISTED, ({ value, label }) =>
      value === label ? quote(value) : `${quote(value)} (${truncateText(label, 40)})`,
    );
    this.unknownValues += 1;
    const similar =
      this.unknownValues > MAX_SUGGESTIONS
        ? []
        : findSimilar(
            truncateText(text, 40),
            this.values.map(({ label }) => truncateText(label, 40)),
          );
    const kind = this.valuesAs === 'code' ? 'a value of this column' : 'a value or label of this column';
    return unknownValue(text, kind, { similar: similar.slice(0, 1), accepted });
  }
}

export interface CellOptions {
  values: ValuesAs;
  /** Whether numbers are option codes before they are values, as in a statistics file. */
  codesFirst: boolean;
}

export type CellReader = (cell: SourceCell) => ReadCell;

const EMPTY: ReadCell = { ok: true, cell: null };
const MISSING_CELL: ReadCell = { ok: true, cell: null, outcome: MISSING };
const failedCell = (message: string): ReadCell => ({ ok: false, message });

/**
 * Returns a reader that converts file cells to column cells; the question validates them further. `optionLabel`: label of a 0/1 column,
 * which some tools write if the option was chosen. `decimalMark`: of the column, null if unknown. `isWhole`: whether a mark before three digits
 * groups.
 */
export function createCellReader(
  spec: ColumnSpec,
  options: CellOptions,
  column: { optionLabel?: string | undefined; decimalMark: DecimalMark | null; isWhole: boolean },
): CellReader {
  const read = createFilledReader(spec, options, column);
  const takesMarks = hasMissingMarks(spec);
  return (cell) => {
    if (cell === null || cell === '') return EMPTY;
    // The question validates dates.
    if (spec.type === 'date' && isMissingMark(String(cell))) return MISSING_CELL;
    const result = read(cell);
    return !result.ok && takesMarks && isMissingMark(String(cell)) ? MISSING_CELL : result;
  };
}

/** Whether marks such as NA cannot be answers: in columns of numbers, dates, and categories whose values are numbers. */
function hasMissingMarks({ type, values }: ColumnSpec): boolean {
  switch (type) {
    case 'number':
    case 'rank':
    case 'binary':
    case 'date':
      return true;
    case 'categorical':
      return values.length > 0 && values.every(({ value }) => /^-?\d+(\.\d+)?$/.test(value));
    default:
      return false;
  }
}

type FilledReader = (cell: string | number) => ReadCell;

function createFilledReader(
  spec: ColumnSpec,
  { values, codesFirst }: CellOptions,
  { optionLabel, ...column }: Parameters<typeof createCellReader>[2],
): FilledReader {
  switch (spec.type) {
    case 'categorical':
    case 'multiple': {
      const choices = new ChoiceCellReader(spec, values, codesFirst);
      return spec.type === 'multiple' ? (cell) => choices.readSeveral(cell) : (cell) => choices.readOne(cell);
    }
    case 'binary':
      return flagReader(spec, values, optionLabel);
    case 'rank':
    case 'number':
      return numberReader(spec, values, column);
    case 'date':
      return (cell) => dateCell(cell, spec.precision ?? 'date');
    case 'text':
    case 'file':
      return (cell) => ({ ok: true, cell: String(cell) });
  }
}

const FLAGS = new Map<string, number>([
  ['1', 1],
  ['0', 0],
  ['true', 1],
  ['false', 0],
  ['y', 1],
  ['n', 0],
]);

function flagReader(spec: ColumnSpec, valuesAs: ValuesAs, optionLabel?: string): FilledReader {
  const chosen = optionLabel?.trim().toLowerCase();
  const labels = new Map(spec.values.map(({ code, label }) => [label.toLowerCase(), code]));
  return (cell) => {
    const text = String(cell).trim().toLowerCase();
    const flag =
      (valuesAs === 'label' ? undefined : FLAGS.get(text)) ??
      (valuesAs === 'code' ? undefined : (labels.get(text) ?? (text === chosen ? 1 : undefined)));
    return flag === undefined ? failedCell(mustBe('1 or 0 (Yes or No)', cell)) : { ok: true, cell: flag };
  };
}

/** Scale points can be labeled. */
function numberReader(
  spec: ColumnSpec,
  valuesAs: ValuesAs,
  { decimalMark, isWhole }: { decimalMark: DecimalMark | null; isWhole: boolean },
): FilledReader {
  const points = new Map(spec.values.map(({ code, label }) => [label.trim().toLowerCase(), code]));
  const readNumber = (cell: string | number): ReadCell => {
    if (typeof cell === 'number') return { ok: true, cell };
    const reading = readFileNumber(cell, decimalMark);
    if (reading.kind === 'number') return { ok: true, cell: reading.value };
    if (reading.kind === 'not_a_number') return failedCell(mustBe('a number', cell));
    const [grouped, decimal] = reading.readings;
    if (isWhole) return { ok: true, cell: grouped.value };
    return failedCell(
      `${quote(cell)} can be ${grouped.text} or ${decimal.text}; send the field decimal, the mark before decimals`,
    );
  };
  return (cell) => {
    const point = points.get(String(cell).trim().toLowerCase());
    const byLabel = point === undefined ? null : ({ ok: true, cell: point } as const);
    if (valuesAs === 'label' && byLabel !== null) return byLabel;
    const read = readNumber(cell);
    return read.ok ? read : (byLabel ?? read);
  };
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|[+-]\d\d:?\d\d)?)?$/;
const CLOCK = /^(\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?)$/;
const MILLISECONDS_CHARACTERS = 'HH:mm:ss.SSS'.length;
const MIDNIGHT = /^00:00(:00(\.0+)?)?$/;
const FINER = {
  kind: 'changed',
  reason: 'the question stores less of a date or time than the cell has',
} as const;

/** Two digits for the hour, and at most three decimals of a second. */
const normalizeClock = (clock: string) =>
  (clock[1] === ':' ? `0${clock}` : clock).slice(0, MILLISECONDS_CHARACTERS);
const hasFinerSeconds = (clock: string) => /[1-9]/.test(clock.slice(MILLISECONDS_CHARACTERS));

/** Converts to the question's precision, truncating finer parts and decimals of a second after the third. The question validates the date. */
function dateCell(cell: string | number, precision: NonNullable<ColumnSpec['precision']>): ReadCell {
  const text = String(cell).trim();
  const [, day, ofMoment] = MOMENT.exec(text) ?? [];
  const clock = ofMoment ?? CLOCK.exec(text)?.[1];
  const hasTime = ofMoment !== undefined && !MIDNIGHT.test(ofMoment);
  const result = (date: string, isFiner: boolean): ReadCell => ({
    ok: true,
    cell: date,
    ...(isFiner && { outcome: FINER }),
  });
  switch (precision) {
    case 'date':
      return result(day ?? text, day !== undefined && hasTime);
    case 'datetime':
      return result(
        day === undefined ? text : `${day}T${normalizeClock(ofMoment ?? '00:00')}`,
        ofMoment !== undefined && hasFinerSeconds(ofMoment),
      );
    case 'time':
      // Workbooks write times of day as times of their first day.
      return clock === undefined
        ? { ok: true, cell: text }
        : result(normalizeClock(clock), hasFinerSeconds(clock) || (day !== undefined && day > '1904-01-01'));
    case 'month':
      return result(day?.slice(0, 7) ?? text, day !== undefined && (hasTime || !day.endsWith('-01')));
    case 'year':
      return result(day?.slice(0, 4) ?? text, day !== undefined && (hasTime || !day.endsWith('-01-01')));
  }
}
