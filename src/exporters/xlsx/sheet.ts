import { isFormulaText } from '../../lib/formula-text.ts';
import { STYLE } from './styles.ts';
import { XML_HEAD, xmlText } from './xml-text.ts';

/** Maximum length of a cell text, in UTF-16 units. */
const MAX_TEXT_CHARACTERS = 32_767;
export const MAX_ROWS = 1_048_576;

/** A number, also the serial number of a date; a text; null is an empty cell. */
export type XlsxCell = number | string | null;

export interface XlsxColumn {
  header: string;
  /** The number format of the column. */
  style: 'plain' | 'date' | 'month' | 'time' | 'datetime' | 'timestamp';
  widthCharacters: number;
}

export interface XlsxSheet {
  /** At most 31 characters, none of `[]:*?/\`. */
  name: string;
  columns: readonly XlsxColumn[];
  /** A cell per column, a chunk of rows at a time. */
  rows: AsyncIterable<readonly (readonly XlsxCell[])[]>;
  /** Called with the column index for each truncated text. */
  onTruncated?: (column: number) => void;
}

/** Streams one sheet with a frozen header and filters. Memory does not grow with the rows. */
export async function* sheetXml(sheet: XlsxSheet, isFirst: boolean): AsyncGenerator<Buffer> {
  const { columns } = sheet;
  const letters = columns.map((_, index) => columnLetters(index));
  const styles = columns.map(({ style }) => (style === 'plain' ? '' : ` s="${STYLE[style]}"`));
  yield Buffer.from(openingXml(columns, letters, isFirst));
  let rowNumber = 1;
  for await (const chunk of sheet.rows) {
    let xml = '';
    for (const row of chunk) {
      rowNumber += 1;
      xml += `<row r="${rowNumber}">`;
      for (let i = 0; i < letters.length; i += 1) {
        const cell = row[i];
        if (cell === null || cell === undefined || cell === '') continue;
        const cellStart = `<c r="${letters[i]!}${rowNumber}"`;
        if (typeof cell === 'string') {
          const text = truncateCell(cell, i, sheet.onTruncated);
          xml += `${cellStart}${isFormulaText(text) ? ` s="${STYLE.literal}"` : ''}${inlineString(text)}`;
        } else if (Number.isFinite(cell)) xml += `${cellStart}${styles[i]!}><v>${cell}</v></c>`;
      }
      xml += '</row>';
    }
    yield Buffer.from(xml);
  }
  const filters = columns.length === 0 ? '' : `<autoFilter ref="A1:${letters.at(-1)!}${rowNumber}"/>`;
  yield Buffer.from(`</sheetData>${filters}</worksheet>`);
}

function openingXml(columns: readonly XlsxColumn[], letters: readonly string[], isFirst: boolean): string {
  const widths = columns.map(
    ({ widthCharacters }, i) =>
      `<col min="${i + 1}" max="${i + 1}" width="${widthCharacters}" customWidth="1"/>`,
  );
  const headers = columns.map(
    ({ header }, i) =>
      `<c r="${letters[i]!}1" s="${STYLE.header}"${inlineString(header.slice(0, MAX_TEXT_CHARACTERS))}`,
  );
  return [
    XML_HEAD,
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>',
    `<sheetView ${isFirst ? 'tabSelected="1" ' : ''}workbookViewId="0">`,
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>',
    '<sheetFormatPr defaultRowHeight="15"/>',
    columns.length === 0 ? '' : `<cols>${widths.join('')}</cols>`,
    `<sheetData><row r="1" ht="${headerHeight(columns)}" customHeight="1">${headers.join('')}</row>`,
  ].join('');
}

/** In points: as many lines as the longest header needs, up to eight. */
function headerHeight(columns: readonly XlsxColumn[]): number {
  const lines = columns.map(({ header, widthCharacters }) =>
    // Allows for word wrap and the filter button.
    Math.ceil(header.length / Math.max(1, widthCharacters - 4)),
  );
  return 15 * lines.reduce((most, count) => Math.max(most, Math.min(8, count)), 1) + 3;
}

function inlineString(text: string): string {
  return ` t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

function truncateCell(text: string, column: number, onTruncated: XlsxSheet['onTruncated']): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text;
  onTruncated?.(column);
  const last = text.charCodeAt(MAX_TEXT_CHARACTERS - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, MAX_TEXT_CHARACTERS - (splitsPair ? 1 : 0));
}

/** A, B … Z, AA … by the index of a column, from 0. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest === 0 ? '' : columnLetters(rest - 1)) + String.fromCharCode(65 + (index % 26));
}
