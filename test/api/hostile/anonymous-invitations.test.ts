import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { invite, waitForJob } from '../../support/invitations.ts';
import { choice } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const ANSWERS = ['1', '2', '1', '2', '2', '1'];

beforeAll(() => app.container.jobWorker.start());
afterAll(() => app.container.jobWorker.stop(1_000));

const anonymousSurvey = (settings: object = { anonymous: true }) =>
  publishedSurvey(organization.admin, { settings, pages: [[choice('Q1', { question_required: true })]] });

const people = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `${name}${index}@people.example` }));

async function inviteAll(
  published: PublishedSurvey,
  name: string,
  count = ANSWERS.length,
): Promise<string[]> {
  const { body } = await invite(organization.admin, published, people(name, count)).expect(202);
  await waitForJob(organization.admin, body.data.job_id);
  return tokensOf(published);
}

async function tokensOf({ surveyId }: PublishedSurvey): Promise<string[]> {
  return app.database
    .db('invitations')
    .where({ survey_id: surveyId })
    .orderBy('invitation_id')
    .pluck('link_token');
}

const answer = (token: string, value: string) =>
  anonymous(app)
    .post(`/api/public/s/${token}/responses`, { answers: { Q1: value } })
    .expect(201);

const listRows = async ({ surveyId }: PublishedSurvey) =>
  (await organization.admin.get(`/api/responses/${surveyId}/grid`).expect(200)).body.data.rows as {
    response_id: number;
    link_id: number | null;
    submission_id: string | null;
  }[];

/** All that a member sees of invitations, links and reminders; an editor sees most. */
async function observe({ surveyId, linkId }: PublishedSurvey, respondentIds: readonly number[]) {
  const member = organization.admin;
  const seen: unknown[] = [];
  for (const path of [
    `/api/surveys/${surveyId}/invitations`,
    ...['queued', 'kept', 'sent', 'opened', 'started', 'completed'].map(
      (status) => `/api/surveys/${surveyId}/invitations?invitation_status=${status}`,
    ),
    `/api/surveys/${surveyId}/invite/summary`,
    `/api/surveys/waves/distributions?survey_id=${surveyId}`,
    `/api/surveys/${surveyId}/links`,
    `/api/surveys/links?survey_id=${surveyId}&link_status=full`,
    '/api/surveys/respondents?sort=email',
    '/api/audit',
    '/api/jobs',
    '/api/outbox',
    ...respondentIds.map((id) => `/api/surveys/respondents/${id}`),
  ])
    seen.push((await member.get(path).expect(200)).body.data);
  const resend = (body: object) =>
    member.post(`/api/surveys/${surveyId}/invite/${linkId}/resend`, { dry_run: true, ...body }).expect(200);
  seen.push((await resend({})).body.data);
  for (const id of respondentIds) seen.push((await resend({ respondent_ids: [id] })).body.data);
  return seen;
}

const respondentIdsOf = async ({ surveyId }: PublishedSurvey): Promise<number[]> =>
  app.database
    .db('invitations')
    .where({ survey_id: surveyId })
    .orderBy('invitation_id')
    .pluck('respondent_id');

