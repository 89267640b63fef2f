import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useOrganization } from '../../support/actors.ts';
import { exported } from '../../support/file-transfer.ts';
import { choice, number, text } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { readSav } from '../../support/sav-reader.ts';

const app = useApp();
const author = useOrganization(app).admin;
let surveyId: number;

beforeAll(async () => {
  ({ surveyId } = await publishedSurvey(author, [[choice('Q1'), number('w'), text('why')]]));
  await author
    .post(`/api/responses/${surveyId}/rows`, {
      rows: [
        {
          submission_id: 'a',
          started_at: '2026-03-29T00:30:00Z',
          completed_at: '2026-03-29T01:30:00Z',
          answers: { Q1: '1', w: 2 },
        },
        { submission_id: 'b', started_at: '2026-03-29T00:30:00Z', status: 'partial', answers: { Q1: '2' } },
      ],
    })
    .expect(201);
});

const csv = async (body: object) =>
  (await exported(author, surveyId, body)).file.toString('utf8').trimEnd().split('\r\n');

describe('a file of responses', () => {
  test('tells moments for the zone that is asked for, summer time included', async () => {
    const columns = ['started_at', 'completed_at'];
    expect((await csv({ columns, timezone: 'Europe/Berlin' }))[1]).toBe(
      '2026-03-29T01:30:00.000+01:00,2026-03-29T03:30:00.000+02:00',
    );
    expect((await csv({ columns, timezone: 'America/St_Johns' }))[1]).toMatch(
      /^2026-03-28T22:00:00.000-02:30,/,
    );
    expect((await csv({ columns }))[1]).toBe('2026-03-29T00:30:00.000Z,2026-03-29T01:30:00.000Z');
  });

  test('has the weight as its last column, once', async () => {
    expect((await csv({ columns: ['w', 'Q1'], weight_column: 'W' }))[0]).toBe('Q1,w');
    expect((await csv({ columns: ['Q1'], weight: 'w' }))[0]).toBe('Q1,w');
  });

  test('means the same responses in every format', async () => {
    const body = { columns: ['submission_id'], status: ['partial', 'complete'], filters: { Q1: ['2'] } };
    expect(await csv(body)).toEqual(['submission_id', 'b']);
    const { file } = await exported(author, surveyId, { ...body, format: 'spss' });
    expect(readSav(file).rows).toEqual([['b']]);
  });

  test.each([
    [{ weight_column: 'Q1' }, 422],
    [{ weight_column: 'response_id' }, 422],
    [{ weight_column: 'nope' }, 400],
    [{ columns: ['nope'] }, 400],
    [{ timezone: 'Mars/Olympus' }, 400],
    [{ timezone: '../etc/passwd' }, 400],
    [{ string_width: 'wide' }, 400],
  ])('%j is refused in every format, before the first byte', async (body, status) => {
    for (const format of ['csv', 'xlsx', 'spss']) {
      expect((await exported(author, surveyId, { format, ...body })).status).toBe(status);
    }
  });

  test('of an anonymous survey tells days, whichever the zone', async () => {
    const { surveyId: hidden } = await publishedSurvey(author, [[choice('Q1')]]);
    await author
      .post(`/api/responses/${hidden}/rows`, {
        rows: [
          { answers: { Q1: '1' }, started_at: '2026-01-02T10:00:00Z', completed_at: '2026-01-02T11:00:00Z' },
        ],
      })
      .expect(201);
    await author.put(`/api/surveys/${hidden}`, { survey_settings: { anonymous: true } }).expect(200);
    const body = { columns: ['started_at'], timezone: 'America/New_York' };
    const { file } = await exported(author, hidden, { ...body, format: 'spss' });
    const { variables, rows } = readSav(file);
    const secondsBefore1970 = 12_219_379_200;
    expect(rows).toEqual([[Date.UTC(2026, 0, 2) / 1000 + secondsBefore1970]]);
    // DATE, without a time.
    expect(variables[0]!.format.type).toBe(20);
    expect((await exported(author, hidden, body)).file.toString()).toContain('2026-01-02T00:00:00.000Z');
  });
});

test.each(['csv', 'xlsx', 'spss'])('a column that is named twice is refused by name (%s)', async (format) => {
  const body = { format, columns: ['why', 'WHY'] };
  await expectInvalidField(author.post(`/api/responses/${surveyId}/export`, body), 'columns[1]');
});

test('more responses than a sheet has rows are refused, with what to do', async () => {
  const { responseReader: responses } = app.container.services;
  const real = responses.readRows.bind(responses);
  const rows = vi
    .spyOn(responses, 'readRows')
    .mockImplementation(async (scope, request) => ({ ...(await real(scope, request)), total: 1_048_576 }));
  try {
    const { status, file } = await exported(author, surveyId, { format: 'xlsx' });
    expect(status).toBe(422);
    expect(file.toString()).toContain('1,048,576 responses exceed the 1,048,575 rows of a sheet');
    // So many are a job, of a format that has room for them.
    expect((await exported(author, surveyId, { format: 'csv' })).status).toBe(202);
  } finally {
    rows.mockRestore();
  }
});

describe('a download that is given up', () => {
  const ROWS = 3_000;
  const CHUNKS = ROWS / 250;
  let large: number;
  beforeAll(async () => {
    ({ surveyId: large } = await publishedSurvey(author, [[text('why')]]));
    // More than buffers on the way take, and nothing that compresses well.
    await app.database.db.raw(
      `WITH texts AS (SELECT t, string_agg(md5(t || '-' || part), '') AS why
                      FROM generate_series(0, 49) AS t, generate_series(1, 300) AS part GROUP BY t)
       INSERT INTO responses (survey_id, response_token, response_status, survey_version, answers)
       SELECT ?, md5(n::text), 'complete', 1, jsonb_build_object('why', why)
       FROM generate_series(1, ?) AS n JOIN texts ON t = n % 50`,
      [large, ROWS],
    );
  });

  test.each(['csv', 'xlsx', 'spss'])('as %s is read no further, and frees its connection', async (format) => {
    const { responseReader: responses } = app.container.services;
    const real = responses.readRows.bind(responses);
    let chunksRead = 0;
    let hasEnded = false;
    const rows = vi.spyOn(responses, 'readRows').mockImplementation(async (scope, request) => {
      const selected = await real(scope, request);
      async function* counted() {
        try {
          for await (const chunk of selected.chunks) {
            chunksRead += 1;
            yield chunk;
          }
        } finally {
          hasEnded = true;
        }
      }
      return { ...selected, chunks: counted() };
    });
    const server = http.createServer(app.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const request = http.request({
        ...{ method: 'POST', host: '127.0.0.1', port: (server.address() as AddressInfo).port },
        path: `/api/responses/${large}/export`,
        headers: { 'X-API-Key': author.apiKey!, 'Content-Type': 'application/json' },
      });
      request.end(JSON.stringify({ format }));
      const [reply] = (await once(request, 'response')) as [http.IncomingMessage];
      expect(reply.statusCode).toBe(200);
      // A workbook begins with parts that say nothing of the responses.
      while (chunksRead === 0) await once(reply, 'data');
      reply.destroy();
      const connections = () =>
        new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
      while (!hasEnded || (await connections()) > 0) await after(5);
      expect(chunksRead).toBeLessThan(CHUNKS);
    } finally {
      rows.mockRestore();
      server.closeAllConnections();
      server.close();
    }
  });
});
