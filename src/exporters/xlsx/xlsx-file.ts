import { Readable } from 'node:stream';
import { writeZip, type ZipEntry } from '../zip.ts';
import { sheetXml, type XlsxSheet } from './sheet.ts';
import { STYLES_XML } from './styles.ts';
import { XML_HEAD, xmlText } from './xml-text.ts';

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
