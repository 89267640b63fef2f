import { mustBe } from '../../lib/error-messages.ts';
import type { ColumnSpec } from '../dataset/columns/column-spec.ts';
import { unescapeFormula } from './match-columns.ts';
import { ChoiceCellReader, type ReadCell, type ValuesAs } from './read-choice-cell.ts';
import type { SourceCell, SourceFormatName } from './source-file.ts';

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

/** Scale points can be labelled. */
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
