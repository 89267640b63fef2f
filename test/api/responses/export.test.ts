import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useOrganization } from '../../support/actors.ts';
import { exportResponses } from '../../support/file-transfer.ts';
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

const exportCsv = async (body: object) =>
  (await exportResponses(author, surveyId, body)).file.toString('utf8').trimEnd().split('\r\n');

describe('an export', () => {
  test('writes times in the requested time zone, including summer time', async () => {
    const columns = ['started_at', 'completed_at'];
    expect((await exportCsv({ columns, timezone: 'Europe/Berlin' }))[1]).toBe(
      '2026-03-29T01:30:00.000+01:00,2026-03-29T03:30:00.000+02:00',
    );
    expect((await exportCsv({ columns, timezone: 'America/St_Johns' }))[1]).toMatch(
      /^2026-03-28T22:00:00.000-02:30,/,
    );
    expect((await exportCsv({ columns }))[1]).toBe('2026-03-29T00:30:00.000Z,2026-03-29T01:30:00.000Z');
  });

  test('has the weight once, as the last column', async () => {
    expect((await exportCsv({ columns: ['w', 'Q1'], weight_column: 'W' }))[0]).toBe('Q1,w');
    expect((await exportCsv({ columns: ['Q1'], weight: 'w' }))[0]).toBe('Q1,w');
  });

  test('selects the same responses in every format', async () => {
    const body = { columns: ['submission_id'], status: ['partial', 'complete'], filters: { Q1: ['2'] } };
    expect(await exportCsv(body)).toEqual(['submission_id', 'b']);
    const { file } = await exportResponses(author, surveyId, { ...body, format: 'spss' });
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
  ])('%j is rejected in every format, before the first byte', async (body, status) => {
    for (const format of ['csv', 'xlsx', 'spss']) {
      expect((await exportResponses(author, surveyId, { format, ...body })).status).toBe(status);
    }
  });

  test('of an anonymous survey contains days in every time zone', async () => {
    const { surveyId: anonymousId } = await publishedSurvey(author, [[choice('Q1')]]);
    await author
      .post(`/api/responses/${anonymousId}/rows`, {
        rows: [
          { answers: { Q1: '1' }, started_at: '2026-01-02T10:00:00Z', completed_at: '2026-01-02T11:00:00Z' },
        ],
      })
      .expect(201);
    await author.put(`/api/surveys/${anonymousId}`, { survey_settings: { anonymous: true } }).expect(200);
    const body = { columns: ['started_at'], timezone: 'America/New_York' };
    const { file } = await exportResponses(author, anonymousId, { ...body, format: 'spss' });
    const { variables, rows } = readSav(file);
    const secondsBefore1970 = 12_219_379_200;
    expect(rows).toEqual([[Date.UTC(2026, 0, 2) / 1000 + secondsBefore1970]]);
    // DATE, without a time.
    expect(variables[0]!.format.type).toBe(20);
    expect((await exportResponses(author, anonymousId, body)).file.toString()).toContain(
      '2026-01-02T00:00:00.000Z',
    );
  });

  test.each([
    [false, [16, 255, 64, 1_024, 16]],
    [true, [1, 255, 64, 1_024, 16]],
  ])(
    'fits texts of metadata and answers in any order to their longest value (anonymous: %s)',
    async (anonymous, expected) => {
      const other = { options: ['Yes', { option_label: 'Other', option_other: true, option_value: '9' }] };
      const survey = await publishedSurvey(author, [[choice('Q1', other), text('short'), text('long')]]);
      await author
        .post(`/api/responses/${survey.surveyId}/rows`, {
          rows: [
            {
              submission_id: 's'.repeat(16),
              language: 'en',
              external_id: 'e'.repeat(50),
              answers: {
                Q1: { value: '9', other: 'o'.repeat(400) },
                short: 'b'.repeat(8),
                long: 'l'.repeat(200),
              },
            },
          ],
        })
        .expect(201);
      if (anonymous)
        await author.put(`/api/surveys/${survey.surveyId}`, { survey_settings: { anonymous } }).expect(200);
      const { file } = await exportResponses(author, survey.surveyId, {
        format: 'spss',
        columns: ['submission_id', 'long', 'external_id', 'Q1_other', 'short'],
      });
      expect(readSav(file).variables.map(({ width }) => width)).toEqual(expected);
    },
  );
});

test.each(['csv', 'xlsx', 'spss'])(
  'a duplicate column is rejected, naming its index (%s)',
  async (format) => {
    const body = { format, columns: ['why', 'WHY'] };
    await expectInvalidField(author.post(`/api/responses/${surveyId}/export`, body), 'columns[1]');
  },
);

test('more responses than a sheet has rows are rejected with the limit', async () => {
  const { responseReader: responses } = app.container.services;
  const readRows = responses.readRows.bind(responses);
  const rows = vi.spyOn(responses, 'readRows').mockImplementation(async (scope, request) => ({
    ...(await readRows(scope, request)),
    total: 1_048_576,
  }));
  try {
    const { status, file } = await exportResponses(author, surveyId, { format: 'xlsx' });
    expect(status).toBe(422);
    expect(file.toString()).toContain('1,048,576 responses exceed the 1,048,575 rows of a sheet');
    // As CSV, so many responses are exported by a job.
    expect((await exportResponses(author, surveyId, { format: 'csv' })).status).toBe(202);
  } finally {
    rows.mockRestore();
  }
});

describe('an aborted download', () => {
  const ROWS = 3_000;
  const CHUNKS = ROWS / 250;
  let large: number;
  beforeAll(async () => {
    ({ surveyId: large } = await publishedSurvey(author, [[text('why')]]));
    // Larger than all buffers in between, and hardly compressible.
    await app.database.db.raw(
      `WITH texts AS (SELECT t, string_agg(md5(t || '-' || part), '') AS why
                      FROM generate_series(0, 49) AS t, generate_series(1, 300) AS part GROUP BY t)
       INSERT INTO responses (survey_id, response_token, response_status, survey_version, answers)
       SELECT ?, md5(n::text), 'complete', 1, jsonb_build_object('why', why)
       FROM generate_series(1, ?) AS n JOIN texts ON t = n % 50`,
      [large, ROWS],
    );
  });

  test.each(['csv', 'xlsx', 'spss'])(
    'as %s stops reading responses and releases its connection',
    async (format) => {
      const { responseReader: responses } = app.container.services;
      const readRows = responses.readRows.bind(responses);
      let chunksRead = 0;
      let hasEnded = false;
      const rows = vi.spyOn(responses, 'readRows').mockImplementation(async (scope, request) => {
        const selected = await readRows(scope, request);
        async function* countChunks() {
          try {
            for await (const chunk of selected.chunks) {
              chunksRead += 1;
              yield chunk;
            }
          } finally {
            hasEnded = true;
          }
        }
        return { ...selected, chunks: countChunks() };
      });
      const server = http.createServer(app.app).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const request = http.request({
          method: 'POST',
          host: '127.0.0.1',
          port: (server.address() as AddressInfo).port,
          path: `/api/responses/${large}/export`,
          headers: { 'X-API-Key': author.apiKey!, 'Content-Type': 'application/json' },
        });
        request.end(JSON.stringify({ format }));
        const [reply] = (await once(request, 'response')) as [http.IncomingMessage];
        expect(reply.statusCode).toBe(200);
        // A workbook starts with parts that contain no responses.
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
    },
  );
});
