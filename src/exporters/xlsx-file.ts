import { Readable } from 'node:stream';
import { ByteWriter } from './byte-writer.ts';
import { columnLetters } from '../lib/column-letters.ts';
import { isFormulaText } from '../lib/formula-text.ts';
import { requireEntry } from '../lib/require-value.ts';
import { writeZip, type ZipEntry } from './zip.ts';

/**
 * Characters to escape: markup, control characters, and `_x0041_`, which spreadsheets read as A, also where the last `_` begins an escape.
 */
const SPECIAL = /[&<>"]|[^\t\n\x20-\ufffd]|_(?=x[0-9A-Fa-f]{4}(?:_|[^\t\n\r\x20-\ufffd]))/g;
/** A faster test, because most texts need no escaping. */
const HAS_SPECIAL = /[&<>"]|[^\t\n\x20-\ufffd]|_x/;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  // XML parsers read an unescaped carriage return as a line feed.
  ['\r', '&#13;'],
]);

/** Escapes a text for an element or attribute of spreadsheet XML. */
export function xmlText(text: string): string {
  return HAS_SPECIAL.test(text) ? text.replace(SPECIAL, escapeCharacter) : text;
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return ENTITIES.get(character) ?? `_x${code}_`;
}

const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Index of a cell style in `cellXfs`. */
const STYLE = {
  plain: 0,
  header: 1,
  date: 2,
  month: 3,
  time: 4,
  datetime: 5,
  timestamp: 6,
  /** A text that starts like a formula: it stays a text when it is edited. */
  literal: 7,
} as const;

/** Custom number formats start at 164. */
const FORMATS = [
  [164, 'yyyy\\-mm\\-dd'],
  [165, 'yyyy\\-mm'],
  [166, 'hh:mm'],
  [167, 'yyyy\\-mm\\-dd\\ hh:mm'],
  [168, 'yyyy\\-mm\\-dd\\ hh:mm:ss'],
] as const;

const HEADER_COLOR = 'FFE2E8F0';
const LINE_COLOR = 'FF94A3B8';

const formatXf = (format: number) =>
  `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;

const STYLES_XML = [
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
  `<numFmts count="${FORMATS.length}">`,
  ...FORMATS.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`),
  '</numFmts>',
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>',
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>',
  // The format reserves the first two fills.
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>',
  `<fill><patternFill patternType="solid"><fgColor rgb="${HEADER_COLOR}"/><bgColor indexed="64"/></patternFill></fill></fills>`,
  '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>',
  `<border><left/><right/><top/><bottom style="thin"><color rgb="${LINE_COLOR}"/></bottom><diagonal/></border></borders>`,
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  '<cellXfs count="8">',
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="0" fontId="1" fillId="2" borderId="1" xfId="0" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">',
  '<alignment vertical="top" wrapText="1"/></xf>',
  ...FORMATS.map(([id]) => formatXf(id)),
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/>',
  '</cellXfs>',
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('');

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
  rows: AsyncIterable<Iterable<readonly XlsxCell[]>>;
  /** Called with the column index for each truncated text. */
  onTruncated?: (column: number) => void;
}

/** The parts of a cell between its address, its value and the next cell. */
const INLINE_STRING = ' t="inlineStr"><is><t xml:space="preserve">';
const TEXT_START = `"${INLINE_STRING}`;
const LITERAL_START = `" s="${STYLE.literal}"${INLINE_STRING}`;
const TEXT_END = '</t></is></c>';

/** Most numbers of a survey are codes and points of scales, whose cells are written again and again. */
const CACHED_NUMBERS = 128;

/** The text of number cells after their address. */
class NumberEndings {
  private readonly start: string;
  private readonly cached: readonly string[];

  constructor(style: XlsxColumn['style']) {
    this.start = `${style === 'plain' ? '"' : `" s="${STYLE[style]}"`}><v>`;
    this.cached = Array.from({ length: CACHED_NUMBERS }, (_, value) => this.write(value));
  }

  of(value: number): string {
    const cached = Number.isInteger(value) && value >= 0 ? this.cached[value] : undefined;
    return cached ?? this.write(value);
  }

  private write(value: number): string {
    return `${this.start}${value}</v></c>`;
  }
}

/** Streams one sheet with a frozen header and filters. Memory does not grow with the rows. */
async function* sheetXml(sheet: XlsxSheet, isFirst: boolean): AsyncGenerator<Buffer> {
  const { columns } = sheet;
  const endings = new Map(columns.map(({ style }) => [style, new NumberEndings(style)]));
  const cellFormats = columns.map(({ style }, index) => ({
    start: `<c r="${columnLetters(index)}`,
    endings: requireEntry(endings, style, 'style'),
  }));
  yield Buffer.from(openingXml(columns, isFirst));
  const xml = new ByteWriter();
  let rowNumber = 1;
  for await (const chunk of sheet.rows) {
    for (const row of chunk) {
      rowNumber += 1;
      const rowDigits = String(rowNumber);
      xml.add(`<row r="${rowDigits}">`);
      let index = -1;
      for (const { start, endings } of cellFormats) {
        index += 1;
        const cell = row[index];
        if (cell === null || cell === undefined || cell === '') continue;
        if (typeof cell === 'string') {
          const text = truncateCell(cell, index, sheet.onTruncated);
          xml.add(start);
          xml.add(rowDigits);
          xml.add(isFormulaText(text) ? LITERAL_START : TEXT_START);
          xml.add(xmlText(text));
          xml.add(TEXT_END);
        } else if (Number.isFinite(cell)) {
          xml.add(start);
          xml.add(rowDigits);
          xml.add(endings.of(cell));
        }
      }
      xml.add('</row>');
    }
    yield xml.take();
  }
  const filters =
    columns.length === 0 ? '' : `<autoFilter ref="A1:${columnLetters(columns.length - 1)}${rowNumber}"/>`;
  yield Buffer.from(`</sheetData>${filters}</worksheet>`);
}

