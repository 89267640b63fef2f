import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkbookReaderPool } from '../../../src/importers/xlsx/xlsx-source.ts';
import { createWorkbook } from '../../support/workbook-file.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'canvass-files-'));
  file = path.join(folder, 'book');
  // A format code that takes exceljs minutes: its pattern is tried at every bracket, for every cell.
  await writeFile(
    file,
    await createWorkbook({
      'xl/styles.xml':
        `<styleSheet><numFmts><numFmt numFmtId="165" formatCode="${'['.repeat(60_000)}"/></numFmts>` +
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml': {
        before: '<worksheet><sheetData>',
        text: '<row r="1"><c r="A1" s="1"><v>1</v></c></row>',
        bytes: 1_000_000,
        after: '</sheetData></worksheet>',
      },
    }),
  );
});
afterAll(() => rm(folder, { recursive: true }));

let count = 0;
const order = () => ({ path: file, rowsPath: path.join(folder, `rows${(count += 1)}`), detectForm: false });

test('terminates a workbook that takes too long, then reads the next', async () => {
  const threads = new WorkbookReaderPool({ timeoutMs: 3_000, waitMs: 10_000 });
  const refused = { kind: 'unprocessable', message: expect.stringContaining('takes more than 3 s to read') };
  await expect(threads.read(order())).rejects.toMatchObject(refused);
  await expect(threads.read(order())).rejects.toMatchObject(refused);
}, 30_000);

test('reads two at a time and returns 503 after a wait that is too long', async () => {
  const threads = new WorkbookReaderPool({ timeoutMs: 3_000, waitMs: 500 });
  const outcomes = await Promise.allSettled([order(), order(), order()].map((one) => threads.read(one)));
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toMatchObject([
    { kind: 'unprocessable' },
    { kind: 'unprocessable' },
    { kind: 'unavailable', code: 'busy', headers: { 'Retry-After': '1' } },
  ]);
}, 30_000);
