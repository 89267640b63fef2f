import type { Cell, ColumnSpec } from '../../domain/dataset/columns/column-spec.ts';
import { textToDate } from '../../domain/dataset/columns/date-text.ts';
import { formatListCell } from '../../domain/dataset/columns/list-cell.ts';
import { type FileColumn, isTimestamp, labelsOf } from '../file-column.ts';
import type { LocalTimestamps } from '../local-timestamps.ts';
import type { XlsxCell, XlsxColumn } from './sheet.ts';

const DAY_MS = 86_400_000;
const DAY_MINUTES = 1_440;
/** The serial number of 1 January 1970. */
const EPOCH_SERIAL = 25_569;
/** The serial number of 1 March 1900. Before it, spreadsheets count a nonexistent 29 February or reject dates. */
const FIRST_SERIAL = 61;

interface SheetColumn {
  column: XlsxColumn;
  read: (cell: Cell) => XlsxCell;
}

/** Converts a column for the data sheet. Numbers and dates keep their type. */
export function toXlsxColumn(
  { entry: { spec }, header, showAs }: FileColumn,
  timestamps: LocalTimestamps,
): SheetColumn {
  const { style, read } = showAs === 'label' ? labelReader(spec) : codeReader(spec, timestamps);
  const minWidth = Math.min(28, header.length + 4);
  return {
    column: { header, style, widthCharacters: Math.max(minWidth, defaultWidth(spec, style, showAs)) },
    read,
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
