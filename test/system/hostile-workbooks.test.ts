import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Organization, useOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { withFile } from '../support/file-transfer.ts';
import { freePort } from '../support/free-port.ts';
import { type ServerProcess, START_TIMEOUT_MS, startServer } from '../support/server-process.ts';
import { number } from '../support/questions.ts';
import { publishedSurvey } from '../support/surveys.ts';
import { createWorkbook, createZip } from '../support/workbook-file.ts';

const app = useApp();
const organization: Organization = useOrganization(app);
const author = organization.admin;

const MB = 1_000_000;
const SHARED_STRINGS = 'xl/sharedStrings.xml';
const SHEET = 'xl/worksheets/sheet1.xml';
const sharedStrings = (bytes: number) => ({
  [SHARED_STRINGS]: { before: '<sst>', text: `<si><t>${'a'.repeat(990)}</t></si>`, bytes, after: '</sst>' },
});

describe('a workbook of 2 MB whose shared strings unpack to 1 GB', () => {
  const MAX_HEAP_MB = 384;
  let server: ServerProcess;
  let origin: string;
  let bomb: Buffer;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    server = startServer({
      PORT: String(port),
      DATABASE_URL: app.database.url,
      LOG_LEVEL: 'silent',
      JWT_SECRET: 'a-signing-key-that-only-tests-have-0123456789',
      RATE_LIMIT_GENERAL: '1000000',
      NODE_OPTIONS: `--max-old-space-size=${MAX_HEAP_MB}`,
    });
    bomb = await createWorkbook(sharedStrings(999 * MB));
    expect(await server.started()).toBeNull();
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    server.process.kill('SIGTERM');
    await server.ended();
  });

  const send = (path: string) => {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(bomb)]), 'bomb.xlsx');
    return fetch(origin + path, { method: 'POST', headers: { 'X-API-Key': author.apiKey! }, body });
  };
  const memoryMb = async () => {
    const status = await readFile(`/proc/${server.process.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1000;
  };

  test('is rejected by every import with 413, while other requests are served', async () => {
    expect(bomb.length).toBeLessThan(3 * MB);
    const survey = await publishedSurvey(author, [[number('Q1')]]);
    const before = await memoryMb();
    let isDone = false;
    const others = (async () => {
      let served = 0;
      for (; !isDone; served += 1) {
        const reply = await fetch(`${origin}/api/surveys`, { headers: { 'X-API-Key': author.apiKey! } });
        expect(reply.status).toBe(200);
        await reply.arrayBuffer();
        await sleep(20);
      }
      return served;
    })();
    const paths = [
      '/api/surveys/import-data',
      `/api/responses/${survey.surveyId}/import`,
      '/api/surveys/respondents/import',
    ];
    const replies = await Promise.all([...paths, ...paths].map(send));
    isDone = true;
    for (const reply of replies) {
      expect(reply.status).toBe(413);
      expect(await reply.json()).toMatchObject({
        code: 'too_large',
        message: expect.stringContaining('more than 200 MB when it is unpacked'),
      });
    }
    // With a blocked event loop the first one would be answered after all imports.
    expect(await others).toBeGreaterThan(3);
    expect((await memoryMb()) - before).toBeLessThan(300);
  }, 60_000);
});

const send = (file: Buffer) => withFile(author.post('/api/surveys/import-data'), file, {}, 'bomb.xlsx');
const row = (cells: string) => `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;

test.each([
  [
    'compressed a thousand times',
    () => createWorkbook(sharedStrings(60 * MB)),
    422,
    'compression_ratio',
    'compressed more than 200 times',
  ],
  [
    'with shared strings of 65 MB',
    () =>
      createWorkbook({
        [SHARED_STRINGS]: Buffer.concat(
          Array.from({ length: 66_000 }, (_, i) =>
            Buffer.alloc(990, createHash('sha512').update(String(i)).digest('hex')),
          ),
        ),
      }),
    413,
    'too_large',
    'its shared strings hold more than 64 MB',
  ],
  [
    'with a cell of 2 MB',
    () => createWorkbook({ [SHEET]: row(`<c r="A1" t="str"><v>${'a'.repeat(2 * MB)}</v></c>`) }),
    413,
    'too_large',
    'a text of more than 1 MB',
  ],
  [
    'with a tag of 1 MB',
    () => createWorkbook({ [SHEET]: row(`<c r="${'A'.repeat(MB)}1"/>`) }),
    413,
    'too_large',
    'a tag of more than 64000 characters',
  ],
  [
    'with a value in a very distant column',
    () => createWorkbook({ [SHEET]: row('<c r="XFD1"><v>1</v></c>') }),
    413,
    'too_large',
    'row 1 must have at most 5000 columns, not 16384',
  ],
  [
    'that repeats a shared string of 900 KB in every row',
    () =>
      createWorkbook({
        [SHARED_STRINGS]: `<sst><si><t>${'z'.repeat(900_000)}</t></si></sst>`,
        [SHEET]: {
          before: '<worksheet><sheetData>',
          text: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>',
          bytes: 5 * MB,
          after: '</sheetData></worksheet>',
        },
      }),
    413,
    'too_large',
    'its cells hold more than 200 MB of text and numbers',
  ],
  [
    'whose directory declares less than its parts unpack to',
    async () => {
      const file = await createWorkbook(sharedStrings(20 * MB));
      const ENTRY = 'PK\x01\x02';
      for (let at = file.indexOf(ENTRY); at >= 0; at = file.indexOf(ENTRY, at + 4))
        if (file.readUInt32LE(at + 24) > 10 * MB) file.writeUInt32LE(1_000, at + 24);
      return file;
    },
    400,
    'validation_failed',
    'cannot be read as an .xlsx workbook',
  ],
  [
    'with 5,001 parts',
    () => createZip(Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`part${i}`, 'x']))),
    413,
    'too_large',
    'must have at most 5000 files',
  ],
])(
  'a workbook %s gets a clear reply',
  async (_what, make, status, code, message) => {
    const reply = await send(await make());
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    if (message !== undefined) expect(reply.body.message).toContain(message);
  },
  60_000,
);
