import {
  type CellConverter,
  type FileColumn,
  isTimestamp,
  labelsOf,
  type LocalTimestamps,
  reasonIn,
} from './file-column.ts';
import { columnLetters } from '../lib/column-letters.ts';
import { writeXlsx, type XlsxCell, type XlsxColumn, type XlsxSheet } from './xlsx-file.ts';
import { type Cell, type ColumnSpec, formatListCell } from '../domain/columns/column-spec.ts';
import { textToDate } from '../domain/columns/dates.ts';
import { noAnswerLabel } from '../domain/columns/no-answer.ts';

type RowReader = <Read>(readers: readonly CellConverter<Read>[]) => AsyncIterable<Iterable<readonly Read[]>>;

/** Writes responses as a workbook with the sheets Data, Variables (with notes on truncation), Values and Notes. */
export function writeResponsesWorkbook(
  columns: readonly FileColumn[],
  rows: RowReader,
  details: { title: string; createdAt: Date; timestamps: LocalTimestamps; notes: readonly string[] },
): AsyncIterable<Buffer> {
  const parts = columns.map((column) => toXlsxColumn(column, details.timestamps));
  /** Truncated texts by column. */
  const truncatedCounts = new Map<number, number>();
  const data: XlsxSheet = {
    name: 'Data',
    columns: parts.map(({ column }) => column),
    rows: rows<XlsxCell>(parts.map(({ read }) => read)),
    onTruncated: (column) => truncatedCounts.set(column, (truncatedCounts.get(column) ?? 0) + 1),
  };
  const note = (column: number) => {
    const count = truncatedCounts.get(column) ?? 0;
    if (count === 0) return null;
    return `${count} ${count === 1 ? 'text' : 'texts'} truncated to 32,767 characters, the maximum of a cell`;
  };
  const sheets = [data, variablesSheet(columns, note), valuesSheet(columns), notesSheet(details.notes)];
  return writeXlsx({ title: details.title, createdAt: details.createdAt, sheets });
}

const column = (header: string, widthCharacters: number) => ({
  header,
  widthCharacters,
  style: 'plain' as const,
});
const VARIABLES = [
  column('column', 9),
  column('header', 22),
  column('column_code', 22),
  column('label', 60),
  column('shown', 9),
  column('type', 13),
  column('measure', 11),
  column('source', 11),
  column('note', 60),
];
const VALUES = [
  column('column_code', 22),
  column('value', 14),
  column('code', 9),
  column('label', 50),
  column('missing', 10),
];

/** Describes each column of the data sheet. `note` is called when the sheet is written. */
function variablesSheet(columns: readonly FileColumn[], note: (column: number) => string | null): XlsxSheet {
  async function* rows(): AsyncGenerator<XlsxCell[][]> {
    yield await Promise.resolve(
      columns.map(({ entry: { spec }, header, showAs }, i) => [
        columnLetters(i),
        header,
        spec.columnCode,
        spec.label,
        showAs,
        isTimestamp(spec) || spec.precision === null ? spec.type : spec.precision,
        spec.measure,
        spec.source,
        note(i),
      ]),
    );
  }
  return { name: 'Variables', columns: VARIABLES, rows: rows() };
}

/** Lists the values of categorical columns and the reasons instead of an answer; a column exported by code and by label appears once. */
function valuesSheet(columns: readonly FileColumn[]): XlsxSheet {
  const specs = new Map(columns.map(({ entry: { spec } }) => [spec.columnCode, spec]));
  async function* rows(): AsyncGenerator<XlsxCell[][]> {
    for (const { columnCode, values, noAnswers = [] } of specs.values()) {
      yield await Promise.resolve([
        ...values.map(({ value, code, label, missing }) => [
          columnCode,
          value === String(code) ? code : value,
          code,
          label,
          missing ? 'missing' : null,
        ]),
        ...noAnswers.map((choice) => [
          columnCode,
          choice.code,
          choice.code,
          noAnswerLabel(choice),
          'missing',
        ]),
      ]);
    }
  }
  return { name: 'Values', columns: VALUES, rows: rows() };
}