function openingXml(columns: readonly XlsxColumn[], isFirst: boolean): string {
  const widths = columns.map(
    ({ widthCharacters }, i) =>
      `<col min="${i + 1}" max="${i + 1}" width="${widthCharacters}" customWidth="1"/>`,
  );
  const headers = columns.map(
    ({ header }, i) =>
      `<c r="${columnLetters(i)}1" s="${STYLE.header}"${inlineString(header.slice(0, MAX_TEXT_CHARACTERS))}`,
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
  return `${INLINE_STRING}${xmlText(text)}${TEXT_END}`;
}

function truncateCell(text: string, column: number, onTruncated: XlsxSheet['onTruncated']): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text;
  onTruncated?.(column);
  const last = text.charCodeAt(MAX_TEXT_CHARACTERS - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, MAX_TEXT_CHARACTERS - (splitsPair ? 1 : 0));
}

export interface XlsxFile {
  title: string;
  createdAt: Date;
  /** At least one. Sheets are written in order; rows of a sheet are requested after the previous sheet is complete. */
  sheets: readonly XlsxSheet[];
}

const OFFICE = 'http://schemas.openxmlformats.org';
const PACKAGE = `${OFFICE}/package/2006`;
const MAIN = `${OFFICE}/spreadsheetml/2006/main`;
const RELATION = `${OFFICE}/officeDocument/2006/relationships`;
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/**
 * Streams an XLSX workbook (ECMA-376). Not written with a library, because libraries support neither backpressure nor cancellation
 * of the row source.
 */
export function writeXlsx(file: XlsxFile): AsyncIterable<Buffer> {
  return writeZip(Readable.from(entries(file)));
}

function* entries({ title, createdAt, sheets }: XlsxFile): Generator<ZipEntry> {
  const entry = (name: string, chunks: AsyncIterable<Buffer>): ZipEntry => ({
    name,
    chunks,
    sizeBytes: null,
    modifiedAt: createdAt,
    compress: true,
  });
  const parts: [string, string][] = [
    ['[Content_Types].xml', contentTypes(sheets.length)],
    ['_rels/.rels', packageRelations()],
    ['docProps/core.xml', properties(title, createdAt)],
    ['xl/workbook.xml', workbook(sheets)],
    ['xl/_rels/workbook.xml.rels', workbookRelations(sheets.length)],
    ['xl/styles.xml', STYLES_XML],
  ];
  for (const [name, xml] of parts) yield entry(name, singleChunk(xml));
  for (const [index, sheet] of sheets.entries()) {
    yield entry(`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheet, index === 0));
  }
}

async function* singleChunk(xml: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(XML_HEAD + xml));
}

function joinForEachSheet(count: number, write: (number: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index + 1)).join('');
}

function contentTypes(count: number): string {
  const part = (name: string, type: string) => `<Override PartName="${name}" ContentType="${type}+xml"/>`;
  return [
    `<Types xmlns="${PACKAGE}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    part('/xl/workbook.xml', `${SHEET_TYPE}.sheet.main`),
    joinForEachSheet(count, (n) => part(`/xl/worksheets/sheet${n}.xml`, `${SHEET_TYPE}.worksheet`)),
    part('/xl/styles.xml', `${SHEET_TYPE}.styles`),
    part('/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties'),
    '</Types>',
  ].join('');
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`;
const relations = (...all: string[]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;

function packageRelations(): string {
  return relations(
    relation('rId1', `${RELATION}/officeDocument`, 'xl/workbook.xml'),
    relation('rId2', `${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'),
  );
}

function workbookRelations(count: number): string {
  return relations(
    joinForEachSheet(count, (n) => relation(`rId${n}`, `${RELATION}/worksheet`, `worksheets/sheet${n}.xml`)),
    relation(`rId${count + 1}`, `${RELATION}/styles`, 'styles.xml'),
  );
}

function workbook(sheets: readonly XlsxSheet[]): string {
  const listed = sheets.map(
    ({ name }, index) => `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return `<workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><bookViews><workbookView/></bookViews><sheets>${listed.join('')}</sheets></workbook>`;
}

function properties(title: string, createdAt: Date): string {
  const timestamp = createdAt.toISOString().replace(/\.\d+Z$/, 'Z');
  return [
    `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"`,
    ' xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    `<dc:title>${xmlText(title)}</dc:title><dc:creator>Canvass</dc:creator>`,
    `<dcterms:created xsi:type="dcterms:W3CDTF">${timestamp}</dcterms:created></cp:coreProperties>`,
  ].join('');
}
