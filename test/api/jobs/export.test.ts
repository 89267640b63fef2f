import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { number, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const ROWS = 600;
const test = useApp({ PUBLIC_URL: 'https://canvass.example', EXPORT_JOB_ROWS: '500' });
const organization = useOrganization(test);
let ada: Actor;
let survey: PublishedSurvey;

beforeAll(async () => {
  ada = await organization.addUser('member');
  survey = await publishedSurvey(ada, [[number('Q1'), text('Q2')]]);
  const rows = Array.from({ length: ROWS }, (_, n) => ({ answers: { Q1: n, Q2: `Text ${n}` } }));
  await ada.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
  test.container.jobWorker.start();
});
afterAll(() => test.container.jobWorker.stop(1_000));

const exported = (body: object, prefer: string | null, by = ada) => {
  const request = by.post(`/api/responses/${survey.surveyId}/export`, body);
  return prefer === null ? request : request.set('Prefer', prefer);
};
const few = { filter: { Q1: ['1', '2'] } };
const job = async (jobId: number, by = ada) => (await by.get(`/api/jobs/${jobId}`).expect(200)).body.data;
async function done(jobId: number, by = ada) {
  await expect.poll(async () => (await job(jobId, by)).status, { timeout: 15_000 }).toBe('done');
  return job(jobId, by);
}

describe('an export as a job', () => {
  it.each(['csv', 'xlsx', 'spss'])('creates the same %s file as the direct reply', async (format) => {
    const columns = ['response_id', 'Q1', 'Q2'];
    const started = await exported({ format, columns }, 'respond-async').expect(202);
    const { job_id: jobId, status_url: statusUrl } = started.body.data;
    expect(statusUrl).toBe(`https://canvass.example/api/jobs/${jobId}`);
    expect(started.headers['preference-applied']).toBe('respond-async');
    const finished = await done(jobId);
    const reply = await exported({ format, columns }, 'wait').expect(200).buffer().parse(bytes);
    expect(finished).toMatchObject({
      kind: 'response_export',
      survey_id: survey.surveyId,
      progress: 1,
      result: {
        download_url: `${statusUrl}/file`,
        file_name: `A survey.${{ csv: 'csv', xlsx: 'xlsx', spss: 'sav' }[format]!}`,
        content_type: reply.headers['content-type'],
      },
    });
    const file = await ada.get(`/api/jobs/${jobId}/file`).expect(200).buffer().parse(bytes);
    expect(file.headers['content-disposition']).toBe(reply.headers['content-disposition']);
    expect((file.body as Buffer).length).toBe(finished.result.size_bytes);
    // A workbook and a system file say when they were made.
    if (format === 'csv') expect(file.body).toEqual(reply.body);
    else expect(Math.abs((file.body as Buffer).length - (reply.body as Buffer).length)).toBeLessThan(16);
  });

  it('reports how many of the responses are written', async () => {
    const messages: string[] = [];
    const generated = await test.container.services.exportFiles.createFile(
      await test.container.services.access.surveyOfUser(ada, survey.surveyId, 'view'),
      { ...REQUEST, format: 'csv' },
      (written, total) => messages.push(`${written}/${total}`),
    );
    const chunks = generated.chunks[Symbol.asyncIterator]();
    while ((await chunks.next()).done !== true);
    expect(messages).toEqual(['0/600', '250/600', '500/600', '600/600']);
  });

  it('starts automatically above the limit, unless the client prefers to wait', async () => {
    const reply = await exported({}, null).expect(202);
    expect(reply.headers).not.toHaveProperty('preference-applied');
    await done(reply.body.data.job_id);
    expect((await exported({}, 'wait').expect(200)).text.split('\r\n')).toHaveLength(ROWS + 2);
    expect((await exported(few, null).expect(200)).text.split('\r\n')).toHaveLength(2 + 2);
  });

  it('rejects invalid requests without creating a job', async () => {
    const total = async () => (await ada.get('/api/jobs')).body.meta.total as number;
    const before = await total();
    await expectInvalidField(exported({ columns: ['Q9'] }, 'respond-async'), 'columns[0]');
    await expectRefused(exported({ weight_column: 'Q2' }, 'respond-async'), 422, 'not_a_weight');
    await expectRefused(exported({ filter: { Q9: ['1'] } }, 'respond-async'), 400);
    await expectRefused(exported({}, 'respond-async', await organization.addUser('client')), 403);
    expect(await total()).toBe(before);
  });

  it('with the same Idempotency-Key is one job', async () => {
    const once = () => exported(few, 'respond-async').set('Idempotency-Key', 'export-1').expect(202);
    const [first, repeated] = [await once(), await once()];
    expect(repeated.body).toEqual(first.body);
    await done(first.body.data.job_id);
  });

  it('provides its file only while its owner can see the survey', async () => {
    const workspace = await organization.admin
      .post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
      .expect(201);
    const { workspace_id: workspaceId } = workspace.body.data;
    const bob = await organization.addUser('member');
    const membership = { user_id: bob.userId, role: 'viewer' };
    await organization.admin.post(`/api/workspaces/${workspaceId}/members`, membership).expect(201);
    const created = await organization.admin
      .post('/api/surveys', { survey_name: 'Theirs', workspace_id: workspaceId })
      .expect(201);
    const address = `/api/responses/${created.body.data.survey_id}/export`;
    const start = () => bob.post(address, {}).set('Prefer', 'respond-async');
    const { job_id: jobId } = (await start().expect(202)).body.data;
    await done(jobId, bob);
    await bob.get(`/api/jobs/${jobId}/file`).expect(200);

    await test.container.jobWorker.stop(1_000);
    const { job_id: laterId } = (await start().expect(202)).body.data;
    await organization.admin.delete(`/api/workspaces/${workspaceId}/members/${bob.userId}`).expect(204);
    await expectRefused(bob.get(`/api/jobs/${jobId}/file`), 404);
    test.container.jobWorker.start();
    await expectRefused(bob.get(`/api/jobs/${laterId}`), 404);
    const stored = () =>
      test.database.db('jobs').where({ job_id: laterId }).first('status', 'result', 'error');
    await expect
      .poll(stored, { timeout: 15_000 })
      .toMatchObject({ status: 'failed', result: null, error: { code: 'not_found' } });
  });
});

const REQUEST = {
  status: ['complete' as const],
  filter: undefined,
  includeTest: null,
  includeConfirmed: false,
  columns: null,
  values: 'code' as const,
  headers: 'code' as const,
  multiple: 'columns' as const,
  weightColumn: null,
  timeZone: 'UTC',
  stringWidth: 'data' as const,
  delimiter: ',',
  bom: false,
  escapeFormulas: true,
  sinceMs: null,
  includeDeleted: false,
  stack: null,
};

/** supertest would take a text for what is none. */
function bytes(reply: Response, done: (error: Error | null, body: Buffer) => void): void {
  const parts: Buffer[] = [];
  const stream = reply as unknown as NodeJS.ReadableStream;
  stream.on('data', (part: Buffer | string) => parts.push(Buffer.from(part as string, 'latin1')));
  stream.on('end', () => done(null, Buffer.concat(parts)));
}
