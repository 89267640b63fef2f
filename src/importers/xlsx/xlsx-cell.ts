import type ExcelJS from 'exceljs';
import type { SourceCell } from '../../domain/import/source-file.ts';

/** The epoch of spreadsheets; a time without a date is on its first day or the day before. */
const FIRST_YEAR = 1900;

/** Converts a cell: formulas to their results, rich text to plain text, dates to ISO 8601 (without a time at midnight). */
export function toSourceCell(value: ExcelJS.CellValue | undefined): SourceCell {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return formatDateTime(value);
  if ('richText' in value) return value.richText.map(({ text }) => text).join('') || null;
  if ('error' in value) return value.error;
  if ('hyperlink' in value) return textOf(value.text);
  if ('formula' in value || 'sharedFormula' in value) {
    const { result } = value;
    return result === undefined ? null : toSourceCell(result);
  }
  return null;
}

/** The text of a link may be rich text, although its type is string. */
function textOf(text: unknown): SourceCell {
  return typeof text === 'object' && text !== null ? toSourceCell(text as ExcelJS.CellValue) : String(text);
}

function formatDateTime(date: Date): string | null {
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString();
  if (date.getUTCFullYear() < FIRST_YEAR) return text.slice(11, 19);
  return text.slice(11, 23) === '00:00:00.000' ? text.slice(0, 10) : text.replace(/(\.000)?Z$/, '');
}
