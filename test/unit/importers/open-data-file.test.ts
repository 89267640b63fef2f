import { expect, test } from 'vitest';
import yazl from 'yazl';
import type { SourceFile } from '../../../src/domain/import/source-file.ts';
import { bytesOf } from '../../../src/importers/byte-file.ts';
import { csvDelimiter } from '../../../src/importers/csv/csv-delimiter.ts';
import { openDataFile } from '../../../src/importers/open-data-file.ts';
import { checkUnpackedSize } from '../../../src/importers/xlsx/unpacked-size.ts';
import { AppError } from '../../../src/lib/errors.ts';

const open = (content: Buffer | string): Promise<SourceFile> =>
  openDataFile(bytesOf(Buffer.from(content)), {
    format: null,
    delimiter: null,
    layout: null,
    encoding: null,
  });

async function zip(entries: Record<string, Buffer>): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const [name, content] of Object.entries(entries)) file.addBuffer(content, name);
  file.end();
  const parts: Buffer[] = [];
  for await (const part of file.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

test.each([
  ['a,b;c\n1,2;3\n4,5;6', ','],
  ['a;b\n1,5;2\n2,5;3', ';'],
  ['a\tb\n1\t2', '\t'],
  ['a|b,c|d\n1|2|3', '|'],
  ['"a;b;c",d\n"1;2;3",4', ','],
  ['alone\n1', ','],
])('the delimiter of %j is %j', (text, delimiter) => {
  expect(csvDelimiter(text)).toBe(delimiter);
});

test.each([
  ['shift_jis', [0x83, 0x41], 'ア'],
  ['gb18030', [0xd6, 0xd0], '中'],
  ['windows-1251', [0xcf, 0xf0], 'Пр'],
  ['utf-16be', [0x04, 0x1f], 'П'],
] as const)('a header in %s is read when it is named', async (encoding, bytes, header) => {
  const file = bytesOf(Buffer.from(bytes));
  const source = await openDataFile(file, { format: null, delimiter: null, layout: null, encoding });
  expect(source.columns.map((column) => column.header)).toEqual([header]);
});

test('a file that is not valid in its encoding is refused, named or not', async () => {
  const file = bytesOf(Buffer.from([0x61, 0x0a, 0xff]));
  for (const encoding of [null, 'utf-8', 'shift_jis'] as const) {
    const opening = openDataFile(file, { format: null, delimiter: null, layout: null, encoding });
    await expect(opening).rejects.toMatchObject({ kind: 'invalid', details: [{ field: 'encoding' }] });
  }
});

test('cells may hold line ends, quotes and the delimiter; empty lines are none', async () => {
  const source = await open('\ufeffa;b\r\n"x;1";"say ""so"""\r\n\r\ny;"3\n4"\r\n;\r\n');
  expect(source.columns.map(({ header }) => header)).toEqual(['a', 'b']);
  const rows = [];
  for await (const part of source.rows()) rows.push(...part);
  expect(rows).toEqual([
    { row: 2, cells: ['x;1', 'say "so"'] },
    { row: 3, cells: ['y', '3\n4'] },
    { row: 4, cells: [null, null] },
  ]);
});

test('a workbook that unpacks to more than is allowed is refused before it is read', async () => {
  const bomb = await zip({ 'xl/workbook.xml': Buffer.alloc(5_000_000), 'xl/styles.xml': Buffer.alloc(10) });
  expect(bomb.length).toBeLessThan(50_000);
  await expect(checkUnpackedSize(bytesOf(bomb), 1_000_000)).rejects.toThrow(/more than 1 MB/);
  expect([...(await checkUnpackedSize(bytesOf(bomb), 6_000_000))]).toEqual([
    'xl/workbook.xml',
    'xl/styles.xml',
  ]);
});

test('a workbook that lacks parts is called damaged, not by what its reader stumbled over', async () => {
  const cell = '<row><c t="inlineStr"><is><t>Q1</t></is></c></row>';
  const incomplete = await zip({
    'xl/workbook.xml': Buffer.from(
      '<workbook><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': Buffer.from(
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': Buffer.from(`<worksheet><sheetData>${cell}</sheetData></worksheet>`),
  });
  await expect(open(incomplete)).rejects.toThrow(
    'file: is no readable .xlsx workbook: parts of it are missing or damaged',
  );
});

test.each([
  [
    'a zip that is no workbook',
    () => zip({ 'word/document.xml': Buffer.from('x') }),
    'unsupported_media_type',
  ],
  ['a workbook of nonsense', () => zip({ 'xl/workbook.xml': Buffer.from('<<<') }), 'invalid'],
  [
    'a cut zip',
    async () => (await zip({ 'xl/workbook.xml': Buffer.alloc(9_000) })).subarray(0, 60),
    'invalid',
  ],
  [
    'an old .xls',
    () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    'unsupported_media_type',
  ],
  ['bytes of no kind', () => Buffer.from([1, 2, 3, 0, 7, 9]), 'unsupported_media_type'],
  ['JSON', () => Buffer.from('[{"a":1}]'), 'unsupported_media_type'],
  ['nothing', () => Buffer.alloc(0), 'invalid'],
])('%s is refused', async (_what, make, kind) => {
  const refusal = await open(await make()).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AppError);
  expect((refusal as AppError).kind).toBe(kind);
});