describe('in an anonymous survey', () => {
  test('polling invitations, links and reminders never shows who has answered', async () => {
    const published = await anonymousSurvey();
    const tokens = await inviteAll(published, 'polled');
    const ids = await respondentIdsOf(published);
    const before = await observe(published, ids);
    for (const [index, token] of tokens.entries()) {
      await answer(token, ANSWERS[index]!);
      expect(await observe(published, ids)).toEqual(before);
      expect(await listRows(published)).toHaveLength(index + 1);
    }
  });

  test('neither personal links nor ids of clients are shown', async () => {
    const published = await anonymousSurvey();
    const [token] = await inviteAll(published, 'linked', 1);
    await anonymous(app)
      .post(`/api/public/s/${token!}/responses`, { submission_id: 'employee-17', answers: { Q1: '1' } })
      .expect(201);
    expect(await listRows(published)).toMatchObject([{ link_id: null, submission_id: null }]);
    const { body } = await organization.admin
      .get(`/api/surveys/${published.surveyId}/invitations`)
      .expect(200);
    expect(body.data).toMatchObject([{ link_url: null, invitation_status: 'kept', completed_at: null }]);
    const exported = await organization.admin
      .post(`/api/responses/${published.surveyId}/export`, { columns: ['submission_id', 'link_id', 'Q1'] })
      .expect(200);
    expect(exported.text).not.toContain('employee-17');
    const byLink = { left: { code: 'link_id' }, operator: 'equals', right: published.linkId };
    const filtered = await organization.admin
      .get(`/api/responses/${published.surveyId}/grid?filter=${encodeURIComponent(JSON.stringify(byLink))}`)
      .expect(200);
    expect(filtered.body.data.rows).toEqual([]);
  });

  test('a link for one person shows neither its status nor its responses', async () => {
    const published = await anonymousSurvey();
    const { body } = await organization.admin
      .post(`/api/surveys/${published.surveyId}/links`, { link_type: 'unique', link_name: 'For Ana' })
      .expect(201);
    await answer(body.data.link_token, '1');
    const links = await organization.admin.get(`/api/surveys/${published.surveyId}/links`).expect(200);
    const hidden = { link_status: 'active', response_count: null, complete_count: null };
    expect(links.body.data).toContainEqual(
      expect.objectContaining({ link_id: body.data.link_id, ...hidden }),
    );
    expect(await listRows(published)).toMatchObject([{ link_id: null }]);
  });

  test('a reminder counts all, whoever has answered', async () => {
    const published = await anonymousSurvey();
    const tokens = await inviteAll(published, 'reminded', 3);
    const ids = await respondentIdsOf(published);
    const list = async () =>
      (await organization.admin.get(`/api/surveys/${published.surveyId}/invitations`).expect(200)).body
        .data as {
        respondent_id: number;
        mail_count: number;
      }[];
    await answer(tokens[0]!, '1');
    const { body } = await organization.admin
      .post(`/api/surveys/${published.surveyId}/invite/${published.linkId}/resend`, { respondent_ids: ids })
      .expect(202);
    expect(body.data.queued).toBe(3);
    expect(await waitForJob(organization.admin, body.data.job_id)).toMatchObject({ kept: 3, cancelled: 0 });
    expect((await list()).map(({ mail_count: count }) => count)).toEqual([2, 2, 2]);
  });

  test('a reported bounce is shown whether or not the person answered', async () => {
    const published = await anonymousSurvey();
    const tokens = await inviteAll(published, 'bounced', 2);
    await answer(tokens[0]!, '1');
    const invitations = await app.database
      .db('invitations')
      .where({ survey_id: published.surveyId })
      .pluck('invitation_id');
    for (const id of invitations)
      await organization.admin
        .post(`/api/surveys/${published.surveyId}/invitations/${id}/bounce`, {})
        .expect(204);
    const { body } = await organization.admin
      .get(`/api/surveys/${published.surveyId}/invitations?invitation_status=bounced`)
      .expect(200);
    expect(body.data).toHaveLength(2);
  });

  test('answers are counted from the next day on, in batches of at least five', async () => {
    const published = await anonymousSurvey();
    const tokens = await inviteAll(published, 'counted', 7);
    const counts = async () => {
      const { body } = await organization.admin
        .get(`/api/surveys/${published.surveyId}/invite/summary`)
        .expect(200);
      return [body.data.counts.kept, body.data.counts.completed, body.data.links[0].counts.completed];
    };
    const passDay = () =>
      app.database.db.raw('UPDATE invitations SET answered_on = answered_on - 1 WHERE survey_id = ?', [
        published.surveyId,
      ]);
    for (const token of tokens.slice(0, 4)) await answer(token, '1');
    await passDay();
    expect(await counts()).toEqual([7, 0, 0]);
    await answer(tokens[4]!, '2');
    expect(await counts()).toEqual([7, 0, 0]);
    await passDay();
    expect(await counts()).toEqual([2, 5, 5]);
    await answer(tokens[5]!, '2');
    await passDay();
    expect(await counts()).toEqual([2, 5, 5]);
  });

  test('what was recorded before it became anonymous is not shown', async () => {
    const published = await anonymousSurvey({});
    const [token] = await inviteAll(published, 'switched', 1);
    await answer(token!, '1');
    await organization.admin
      .put(`/api/surveys/${published.surveyId}`, { survey_settings: { anonymous: true } })
      .expect(200);
    const { body } = await organization.admin
      .get(`/api/surveys/${published.surveyId}/invitations`)
      .expect(200);
    expect(body.data).toMatchObject([{ invitation_status: 'kept', started_at: null, completed_at: null }]);
    expect(await listRows(published)).toMatchObject([{ link_id: null, respondent_id: null }]);
  });
});
