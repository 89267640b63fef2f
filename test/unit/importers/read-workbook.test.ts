import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readRowFile } from '../../../src/importers/xlsx/row-file.ts';
import { readWorkbook } from '../../../src/importers/xlsx/read-workbook.ts';
import { useFolder } from '../../support/test-folder.ts';
import { createWorkbook, createZip } from '../../support/workbook-file.ts';

const folder = useFolder();

async function read(file: Buffer) {
  const name = path.join(folder, randomUUID());
  await writeFile(name, file);
  const order = { path: name, rowsPath: `${name}.rows`, detectForm: true };
  const workbook = await readWorkbook(order);
  const cells = [];
  if (!workbook.isXlsForm) for await (const row of readRowFile(order.rowsPath)) cells.push(row.cells);
  return { ...workbook, cells };
}

const sheet = (...rows: string[]) =>
  `<worksheet><sheetData>${rows.map((row, i) => `<row r="${i + 1}">${row}</row>`).join('')}</sheetData></worksheet>`;
const shared = (column: string, row: number, index: number) =>
  `<c r="${column}${row}" t="s"><v>${index}</v></c>`;
const inline = (column: string, row: number, text: string) =>
  `<c r="${column}${row}" t="inlineStr"><is><t>${text}</t></is></c>`;

const PARTS = {
  'xl/sharedStrings.xml': '<sst><si><t>Name</t></si><si><r><t>A</t></r><r><t>da</t></r></si></sst>',
  'xl/worksheets/sheet1.xml': sheet(shared('A', 1, 0), shared('A', 2, 1) + '<c r="D2"><v>1.5</v></c>'),
};

test('accepts archive parts in any order', async () => {
  const first = await read(await createWorkbook(PARTS));
  const { 'xl/sharedStrings.xml': strings, ...others } = PARTS;
  const sheetsFirst = await read(await createWorkbook({ ...others, 'xl/sharedStrings.xml': strings }));
  expect(first).toMatchObject({
    sheetName: 'Data',
    rowCount: 2,
    cells: [['Name'], ['Ada', null, null, 1.5]],
  });
  expect(sheetsFirst).toEqual(first);
});

test('accepts any file name of the sheet, and missing shared strings', async () => {
  const file = await createWorkbook({
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="http://x/worksheet" Target="/xl/sheets/Tabelle.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': null,
    'xl/sheets/Tabelle.xml': sheet(inline('A', 1, 'Name')),
  });
  expect((await read(file)).cells).toEqual([['Name']]);
});

test('reads multi-byte characters across chunk boundaries of the archive', async () => {
  const texts = Array.from({ length: 3_000 }, (_, i) => `${'ж'.repeat(i % 7)}日本語😀${i}`);
  const file = await createWorkbook({
    'xl/worksheets/sheet1.xml': sheet(...texts.map((text, i) => inline('A', i + 1, text))),
  });
  expect((await read(file)).cells.map(([text]) => text)).toEqual(texts);
});

test('ignores comments and phonetic texts, and reads CDATA as text', async () => {
  const file = await createWorkbook({
    'xl/sharedStrings.xml': '<sst><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>',
    'xl/worksheets/sheet1.xml': sheet(
      `<!-- <c r="A1"> -->${shared('A', 1, 0)}<c r="B1" t="str"><v>a<![CDATA[<b> & ]]>c</v></c>`,
    ),
  });
  expect((await read(file)).cells).toEqual([['東京', 'a<b> & c']]);
});

test('recognizes an XLSForm without shared strings', async () => {
  const file = await createWorkbook({
    'xl/workbook.xml': '<workbook><sheets><sheet name="survey" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/worksheets/sheet1.xml': sheet(inline('A', 1, 'type') + inline('B', 1, 'name')),
  });
  expect(await read(file)).toMatchObject({ isXlsForm: true, rowCount: 0 });
});

test.each([
  [
    'a document type',
    { 'xl/worksheets/sheet1.xml': '<!DOCTYPE x><worksheet/>' },
    'document type declaration',
  ],
  [
    'a part that ends within a tag',
    { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row' },
    'ends within a tag',
  ],
  ['a missing sheet', { 'xl/workbook.xml': '<workbook><sheets/></workbook>' }, 'must have at least 1 sheet'],
])('rejects %s as unreadable', async (_what, parts, message) => {
  await expect(read(await createWorkbook(parts))).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining(message),
  });
});

test('reports a zip file that is not a workbook as an unsupported type', async () => {
  const file = await createZip({ 'word/document.xml': 'x' });
  await expect(read(file)).rejects.toMatchObject({ kind: 'unsupported_media_type' });
});
