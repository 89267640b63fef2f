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
  // Two million cells take longer to read than the time limit of the tests.
  const cells = Array.from({ length: 5_000 }, (_, i) => `<c><v>${Math.sin(i)}</v></c>`).join('');
  await writeFile(
    file,
    await createWorkbook({
      'xl/worksheets/sheet1.xml': {
        before: '<worksheet><sheetData>',
        text: `<row>${cells}</row>`,
        bytes: 60_000_000,
        after: '</sheetData></worksheet>',
      },
    }),
  );
});
afterAll(() => rm(folder, { recursive: true }));

let count = 0;
const order = () => ({ path: file, rowsPath: path.join(folder, `rows${(count += 1)}`), detectForm: false });

test('terminates a workbook that takes too long, then reads the next', async () => {
  const threads = new WorkbookReaderPool({ timeoutMs: 200, waitMs: 10_000 });
  const refused = {
    kind: 'unprocessable',
    message: expect.stringContaining('takes more than 0.2 s to read'),
  };
  await expect(threads.read(order())).rejects.toMatchObject(refused);
  await expect(threads.read(order())).rejects.toMatchObject(refused);
}, 30_000);

test('reads two at a time and returns 503 after a wait that is too long', async () => {
  const threads = new WorkbookReaderPool({ timeoutMs: 200, waitMs: 20 });
  const outcomes = await Promise.allSettled([order(), order(), order()].map((one) => threads.read(one)));
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toMatchObject([
    { kind: 'unprocessable' },
    { kind: 'unprocessable' },
    { kind: 'unavailable', code: 'busy', headers: { 'Retry-After': '1' } },
  ]);
}, 30_000);
