import { findSimilar, formatList, mustBe, quote, unknownValue } from '../../lib/error-messages.ts';
import {
  type Cell,
  type ColumnSpec,
  type ColumnValue,
  LIST_SEPARATOR,
  NONE_TICKED,
} from '../dataset/columns/column-spec.ts';
import { unescapeFormula } from './match-columns.ts';
import type { SourceCell, SourceFormatName } from './source-file.ts';

/** How the file writes coded values: as option_value, as label, or either, values first. */
export type ValuesAs = 'code' | 'label' | 'auto';

type ReadCell = { ok: true; cell: Cell } | { ok: false; message: string };

const SEPARATORS = [LIST_SEPARATOR, ',', '|', '\n'];
const LISTED = 5;

const folded = (text: string) => text.trim().normalize('NFC').toLowerCase();

/** Maps cells to the categories of a column. */
class ChoiceCellReader {
  private readonly values: readonly ColumnValue[];
  private readonly byValue: Map<string, string>;
  private readonly byCode: Map<string, string>;
  /** null: the label is ambiguous. */
  private readonly byLabel = new Map<string, string | null>();

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
    // Some tools add a trailing separator.
    while (parts.length > 1 && parts.at(-1)?.trim() === '') parts.pop();
    for (let from = 0; from < parts.length;) {
      let partCount = 0;
      for (let to = parts.length; to > from && partCount === 0; to -= 1) {
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
      value === label ? quote(value) : `${quote(value)} (${label.slice(0, 40)})`,
    );
    const similar = findSimilar(
      text.slice(0, 40),
      this.values.map(({ label }) => label.slice(0, 40)),
    );
    const kind = this.valuesAs === 'code' ? 'a value of this column' : 'a value or label of this column';
    return unknownValue(text, kind, { similar: similar.slice(0, 1), accepted });
  }
}

export interface CellOptions {
  values: ValuesAs;
  format: SourceFormatName;
  delimiter: string | null;
}

export type CellReader = (cell: SourceCell) => ReadCell;

const EMPTY: ReadCell = { ok: true, cell: null };
const failedCell = (message: string): ReadCell => ({ ok: false, message });

/**
 * Returns a reader that converts file cells to column cells; the question validates them further. `optionLabel`: label of a 0/1 column,
 * which some tools write if the option was chosen.
 */
export function createCellReader(spec: ColumnSpec, options: CellOptions, optionLabel?: string): CellReader {
  const read = createFilledReader(spec, options, optionLabel);
  const isCsv = options.format === 'csv';
  return (cell) => {
    if (cell === null || cell === '') return EMPTY;
    return read(isCsv && typeof cell === 'string' ? unescapeFormula(cell) : cell);
  };
}

type FilledReader = (cell: string | number) => ReadCell;

function createFilledReader(spec: ColumnSpec, options: CellOptions, optionLabel?: string): FilledReader {
  const { values, format, delimiter } = options;
  switch (spec.type) {
    case 'categorical':
    case 'multiple': {
      const choices = new ChoiceCellReader(spec, values, format === 'sav');
      return spec.type === 'multiple' ? (cell) => choices.readSeveral(cell) : (cell) => choices.readOne(cell);
    }
    case 'binary':
      return flagReader(spec, values, optionLabel);
    case 'rank':
    case 'number':
      return numberReader(spec, values, usesDecimalComma(format, delimiter));
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

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;
/** Excludes 1,500, which may mean 1500. */
const COMMA_NUMBER = /^[+-]?\d+,(\d{1,2}|\d{4,})$/;

/** If the delimiter is not a comma, spreadsheets in many locales use it as the decimal separator. */
function usesDecimalComma(format: SourceFormatName, delimiter: string | null): boolean {
  return format === 'csv' && delimiter !== ',';
}

/** Parses an unambiguous number, or returns null. */
export function parseNumber(cell: string | number, comma: boolean): number | null {
  if (typeof cell === 'number') return cell;
  const text = cell.trim();
  const value = NUMBER.test(text)
    ? Number(text)
    : comma && COMMA_NUMBER.test(text)
      ? Number(text.replace(',', '.'))
      : NaN;
  return Number.isFinite(value) ? value : null;
}

/** Scale points can be labeled. */
function numberReader(spec: ColumnSpec, valuesAs: ValuesAs, comma: boolean): FilledReader {
  const points = new Map(spec.values.map(({ code, label }) => [label.trim().toLowerCase(), code]));
  return (cell) => {
    const byLabel = () => points.get(String(cell).trim().toLowerCase());
    const value =
      valuesAs === 'label'
        ? (byLabel() ?? parseNumber(cell, comma))
        : (parseNumber(cell, comma) ?? byLabel() ?? null);
    return value === null ? failedCell(mustBe('a number', cell)) : { ok: true, cell: value };
  };
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const CLOCK = /^(\d{1,2}:\d\d)(?::\d\d(?:\.\d+)?)?$/;

/** Converts to the question's precision, truncating finer parts. The question validates the date. */
function dateCell(cell: string | number, precision: NonNullable<ColumnSpec['precision']>): ReadCell {
  const text = String(cell).trim();
  const parts = MOMENT.exec(text);
  const day = parts?.[1];
  switch (precision) {
    case 'date':
      return { ok: true, cell: day ?? text };
    case 'datetime':
      return { ok: true, cell: day === undefined ? text : `${day}T${parts?.[2] ?? '00:00'}` };
    case 'time':
      return { ok: true, cell: parts?.[2] ?? CLOCK.exec(text)?.[1]?.padStart(5, '0') ?? text };
    case 'month':
      return { ok: true, cell: day?.slice(0, 7) ?? text };
    case 'year':
      return { ok: true, cell: day?.slice(0, 4) ?? text };
  }
}
