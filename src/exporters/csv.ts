import { type Cell, formatListCell } from '../domain/dataset/columns/column-spec.ts';
import { type FileColumn, isTimestamp, labelsOf, type LocalTimestamps } from './file-column.ts';
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
  lines: AsyncIterable<readonly (readonly string[])[]>,
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
    let text = '';
    for (const line of chunk) text += (line.join(delimiter) || EMPTY_LINE) + LINE_END;
    yield text;
  }
}

/** Returns the function that formats the cells of a column. */
export function csvCellFormatter(
  { entry: { spec }, showAs }: FileColumn,
  cells: CsvCellEncoder,
  timestamps: LocalTimestamps,
): (cell: Cell) => string {
  if (showAs === 'label') {
    const labels = labelsOf(spec);
    const labelFor = (value: string) => labels.get(value) ?? value;
    return (cell) => {
      if (Array.isArray(cell)) return cells.encodeText(formatListCell(cell.map(labelFor)));
      if (cell === null) return '';
      const label = labels.get(String(cell));
      // A number that has no label stays a number.
      return label === undefined ? cells.encodeCell(cell) : cells.encodeText(label);
    };
  }
  if (isTimestamp(spec)) return (cell) => (cell === null ? '' : timestamps.toIso(String(cell)));
  return (cell) => (Array.isArray(cell) ? cells.encodeText(formatListCell(cell)) : cells.encodeCell(cell));
}
