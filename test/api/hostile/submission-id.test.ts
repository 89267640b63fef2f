import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { choice, text } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { readStoredResponses } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
const respondent = anonymous(test);
const SECRET = 'k3yOfTheFirstClient_0123456789';
let survey: PublishedSurvey;
let viewer: Actor;

beforeAll(async () => {
  survey = await publishedSurvey(organization.admin, {
    settings: { redirect_url: 'https://panel.example/end?who={{external_id}}' },
    pages: [[choice('Q1')], [text('Q2')]],
  });
  viewer = await organization.addUser('member');
  const shared = await organization.admin
    .post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
    .expect(201);
  const { workspace_id: workspaceId } = shared.body.data;
  await organization.admin
    .post(`/api/workspaces/${workspaceId}/members`, { user_id: viewer.userId, role: 'viewer' })
    .expect(201);
  await organization.admin.put(`/api/surveys/${survey.surveyId}`, { workspace_id: workspaceId }).expect(200);
});

const submit = (body: object, linkToken = survey.linkToken) =>
  respondent.post(`/api/public/s/${linkToken}/responses`, { answers: {}, status: 'partial', ...body });

describe('a repeated submission_id', () => {
  it('returns no token to a client without the first client_secret', async () => {
    const start = {
      submission_id: 'victim-1',
      client_secret: SECRET,
      external_id: 'panelist-7',
      answers: { Q1: '2' },
    };
    const first = (await submit(start).expect(201)).body.data;
    const withoutSecret = { ...start, client_secret: undefined };
    const guesses = [
      { submission_id: 'victim-1' },
      withoutSecret,
      { ...start, client_secret: `${SECRET}x` },
      { ...start, client_secret: SECRET.toLowerCase() },
      { submission_id: 'victim-1', status: 'complete', answers: { Q1: '1' } },
      { ...start, status: 'complete', answers: { Q1: '1' } },
    ];
    for (const guess of guesses) {
      const reply = await expectRefused(submit(guess), 409, 'submission_id_taken');
      expect(JSON.stringify(reply)).not.toMatch(`panelist-7|${first.response_token as string}`);
    }
    expect((await submit(start).expect(200)).body.data).toEqual(first);
    const stored = (await readStoredResponses(test, survey.surveyId)).find(
      (row) => row.response_id === first.response_id,
    );
    expect(stored).toMatchObject({ response_status: 'partial', answers: { Q1: '2' } });
  });

  it('returns no token for a response started without a client_secret', async () => {
    const start = { submission_id: 'victim-2', answers: { Q1: '2' } };
    const first = (await submit(start).expect(201)).body.data;
    expect(first.response_token).toEqual(expect.any(String));
    expect((await submit(start).expect(200)).body.data.response_token).toBeNull();
    await expectRefused(submit({ ...start, client_secret: SECRET }), 409, 'submission_id_taken');
    await expectRefused(submit({ ...start, answers: { Q1: '1' } }), 409, 'submission_id_taken');
  });

  it('does not reveal the reason or redirect of an ended response', async () => {
    const end = {
      submission_id: 'victim-3',
      external_id: 'panelist-9',
      status: 'complete',
      answers: { Q1: '1' },
    };
    expect((await submit(end).expect(201)).body.data.redirect_url).toContain('panelist-9');
    const reply = await submit({ ...end, external_id: undefined }).expect(200);
    expect(reply.body.data).toMatchObject({ response_status: 'complete', redirect_url: null });
    expect(reply.text).not.toContain('panelist-9');
  });

  it('drops no answers of a respondent whose submission_id someone else sent first', async () => {
    const submission = { submission_id: 'squatted', status: 'complete' };
    await submit({ ...submission, answers: { Q1: '1' } }).expect(201);
    await expectRefused(submit({ ...submission, answers: { Q1: '2' } }), 409, 'submission_id_taken');
    await submit({ ...submission, submission_id: 'squatted-2', answers: { Q1: '2' } }).expect(201);
  });

  it('is compared with the answers before an edit', async () => {
    const submission = { submission_id: 'edited', status: 'complete', answers: { Q1: '1' } };
    const { response_id: id } = (await submit(submission).expect(201)).body.data;
    await organization.admin
      .patch(`/api/responses/${survey.surveyId}/rows/${id}`, { values: { Q1: '2', Q2: 'Added' } })
      .expect(200);
    expect((await submit(submission).expect(200)).body.data.response_id).toBe(id);
    await expectRefused(submit({ ...submission, answers: { Q1: '2' } }), 409, 'submission_id_taken');
  });

  it('gives the token to one of many concurrent clients with different secrets', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        submit({ submission_id: 'raced', client_secret: `${SECRET}${n}` }),
      ),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  it('returns no token if a quota makes responses wait for a place', async () => {
    const limited = await organization.admin
      .post(`/api/surveys/${survey.surveyId}/links`, {
        link_type: 'open',
        link_name: 'Limited',
        link_quota: 5,
      })
      .expect(201);
    const { link_token: linkToken } = limited.body.data;
    const start = { submission_id: 'victim-4', client_secret: SECRET };
    const first = (await submit(start, linkToken).expect(201)).body.data;
    await expectRefused(submit({ submission_id: 'victim-4' }, linkToken), 409, 'submission_id_taken');
    expect((await submit(start, linkToken).expect(200)).body.data).toEqual(first);
  });

  it('returns no token of a response from an integration or an import', async () => {
    await organization.admin
      .post(`/api/responses/${survey.surveyId}/rows`, {
        rows: [{ submission_id: 'imported', answers: { Q1: '1' }, status: 'partial' }],
      })
      .expect(201);
    await submit({ submission_id: 'imported', client_secret: SECRET }).expect(409);
  });
});

describe('a viewer of the survey', () => {
  it('can read no response token, client secret or their hashes', async () => {
    const started = (
      await submit({
        submission_id: 'seen-by-viewer',
        client_secret: SECRET,
        hidden: { source: 'mail' },
      }).expect(201)
    ).body.data;
    const { rows } = await test.database.db.raw<{
      rows: { response_token: string; client_secret_hash: string | null }[];
    }>('SELECT response_token, client_secret_hash FROM responses WHERE survey_id = ?', [survey.surveyId]);
    const secrets = [
      SECRET,
      ...rows.flatMap((row) => [row.response_token, row.client_secret_hash ?? row.response_token]),
    ];
    expect(secrets).toContain(started.response_token);
    const id = survey.surveyId;
    const texts: [string, string][] = [];
    for (const path of [
      `/api/responses/${id}/grid`,
      `/api/responses/${id}/grid?include_test=true&include_deleted=true`,
      `/api/responses/${id}/stats`,
      `/api/responses/${id}/changes`,
      `/api/responses/${id}/comments`,
      `/api/responses/${id}/quality`,
      `/api/responses/${id}/files`,
      `/api/responses/${id}/derived-columns`,
      `/api/surveys/${id}`,
      `/api/surveys/${id}/links`,
      `/api/surveys/${id}/invitations`,
      '/api/jobs',
    ])
      texts.push([path, (await viewer.get(path).expect(200)).text]);
    // All file formats have the same columns.
    const file = await exportResponses(viewer, id, { format: 'csv', status: ['complete', 'partial'] });
    texts.push(['export', file.file.toString()]);
    expect(texts[0]![1]).toContain('seen-by-viewer');
    for (const [where, content] of texts)
      for (const secret of secrets) expect(content.includes(secret), `${secret} in ${where}`).toBe(false);
  });
});
