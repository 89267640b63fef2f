import { type Cell, formatListCell } from '../domain/columns/column-spec.ts';
import {
  type CellConverter,
  type FileColumn,
  isTimestamp,
  labelsOf,
  type LocalTimestamps,
  reasonIn,
} from './file-column.ts';
import { escapeFormula } from '../lib/formula-text.ts';

/** RFC 4180 with CRLF; UTF-8. */
export interface CsvOptions {
  delimiter: string;
  /** A byte order mark, which old versions of Excel need. */
  bom: boolean;
  /** Puts ' before a text that a spreadsheet may run as a formula. */
  escapeFormulas: boolean;
}

const NUMBER = /^-?\d+(\.\d+)?$/;
const LINE_END = '\r\n';
/** The empty cell of a file with one column: readers skip empty lines. */
const EMPTY_LINE = '""';

/** Encodes cells. Numbers stay unchanged; null is an empty cell. */
export class CsvCellEncoder {
  private readonly special: RegExp;

  constructor(private readonly options: CsvOptions) {
    this.special = new RegExp(`["\\r\\n${options.delimiter === '\t' ? '\\t' : `\\${options.delimiter}`}]`);
  }

  encodeText(value: string): string {
    const escaped = this.options.escapeFormulas && !NUMBER.test(value) ? escapeFormula(value) : value;
    return this.special.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
  }

  encodeCell(value: string | number | null): string {
    if (value === null) return '';
    return typeof value === 'number' ? String(value) : this.encodeText(value);
  }
}

/**
 * Streams a CSV file. `lines` yields chunks of rows whose cells are already encoded (`CsvCellEncoder`), so that
 * memory does not grow with the file.
 */
export async function* writeCsv(
  headers: readonly string[],
  lines: AsyncIterable<Iterable<readonly string[]>>,
  options: CsvOptions,
): AsyncGenerator<string> {
  const { delimiter } = options;
  const cells = new CsvCellEncoder(options);
  yield (
    (options.bom ? '\ufeff' : '') +
    headers.map((header) => cells.encodeText(header)).join(delimiter) +
    LINE_END
  );
  for await (const chunk of lines) {
    const rows: string[] = [];
    for (const line of chunk) rows.push(line.join(delimiter) || EMPTY_LINE);
    // The last line end.
    rows.push('');
    yield rows.join(LINE_END);
  }
}

/** Returns the function that formats the cells of a column. */
export function csvCellFormatter(
  column: FileColumn,
  cells: CsvCellEncoder,
  timestamps: LocalTimestamps,
): CellConverter<string> {
  const format = valueFormatter(column, cells, timestamps);
  return (cell, given) => (given === null ? format(cell) : cells.encodeCell(reasonIn(given, column)));
}

function valueFormatter(
  { entry: { spec }, showAs }: FileColumn,
  cells: CsvCellEncoder,
  timestamps: LocalTimestamps,
): (cell: Cell) => string {
  if (showAs === 'label') {
    const labels = labelsOf(spec);
    const labelFor = (value: string) => labels.get(value) ?? value;
    const encodedLabels = new Map([...labels].map(([value, label]) => [value, cells.encodeText(label)]));
    return (cell) => {
      if (Array.isArray(cell)) return cells.encodeText(formatListCell(cell.map(labelFor)));
      if (cell === null) return '';
      // A number that has no label stays a number.
      return encodedLabels.get(String(cell)) ?? cells.encodeCell(cell);
    };
  }
  if (isTimestamp(spec)) return (cell) => (cell === null ? '' : timestamps.toIso(String(cell)));
  const encodedValues = new Map(spec.values.map(({ value }) => [value, cells.encodeText(value)]));
  return (cell) => {
    if (typeof cell === 'number') return String(cell);
    if (cell === null) return '';
    if (Array.isArray(cell)) return cells.encodeText(formatListCell(cell));
    return encodedValues.get(cell) ?? cells.encodeText(cell);
  };
}
