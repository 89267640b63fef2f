import { Readable } from 'node:stream';
import yazl from 'yazl';
import { columnLetters } from '../../src/lib/column-letters.ts';

/** The content of a part of an archive: `text`, repeated up to `bytes`. */
export interface RepeatedText {
  before?: string;
  text: string;
  bytes: number;
  after?: string;
}

const HEAD: Record<string, string> = {
  '_rels/.rels':
    '<Relationships><Relationship Id="rId1" Type="http://x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  'xl/workbook.xml': '<workbook><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/>' +
    '<Relationship Id="rId2" Type="http://x/sharedStrings" Target="sharedStrings.xml"/>' +
    '<Relationship Id="rId3" Type="http://x/styles" Target="styles.xml"/></Relationships>',
  'xl/worksheets/sheet1.xml':
    '<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>Q1</v></c></row><row r="2"><c r="A2"><v>1</v></c></row></sheetData></worksheet>',
};

/** Creates a workbook of one sheet with replaced or added parts, in this order; null omits a part. */
export function createWorkbook(
  parts: Record<string, string | Buffer | RepeatedText | null>,
): Promise<Buffer> {
  return createZip({ ...HEAD, ...parts });
}

/** The workbook of `createWorkbook` as ZIP64, with data descriptors. */
export async function createZip64(parts: Record<string, string>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, part] of Object.entries({ ...HEAD, ...parts }))
    zip.addReadStream(Readable.from([Buffer.from(part)]), name, { forceZip64Format: true });
  zip.end({ forceZip64Format: true, comment: '' });
  return collect(zip);
}

async function collect(zip: yazl.ZipFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const MIN_COMPRESSED_BYTES = 100;
const CHUNK_BYTES = 1_000_000;

export async function createZip(
  parts: Record<string, string | Buffer | RepeatedText | null>,
): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, part] of Object.entries(parts)) {
    if (part === null) continue;
    if (typeof part === 'string' || Buffer.isBuffer(part)) {
      const bytes = Buffer.from(part);
      // Compressing thousands of tiny parts takes a task of a thread each. Buffers have content that compresses slowly.
      const compressionLevel = bytes.length < MIN_COMPRESSED_BYTES ? 0 : Buffer.isBuffer(part) ? 1 : 6;
      zip.addBuffer(bytes, name, { compressionLevel });
    } else zip.addReadStream(Readable.from(chunksOf(part)), name);
  }
  zip.end();
  return collect(zip);
}

/** Generates the text, of up to 1 GB, which would take seconds to allocate as a whole. */
function* chunksOf({ before = '', text, bytes, after = '' }: RepeatedText): Generator<Buffer> {
  const unit = Buffer.from(text);
  const repetitions = Math.ceil(bytes / unit.length);
  const repetitionsPerChunk = Math.max(1, Math.floor(CHUNK_BYTES / unit.length));
  const chunk = Buffer.alloc(repetitionsPerChunk * unit.length, unit);
  yield Buffer.from(before);
  for (let left = repetitions; left > 0; left -= repetitionsPerChunk)
    yield left < repetitionsPerChunk ? chunk.subarray(0, left * unit.length) : chunk;
  yield Buffer.from(after);
}

/** A style sheet whose style n, from 1, has the n-th format: a code, or the id of a built-in one. Style 0 is General. */
export function stylesXml(formats: readonly (string | number)[]): string {
  const xml = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const codes = formats.map((format, i) =>
    typeof format === 'number' ? '' : `<numFmt numFmtId="${164 + i}" formatCode="${xml(format)}"/>`,
  );
  const xfs = formats.map((format, i) => `<xf numFmtId="${typeof format === 'number' ? format : 164 + i}"/>`);
  return `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`;
}

const OFFICE = 'http://schemas.openxmlformats.org';
const MAIN = `${OFFICE}/spreadsheetml/2006/main`;
const RELATION = `${OFFICE}/officeDocument/2006/relationships`;

/** A workbook that other programs open too: a sheet of rows of cells, with styles, shared strings (`si` elements) and properties. */
export function createCellWorkbook({
  rows,
  formats = [],
  strings = [],
  workbookPr = '',
}: {
  rows: readonly string[];
  formats?: readonly (string | number)[];
  strings?: readonly string[];
  workbookPr?: string;
}): Promise<Buffer> {
  const types = ['worksheet', 'styles', 'sharedStrings'];
  const targets = ['worksheets/sheet1.xml', 'styles.xml', 'sharedStrings.xml'];
  const relations = types.map(
    (type, i) => `<Relationship Id="rId${i + 1}" Type="${RELATION}/${type}" Target="${targets[i]}"/>`,
  );
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  // Some programs lose cells without a reference.
  const withReferences = (cells: string, row: number) => {
    let column = -1;
    return cells.replaceAll(/<c(?=[ >])(?! r=)/g, () => `<c r="${columnLetters((column += 1))}${row}"`);
  };
  const data = rows.map((cells, i) => `<row r="${i + 1}">${withReferences(cells, i + 1)}</row>`).join('');
  return createZip({
    '[Content_Types].xml':
      `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>${override('workbook.xml', 'sheet.main')}` +
      `${override('worksheets/sheet1.xml', 'worksheet')}${override('styles.xml', 'styles')}${override('sharedStrings.xml', 'sharedStrings')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="rId1" Type="${RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATION}">${workbookPr}<sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${OFFICE}/package/2006/relationships">${relations.join('')}</Relationships>`,
    'xl/styles.xml': stylesXml(formats),
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}" count="${strings.length}" uniqueCount="${strings.length}">${strings.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`,
  });
}
