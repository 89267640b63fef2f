import { expect, test } from 'vitest';
import { detectDelimiter } from '../../../src/importers/csv/csv-delimiter.ts';
import { AppError } from '../../../src/lib/errors.ts';
import { rowsOfSource, useDataFiles } from '../../support/data-files.ts';
import { createWorkbook, createZip } from '../../support/workbook-file.ts';

const open = useDataFiles();

test.each([
  ['a,b;c\nx,y;z\nu,"v;w"', ','],
  ['Age, years;Income, EUR\n33;1,5\n44;2,25', ';'],
  ['Age, years;Income, EUR\n33,5;1000,25\n44,5;2000,75', ';'],
  ['id,tags\n1,a; b\n2,c; d', ','],
  ['id,remark\n1,so; so\n2,well\n3,a|b', ','],
  ['Name, first\tName; last\nAnn, A\tBee; B\nCid\tDee', '\t'],
  ['Place\nParis, France\nRome, Italy', ','],
  ['Report\nid;x\n1;2,5\n2;3,5', ';'],
  ['id,screen\n1,15" laptop\n2,13" laptop', ','],
  ['a,b\r1,2\r3,4', ','],
  ['a;b\n1,5;2\n2,5;3', ';'],
  ['a\tb\n1\t2', '\t'],
  ['a|b,c|d\n1|2|3', '|'],
  ['"a;b;c",d\n"1;2;3",4', ','],
  ['alone\n1', ','],
])('detects %j with the delimiter %j', (text, delimiter) => {
  expect(detectDelimiter(text)).toBe(delimiter);
});

test.each([
  ['shift_jis', [0x83, 0x41], 'ア'],
  ['gb18030', [0xd6, 0xd0], '中'],
  ['windows-1251', [0xcf, 0xf0], 'Пр'],
  ['utf-16be', [0x04, 0x1f], 'П'],
] as const)('reads a header in %s if the encoding is given', async (encoding, bytes, header) => {
  const source = await open(Buffer.from(bytes), { encoding });
  expect(source.columns.map((column) => column.header)).toEqual([header]);
});

test('rejects a file that is invalid in its encoding, given or detected', async () => {
  for (const encoding of [null, 'utf-8', 'shift_jis'] as const) {
    const opening = open(Buffer.from([0x61, 0x0a, 0xff]), { encoding });
    await expect(opening).rejects.toMatchObject({ kind: 'invalid', details: [{ field: 'encoding' }] });
  }
});

test('allows line ends, quotes and the delimiter in cells, and ignores empty lines', async () => {
  const source = await open('\ufeffa;b\r\n"x;1";"say ""so"""\r\n\r\ny;"3\n4"\r\n;\r\n');
  expect(source.columns.map(({ header }) => header)).toEqual(['a', 'b']);
  expect(await rowsOfSource(source)).toEqual([
    { row: 2, cells: ['x;1', 'say "so"'] },
    { row: 4, cells: ['y', '3\n4'] },
    { row: 5, cells: [null, null] },
  ]);
});

test('reports a workbook with missing parts as damaged, without reader internals', async () => {
  const incomplete = await createWorkbook({ 'xl/worksheets/sheet1.xml': null });
  await expect(open(incomplete)).rejects.toThrow(
    'file: cannot be read as an .xlsx workbook: parts of it are missing or damaged',
  );
});

test.each([
  [
    'a zip that is not a workbook',
    () => createZip({ 'word/document.xml': Buffer.from('x') }),
    'unsupported_media_type',
  ],
  ['a workbook with invalid contents', () => createZip({ 'xl/workbook.xml': Buffer.from('<<<') }), 'invalid'],
  [
    'a truncated zip',
    async () => (await createZip({ 'xl/workbook.xml': Buffer.alloc(9_000) })).subarray(0, 60),
    'invalid',
  ],
  [
    'an old .xls',
    () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    'unsupported_media_type',
  ],
  ['bytes of an unknown type', () => Buffer.from([1, 2, 3, 0, 7, 9]), 'unsupported_media_type'],
  ['JSON', () => Buffer.from('[{"a":1}]'), 'unsupported_media_type'],
  ['nothing', () => Buffer.alloc(0), 'invalid'],
])('rejects %s', async (_what, make, kind) => {
  const refusal = await open(await make()).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AppError);
  expect((refusal as AppError).kind).toBe(kind);
});