/** Notes on the whole file. */
function notesSheet(notes: readonly string[]): XlsxSheet {
  async function* rows(): AsyncGenerator<XlsxCell[][]> {
    yield await Promise.resolve(notes.map((note) => [note]));
  }
  return { name: 'Notes', columns: [column('note', 80)], rows: rows() };
}

const DAY_MS = 86_400_000;
const DAY_MINUTES = 1_440;
/** The serial number of 1 January 1970. */
const EPOCH_SERIAL = 25_569;
/** The serial number of 1 March 1900. Before it, spreadsheets count a nonexistent 29 February or reject dates. */
const FIRST_SERIAL = 61;

interface SheetColumn {
  column: XlsxColumn;
  read: CellConverter<XlsxCell>;
}

/** Converts a column for the data sheet. Numbers and dates keep their type. */
function toXlsxColumn(fileColumn: FileColumn, timestamps: LocalTimestamps): SheetColumn {
  const {
    entry: { spec },
    header,
    showAs,
  } = fileColumn;
  const { style, read } = showAs === 'label' ? labelReader(spec) : codeReader(spec, timestamps);
  const minWidth = Math.min(28, header.length + 4);
  return {
    column: { header, style, widthCharacters: Math.max(minWidth, defaultWidth(spec, style, showAs)) },
    read: (cell, given) => {
      if (given === null) return read(cell);
      const reason = reasonIn(given, fileColumn);
      // A number in a cell with the format of a date would be shown as a date.
      return style === 'plain' ? reason : String(reason);
    },
  };
}

type CellReader = Pick<XlsxColumn, 'style'> & { read: (cell: Cell) => XlsxCell };

function labelReader(spec: ColumnSpec): CellReader {
  const labels = labelsOf(spec);
  const labelFor = (value: string) => labels.get(value) ?? value;
  return {
    style: 'plain',
    read: (cell) => {
      if (Array.isArray(cell)) return formatListCell(cell.map(labelFor));
      return cell === null ? null : (labels.get(String(cell)) ?? cell);
    },
  };
}

function codeReader(spec: ColumnSpec, timestamps: LocalTimestamps): CellReader {
  if (isTimestamp(spec)) {
    const serial = (cell: Cell) => (cell === null ? null : daySerial(timestamps.toWallClockMs(String(cell))));
    return { style: timestamps.daysOnly ? 'date' : 'timestamp', read: serial };
  }
  if (spec.type === 'date') return dateReader(spec.precision ?? 'date');
  const { type, values } = spec;
  if (
    type === 'categorical' &&
    values.length > 0 &&
    values.every(({ code, value }) => value === String(code))
  ) {
    return { style: 'plain', read: (cell) => (cell === null ? null : Number(cell)) };
  }
  return { style: 'plain', read: (cell) => (Array.isArray(cell) ? formatListCell(cell) : cell) };
}

function dateReader(precision: NonNullable<ColumnSpec['precision']>): CellReader {
  if (precision === 'year') return { style: 'plain', read: (cell) => (cell === null ? null : Number(cell)) };
  return {
    style: precision,
    read: (cell) => {
      if (cell === null) return null;
      const text = String(cell);
      const value = textToDate(text, precision);
      if (precision === 'time') return Number.isNaN(value) ? text : value / DAY_MINUTES;
      const serial = daySerial(value);
      // Also applies to texts that are not dates, which stay texts.
      return serial >= FIRST_SERIAL ? serial : text;
    },
  };
}

function daySerial(ms: number): number {
  return ms / DAY_MS + EPOCH_SERIAL;
}

function defaultWidth(spec: ColumnSpec, style: XlsxColumn['style'], showAs: FileColumn['showAs']): number {
  if (style === 'timestamp') return 21;
  if (style !== 'plain') return style === 'datetime' ? 18 : 12;
  if (spec.type === 'text') return spec.source === 'metadata' ? 16 : 36;
  if (spec.type === 'file' || spec.type === 'multiple') return 24;
  return showAs === 'label' ? 20 : 9;
}
