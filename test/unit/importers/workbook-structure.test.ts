import { expect, test } from 'vitest';
import type { SourceFile } from '../../../src/domain/import/source-file.ts';
import { tableOf, useDataFiles } from '../../support/data-files.ts';
import {
  createCellWorkbook,
  createWorkbook,
  createZip,
  createZip64,
  stylesXml,
} from '../../support/workbook-file.ts';

const open = useDataFiles();
const tableIn = async (file: Buffer) => tableOf(await open(file));

const TABLE = [['Q1', 'Q2'], [1, 'a'], [2]];
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const ROWS = `<row>${inline('Q1')}${inline('Q2')}</row><row><c><v>1</v></c>${inline('a')}</row><row><c><v>2</v></c></row>`;
const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const relations = (...targets: [type: string, target: string][]) =>
  `<Relationships>${targets.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="http://x/${type}" Target="${target}"/>`).join('')}</Relationships>`;
const sheets = (...listed: string[]) => `<workbook><sheets>${listed.join('')}</sheets></workbook>`;

/** Puts the prefix on every element. */
const prefixed = (xml: string) => xml.replaceAll(/<(\/?)([a-z])/gi, '<$1x:$2');
const SHEET_PART = 'xl/worksheets/sheet1.xml';

/** A workbook of the rows, with relationships. */
const MINIMAL = {
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': sheets('<sheet name="Data" r:id="rId1"/>'),
  'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml']),
  [SHEET_PART]: sheetOf(ROWS),
};

/** A ZIP whose entries have names that writers of ZIP files refuse. */
async function renameEntries(
  parts: Record<string, string>,
  rename: (name: string) => string,
): Promise<Buffer> {
  const entries = Object.entries(parts);
  // Placeholders with the same number of bytes, in both directories.
  const names = entries.map(([name], i) =>
    rename(name)
      .replaceAll(/[^]/g, '_')
      .replace(/^__/, `${10 + i}`),
  );
  let zip = (await createZip(Object.fromEntries(entries.map(([, part], i) => [names[i]!, part])))).toString(
    'latin1',
  );
  for (const [i, [name]] of entries.entries()) zip = zip.replaceAll(names[i]!, () => rename(name));
  return Buffer.from(zip, 'latin1');
}

const withContentType = (type: string, parts: Record<string, string | Buffer> = {}) =>
  createZip({
    '[Content_Types].xml': `<Types><Override PartName="/xl/workbook.xml" ContentType="${type}"/></Types>`,
    ...MINIMAL,
    ...parts,
  });

test.each<[string, () => Promise<Buffer>]>([
  ['cells and rows without references', () => createWorkbook({ [SHEET_PART]: sheetOf(ROWS) })],
  [
    'a namespace prefix',
    () =>
      createWorkbook({
        [SHEET_PART]: prefixed(sheetOf(ROWS)),
        'xl/workbook.xml': prefixed(sheets('<sheet name="Data" r:id="rId1"/>')),
      }),
  ],
  [
    'the workbook in the root of the archive and no shared strings, styles and content types',
    () =>
      createZip({
        '_rels/.rels': relations(['officeDocument', '/book.xml']),
        'book.xml': sheets('<sheet name="Data" q:id="rId1"/>'),
        '_rels/book.xml.rels': relations(['worksheet', 'one.xml']),
        'one.xml': sheetOf(ROWS),
      }),
  ],
  [
    'relative targets with dots and spaces',
    () =>
      createWorkbook({
        'xl/_rels/workbook.xml.rels': relations(['worksheet', './../xl/my%20sheets/one.xml']),
        [SHEET_PART]: null,
        'xl/my sheets/one.xml': sheetOf(ROWS),
      }),
  ],
  [
    'names in another case and backslashes',
    () =>
      createWorkbook({
        'xl/_rels/workbook.xml.rels': relations(['worksheet', '\\xl\\Worksheets\\Sheet1.xml']),
        [SHEET_PART]: sheetOf(ROWS),
      }),
  ],
  [
    'backslashes in the names of the archive',
    async () => {
      // The same number of bytes in both directories.
      const file = await createWorkbook({ [SHEET_PART]: sheetOf(ROWS) });
      return Buffer.from(
        file.toString('latin1').replaceAll(SHEET_PART, SHEET_PART.replaceAll('/', '\\')),
        'latin1',
      );
    },
  ],
  [
    'absolute names in the archive, in another case',
    async () => {
      const parts = {
        '_rels/.rels': relations(['officeDocument', '/xl/workbook.xml']),
        'XL/Workbook.XML': sheets('<sheet name="Data" r:id="rId1"/>'),
        'XL/_rels/Workbook.XML.rels': relations(['worksheet', '/XL/Worksheets/Sheet1.xml']),
        [SHEET_PART]: sheetOf(ROWS),
      };
      return renameEntries(parts, (name) => `/${name}`);
    },
  ],
  [
    'names in the archive that begin with a drive or contain dots',
    () => renameEntries(MINIMAL, (name) => `C:\\temp\\..\\${name.replaceAll('/', '\\')}`),
  ],
  [
    'targets from the root without a slash',
    () =>
      createWorkbook({
        'xl/_rels/workbook.xml.rels': relations(['worksheet', SHEET_PART]),
        [SHEET_PART]: sheetOf(ROWS),
      }),
  ],
  ['no relationships of the workbook', () => createZip({ ...MINIMAL, 'xl/_rels/workbook.xml.rels': null })],
  [
    'no relationships at all and the workbook in another folder',
    () =>
      createZip({
        'book/workbook.xml': sheets('<sheet name="Data" r:id="rId1"/>'),
        'book/worksheets/sheet1.xml': sheetOf(ROWS),
      }),
  ],
  [
    'no relationships, and sheets whose names do not sort as their numbers',
    () =>
      createZip({
        ...MINIMAL,
        'xl/_rels/workbook.xml.rels': null,
        'xl/workbook.xml': sheets(
          '<sheet name="Lists" state="hidden" r:id="rId1"/>',
          ...Array.from({ length: 8 }, (_, i) => `<sheet name="Empty ${i}" r:id="rId${i + 2}"/>`),
          '<sheet name="Answers" r:id="rId10"/>',
        ),
        ...Object.fromEntries(
          Array.from({ length: 9 }, (_, i) => [
            `xl/worksheets/sheet${i + 1}.xml`,
            sheetOf(i === 0 ? `<row>${inline('x')}</row>` : ''),
          ]),
        ),
        'xl/worksheets/sheet10.xml': sheetOf(ROWS),
      }),
  ],
  [
    'no relationships, and a list of more sheets than have cells',
    () =>
      createZip({
        ...MINIMAL,
        'xl/_rels/workbook.xml.rels': null,
        'xl/workbook.xml': sheets('<sheet name="Chart" r:id="rId1"/>', '<sheet name="Answers" r:id="rId2"/>'),
        'xl/chartsheets/sheet1.xml': '<chartsheet/>',
      }),
  ],
  [
    'a relationship of the sheet to a part that is not there',
    () =>
      createZip({
        ...MINIMAL,
        'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/data.xml'], ['styles', 'none.xml']),
      }),
  ],
  [
    'macros, as .xlsm',
    () =>
      withContentType('application/vnd.ms-excel.sheet.macroEnabled.main+xml', {
        'xl/_rels/workbook.xml.rels': relations(
          ['worksheet', 'worksheets/sheet1.xml'],
          ['vbaProject', 'vbaProject.bin'],
          ['xlMacrosheet', 'macro.xml'],
        ),
        'xl/vbaProject.bin': Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
      }),
  ],
  [
    'the type of a template, as .xltx',
    () => withContentType('application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml'),
  ],
  [
    'the type of a template with macros, as .xltm',
    () => withContentType('application/vnd.ms-excel.template.macroEnabled.main+xml'),
  ],
  ['ZIP64 and sizes behind the parts', () => createZip64({ [SHEET_PART]: sheetOf(ROWS) })],
  [
    'no relationships of the archive',
    () => createWorkbook({ '_rels/.rels': null, [SHEET_PART]: sheetOf(ROWS) }),
  ],
  [
    'a wrong dimension, merged cells and other parts',
    () =>
      createWorkbook({
        [SHEET_PART]: `<?xml version="1.0"?><worksheet><dimension ref="A1"/><sheetData>${ROWS}</sheetData><mergeCells count="1"><mergeCell ref="A3:B3"/></mergeCells><extLst><ext><x14:sparklines><xm:f>Data!A1</xm:f></x14:sparklines></ext></extLst></worksheet>`,
      }),
  ],
  [
    'charts, empty and hidden sheets before the first one with data',
    () =>
      createWorkbook({
        'xl/workbook.xml': sheets(
          '<sheet name="Chart" r:id="rId1"/>',
          '<sheet name="Lists" state="veryHidden" r:id="rId2"/>',
          '<sheet name="Cover" r:id="rId3"/>',
          '<sheet name="Answers" r:id="rId4"/>',
        ),
        'xl/_rels/workbook.xml.rels': relations(
          ['chartsheet', 'chart.xml'],
          ['worksheet', 'hidden.xml'],
          ['worksheet', 'cover.xml'],
          ['worksheet', 'worksheets/sheet1.xml'],
        ),
        'xl/chart.xml': '<chartsheet/>',
        'xl/hidden.xml': sheetOf(`<row>${inline('x')}</row>`),
        'xl/cover.xml': sheetOf(''),
        [SHEET_PART]: sheetOf(ROWS),
      }),
  ],
  [
    'UTF-16',
    () =>
      createWorkbook({
        [SHEET_PART]: Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${sheetOf(ROWS)}`, 'utf16le'),
      }),
  ],
  [
    'attributes with > and single quotes',
    () =>
      createWorkbook({
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId='164' formatCode='[>9]0;"x"'/></numFmts><cellXfs><xf numFmtId='164'/></cellXfs></styleSheet>`,
        [SHEET_PART]: sheetOf(ROWS),
      }),
  ],
  [
    'the strict format',
    async () =>
      createZip({
        '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']).replaceAll(
          'http://x/',
          'http://purl.oclc.org/ooxml/officeDocument/relationships/',
        ),
        'xl/workbook.xml':
          '<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main" conformance="strict"><sheets><sheet name="Data" r:id="rId1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml']).replaceAll(
          'http://x/',
          'http://purl.oclc.org/ooxml/officeDocument/relationships/',
        ),
        [SHEET_PART]: sheetOf(ROWS),
      }),
  ],
])('reads a workbook with %s', async (_what, make) => {
  expect(await tableIn(await make())).toEqual(TABLE);
});

test.each<[string, () => Promise<Buffer> | Buffer, string, string]>([
  [
    'a binary workbook',
    () => createZip({ 'xl/workbook.bin': 'x' }),
    'unsupported_media_type',
    'is a binary workbook (.xlsb); save it as .xlsx',
  ],
  [
    'an OpenDocument file',
    () => createZip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
    'unsupported_media_type',
    'is an OpenDocument file (.ods); save it as .xlsx or .csv',
  ],
  [
    'an old Excel workbook',
    () => compoundFile('Workbook'),
    'unsupported_media_type',
    'is an old Excel workbook (.xls); save it as .xlsx or .csv',
  ],
  [
    'a workbook with a password',
    () => compoundFile('EncryptedPackage'),
    'unsupported_media_type',
    'is protected by a password; save it without one',
  ],
  [
    'Excel 2003 XML',
    () =>
      Buffer.from(
        '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"></Workbook>',
      ),
    'unsupported_media_type',
    'is a workbook in the XML format of Excel 2003',
  ],
  [
    'a sheet that is cut off',
    () => createWorkbook({ [SHEET_PART]: '<worksheet><sheetData><row><c><v>1' }),
    'invalid',
    'a part that is cut off',
  ],
  [
    'tags that do not match',
    () => createWorkbook({ [SHEET_PART]: '<worksheet><sheetData></worksheet>' }),
    'invalid',
    'the end </worksheet> of an element that is not open',
  ],
  [
    'an unknown entity',
    () => createWorkbook({ [SHEET_PART]: sheetOf(`<row>${inline('&nbsp;')}</row>`) }),
    'invalid',
    'the unknown reference &nbsp;',
  ],
  [
    'a workbook without any sheet of its list',
    () => createZip({ ...MINIMAL, [SHEET_PART]: null }),
    'invalid',
    'parts of it are missing or damaged',
  ],
  [
    'a shared string that is missing',
    () => createWorkbook({ [SHEET_PART]: sheetOf('<row><c t="s"><v>3</v></c></row>') }),
    'invalid',
    'it has no shared string 3',
  ],
])('refuses %s with what it is', async (_what, make, kind, message) => {
  await expect(open(await make())).rejects.toMatchObject({ kind, message: expect.stringContaining(message) });
});

/** A compound file (MS-CFB) with the name of a stream in its directory. */
function compoundFile(stream: string): Buffer {
  const file = Buffer.alloc(1_024);
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(file);
  file.writeUInt16LE(9, 30);
  file.write(stream, 512, 'utf16le');
  return file;
}

/** A column "Q1" of the cells, which have the n-th format as style n. */
const columnOf = (cells: readonly string[], formats: readonly (string | number)[]) =>
  createCellWorkbook({ rows: [inline('Q1'), ...cells], formats });
const timesOf = async (file: SourceFile) => [
  file.columns[0]?.times,
  (await tableOf(file)).slice(1).map(([cell]) => cell),
];

test('reads times of a column as lengths, in seconds, where one is a length', async () => {
  const cell = (style: number, value: number) => `<c s="${style}"><v>${value}</v></c>`;
  const cells = [cell(1, 0.354166666666667), cell(1, 0.3125)];
  expect(await timesOf(await open(await columnOf(cells, ['h:mm', '[h]:mm'])))).toEqual([
    'clocks',
    ['08:30:00', '07:30:00'],
  ]);
  for (const longest of [cell(2, 1.604166666666667), cell(1, 1.604166666666667)])
    expect(await timesOf(await open(await columnOf([...cells, longest], ['h:mm', '[h]:mm'])))).toEqual([
      'lengths',
      [30_600, 27_000, 138_600],
    ]);
});

test('notes cells that are read in another way than they are shown, with their number', async () => {
  const file = await open(
    await columnOf(
      [
        '<c t="e"><v>#N/A</v></c><c><f>1+1</f></c><c s="1"><v>0.5</v></c>',
        '<c t="e"><v>#DIV/0!</v></c><c><f>1+1</f><v/></c><c s="2"><v>7</v></c>',
        '<c s="3"><v>60</v></c><c s="4"><v>1.5</v></c><c><v>3</v></c>',
        '<c><v>1</v></c><c><v>40</v></c><c><v>3</v></c>',
      ],
      ['0%', '000', 14, '[h]:mm'],
    ),
  );
  expect(file.notes).toEqual([
    '2 cells with an error, such as #N/A in A2, left empty ("Q1")',
    '2 cells with a formula but no result, left empty (column B): the file was never calculated; open it in a spreadsheet program and save it',
    '1 cell with the format of a date but a number that is no date, such as 60, left empty ("Q1")',
    '1 cell with a plain number among lengths of time in seconds (column B): check their unit',
    '1 cell with a percentage, read as a fraction: 25% is 0.25 (column C)',
    '1 cell with zeros in front that only the number format shows, read as the number (column C): store them as text to keep the zeros',
  ]);
});

test('reads a style sheet with formats of other ids than their positions', async () => {
  const styles = stylesXml(['yyyy', 14]);
  const file = await createWorkbook({
    'xl/styles.xml': styles,
    [SHEET_PART]: sheetOf(`<row>${inline('Q1')}</row><row><c s="2"><v>45351</v></c></row>`),
  });
  expect((await tableIn(file))[1]).toEqual(['2024-02-29']);
});
