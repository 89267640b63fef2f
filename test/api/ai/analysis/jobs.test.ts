import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../../support/actors.ts';
import { useApp } from '../../../support/app.ts';
import { asBytes } from '../../../support/file-transfer.ts';
import { type OpenAnswers, createOpenAnswers } from '../../../support/open-answers.ts';
import { expectRefused } from '../../../support/refusals.ts';

const test = useApp();
const organization = useOrganization(test);
const TEXTS = ['I love it', 'I hate it', 'It is a chair', 'Awful price', 'Great price'];
let survey: OpenAnswers;

beforeAll(async () => {
  survey = await createOpenAnswers(organization.admin, TEXTS);
  test.container.jobWorker.start();
});
afterAll(() => test.container.jobWorker.stop(1_000));

const requestAnalysis = (operation: string, body: object = {}, by = organization.admin) =>
  by.post(survey.at(operation), { question_id: survey.questionId, ...body });
const started = async (operation: string, body: object = {}, by = organization.admin): Promise<number> =>
  (await requestAnalysis(operation, body, by).set('Prefer', 'respond-async').expect(202)).body.data.job_id;
const job = async (jobId: number, by = organization.admin) =>
  (await by.get(`/api/jobs/${jobId}`).expect(200)).body.data;
const waitForJob = async (jobId: number, status = 'done', by = organization.admin) => {
  await expect.poll(async () => (await job(jobId, by)).status, { timeout: 20_000 }).toBe(status);
  return job(jobId, by);
};

describe('an analysis job', () => {
  it.each([
    ['sentiment', {}, 'summary'],
    ['themes', {}, 'themes'],
    ['classify', { categories: ['Price', 'Chair'] }, 'categories'],
    ['suggest-categories', {}, 'categories'],
    ['summarize', {}, 'summary'],
  ])('of %s has the same result as the direct reply', async (operation, body, member) => {
    const { result, kind } = await waitForJob(await started(operation, body));
    expect(kind).toBe('analysis');
    const at = new URL(result.download_url as string).pathname;
    const file = await asBytes(organization.admin.get(at).expect(200));
    expect(file.headers['content-type']).toContain('application/json');
    const { data } = (await requestAnalysis(operation, body).expect(200)).body;
    const { usage, credits_used: used, credits_remaining: remaining, ...same } = data;
    expect(used).toBe(0);
    expect(usage).toEqual({ input_tokens: 0, output_tokens: 0 });
    const saved = JSON.parse((file.body as Buffer).toString());
    expect(saved).toMatchObject(same);
    expect(saved.credits_used).toBeGreaterThan(0);
    expect(remaining).toBe(saved.credits_remaining);
    expect(result).toMatchObject({
      operation,
      engine: 'built-in',
      texts: { read: 5, of: 5, blank: 0 },
      credits_used: saved.credits_used,
    });
    expect(result[member]).toBeDefined();
    expect(JSON.stringify(result)).not.toContain('response_id"');
  });

  it('saves a column', async () => {
    const { result } = await waitForJob(await started('sentiment', { save_as_column: 'FEELING' }));
    expect(result.saved_as).toMatchObject({ column_code: 'FEELING', responses: 5 });
    const { body } = await organization.admin
      .get(`/api/responses/${survey.surveyId}/distribution/FEELING`)
      .expect(200);
    expect(body.data.base).toBe(5);
  });

  it('rejects an invalid request immediately', async () => {
    const wrong = { question_id: survey.questionIds.Q1 };
    await expectRefused(requestAnalysis('sentiment', wrong).set('Prefer', 'respond-async'), 400);
    const pendingRequest = requestAnalysis('sentiment', { save_as_column: 'Q1' }).set(
      'Prefer',
      'respond-async',
    );
    await expectRefused(pendingRequest, 409, 'column_code_taken');
    const into = requestAnalysis('translate', { target_language: 'de' }).set('Prefer', 'respond-async');
    await expectRefused(into, 503, 'ai_provider_required');
  });

  it('fails if its user loses AI access', async () => {
    const member = await organization.addUser('member');
    await test.container.jobWorker.stop(1_000);
    const jobId = await started('sentiment', { filter: 'Q3 < 2' }, member);
    await organization.admin.put(`/api/users/${member.userId}`, { ai_access: false }).expect(200);
    test.container.jobWorker.start();
    const { error } = await waitForJob(jobId, 'failed', member);
    expect(error.code).toBe('ai_disabled');
  });

  it('starts automatically for many uncached texts', async () => {
    const many = await createOpenAnswers(organization.admin, ['First of all']);
    await test.database.db.raw(
      `INSERT INTO responses (survey_id, response_token, response_status, survey_version, answers)
       SELECT ?, md5(n::text || random()::text), 'complete', 1, jsonb_build_object('Q2', 'Good number ' || n)
       FROM generate_series(1, 20001) n`,
      [many.surveyId],
    );
    const request = { question_id: many.questionId };
    const { body } = await organization.admin.post(many.at('sentiment'), request).expect(202);
    const { result } = await waitForJob(body.data.job_id as number);
    expect(result.texts).toEqual({ read: 20_002, of: 20_002, blank: 0 });
    // Read before, it is no longer much.
    const repeated = await organization.admin.post(many.at('sentiment'), request).expect(200);
    expect(repeated.body.data.credits_used).toBe(0);
    expect(repeated.body.data.results).toHaveLength(20_002);
  }, 60_000);
});

describe('the cleanup of cached results', () => {
  it('deletes expired results only', async () => {
    const old = await createOpenAnswers(organization.admin, ['Old text', 'Older text']);
    const request = { question_id: old.questionId };
    const read = async () =>
      (await organization.admin.post(old.at('sentiment'), request).expect(200)).body.data;
    await read();
    await test.container.services.analysisCacheCleanup.run();
    expect((await read()).credits_used).toBe(0);
    await test.database.db.raw(
      `UPDATE analysis_results SET created_at = now() - interval '91 days' WHERE survey_id = ?`,
      [old.surveyId],
    );
    await test.container.services.analysisCacheCleanup.run();
    const { rows } = await test.database.db.raw<{ rows: { survey_id: number }[] }>(
      'SELECT DISTINCT survey_id FROM analysis_results',
    );
    expect(rows.map(({ survey_id: id }) => id)).not.toContain(old.surveyId);
    expect(rows.map(({ survey_id: id }) => id)).toContain(survey.surveyId);
    expect((await read()).credits_used).toBe(1);
  });
});
