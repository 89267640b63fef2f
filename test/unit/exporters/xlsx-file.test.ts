import { columnLetters } from '../../../src/lib/column-letters.ts';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { writeXlsx, type XlsxCell, type XlsxColumn, xmlText } from '../../../src/exporters/xlsx-file.ts';

const column = (header: string, style: XlsxColumn['style'] = 'plain'): XlsxColumn => ({
  header,
  style,
  widthCharacters: 12,
});

async function* once<T>(value: T): AsyncGenerator<T> {
  yield await Promise.resolve(value);
}

async function createSheet(columns: XlsxColumn[], rows: XlsxCell[][]): Promise<ExcelJS.Worksheet> {
  const parts: Buffer[] = [];
  const sheets = [{ name: 'Data & more', columns, rows: once(rows) }];
  const file = { title: 'A < B', createdAt: new Date('2026-03-07T08:09:10Z'), sheets };
  for await (const part of writeXlsx(file)) parts.push(part);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(Uint8Array.from(Buffer.concat(parts)).buffer);
  expect([book.title, book.created]).toEqual(['A < B', file.createdAt]);
  return book.getWorksheet('Data & more')!;
}

test('round-trips cells', async () => {
  const texts = ['<a href="x">&amp;</a>', ' spaces ', 'two\nlines', '\r', 'ж漢☕🍵', '=1+1', '-5', "'"];
  const sheet = await createSheet(
    texts.map((_, index) => column(`"${index}" & <more>`)),
    [texts, texts.map(() => null), [0, -1.5, 1e21, 1e-7, NaN, Infinity, 0.1, -0]],
  );
  const row = (number: number) => texts.map((_, index) => sheet.getCell(number, index + 1).value);
  expect(row(1)[3]).toBe('"3" & <more>');
  expect(row(2)).toEqual(texts);
  expect(row(3)).toEqual(texts.map(() => null));
  // What is no number is empty.
  expect(row(4)).toEqual([0, -1.5, 1e21, 1e-7, null, null, 0.1, 0]);
});

test('marks a text that begins like a formula, so that it remains a text when edited', async () => {
  const sheet = await createSheet([column('a'), column('b', 'date')], [['=1+1', 45_000]]);
  expect(sheet.getCell('A2').type).toBe(ExcelJS.ValueType.String);
  expect(sheet.getCell('B2').value).toEqual(new Date('2023-03-15'));
});

test.each([
  ['\u0007', '_x0007_'],
  ['\uffff', '_xFFFF_'],
  ['_x0041_', '_x005F_x0041_'],
  ['_x', '_x'],
  ['\r\n', '&#13;\n'],
])('writes %j as %s in the XML', (text, expected) => {
  expect(xmlText(text)).toBe(expected);
});

test('letters columns like spreadsheets', () => {
  expect([0, 25, 26, 701, 702, 16_383].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']);
});
