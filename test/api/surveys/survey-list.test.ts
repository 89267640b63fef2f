import { describe, expect, it } from 'vitest';
import { anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { draftSurvey, publishedSurvey, type TestSurvey } from '../../support/surveys.ts';

const test = useApp();
const home = useOrganization(test);
const { admin } = home;

interface Listed {
  survey_id: number;
  complete_count: number;
  last_edited_by: { user_id: number; user_name: string } | null;
  activity?: { day: string; complete_count: number }[];
  deleted_at: string | null;
}

const list = async (query = '', by = admin): Promise<Listed[]> =>
  (await by.get(`/api/surveys${query}`).expect(200)).body.data;
const find = async (surveyId: number, query = ''): Promise<Listed> =>
  (await list(query)).find(({ survey_id: id }) => id === surveyId)!;

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

async function insertCompletes(
  surveyId: number,
  completedAt: string,
  count = 1,
  fields = 'complete, false',
): Promise<void> {
  const [status, isTest] = fields.split(', ');
  await test.database.db.raw(
    `INSERT INTO responses (survey_id, response_token, response_status, survey_version, is_test, completed_at)
     SELECT ?, md5(random()::text), ?, 1, ?, ?::timestamptz FROM generate_series(1, ?)`,
    [surveyId, status!, isTest === 'true', completedAt, count],
  );
}

describe('last_edited_by', () => {
  it('names who last changed the survey, its pages or questions, or published it', async () => {
    const colleague = await home.addUser('member');
    const { surveyId, pageIds, questionIds } = await draftSurvey(admin, [[choice('Q1')]]);
    const editor = async () => (await find(surveyId)).last_edited_by?.user_id;
    expect(await find(surveyId)).toMatchObject({
      last_edited_by: { user_id: admin.userId, user_name: 'Ada Admin' },
    });
    const changes = [
      () => colleague.put(`/api/surveys/${surveyId}/pages/${pageIds[0]}`, { page_title: 'T' }),
      () => admin.put(`/api/surveys/${surveyId}/questions/${questionIds.Q1}`, { question_text: 'T' }),
      () => colleague.put(`/api/surveys/${surveyId}`, { survey_name: 'By a colleague' }),
      () => admin.post(`/api/surveys/${surveyId}/publish`),
    ];
    for (const [index, change] of changes.entries()) {
      await change().expect(200);
      expect(await editor()).toBe(index % 2 === 0 ? colleague.userId : admin.userId);
    }
    const single = await admin.get(`/api/surveys/${surveyId}`).expect(200);
    expect(single.body.data.last_edited_by).toEqual({ user_id: admin.userId, user_name: 'Ada Admin' });
    // Responses and reading are no edits.
    await colleague.get(`/api/surveys/${surveyId}`).expect(200);
    expect(await editor()).toBe(admin.userId);
  });
});

describe('include=activity', () => {
  it('counts the complete responses of each of the last 14 days', async () => {
    const { surveyId } = await publishedSurvey(admin);
    const now = Date.now();
    await insertCompletes(surveyId, new Date(now).toISOString(), 3);
    await insertCompletes(surveyId, new Date(now - 13 * DAY_MS).toISOString(), 2);
    await insertCompletes(surveyId, new Date(now - 15 * DAY_MS).toISOString(), 9);
    await insertCompletes(surveyId, new Date(now).toISOString(), 4, 'complete, true');
    await insertCompletes(surveyId, new Date(now).toISOString(), 5, 'screened_out, false');
    const { activity } = await find(surveyId, '?include=activity');
    expect(activity).toHaveLength(14);
    expect(activity!.map(({ day }) => day)).toEqual(
      Array.from({ length: 14 }, (_, index) => dayOf(now - (13 - index) * DAY_MS)),
    );
    expect(activity!.map(({ complete_count: count }) => count)).toEqual([2, ...Array<number>(12).fill(0), 3]);
    expect((await find(surveyId)).activity).toBeUndefined();
  });

  it('uses the days of each survey’s time zone', async () => {
    const surveys = await Promise.all(
      ['Pacific/Auckland', 'Pacific/Honolulu'].map(async (timezone) => {
        const { surveyId } = await draftSurvey(admin, {
          pages: [[choice('Q1')]],
          settings: { timezone },
        });
        return surveyId;
      }),
    );
    const noon = Date.parse(`${dayOf(Date.now() - 3 * DAY_MS)}T12:30:00Z`);
    for (const surveyId of surveys) await insertCompletes(surveyId, new Date(noon).toISOString());
    const days = await Promise.all(
      surveys.map(
        async (surveyId) =>
          (await find(surveyId, '?include=activity')).activity!.find((one) => one.complete_count === 1)!.day,
      ),
    );
    expect(days).toEqual([dayOf(noon + DAY_MS), dayOf(noon)]);
  });

  it('asks the database once for all surveys of a page', async () => {
    for (let index = 0; index < 3; index += 1) await publishedSurvey(admin);
    const statements: string[] = [];
    const listener = ({ sql }: { sql: string }) => {
      if (/FROM (responses|hourly_completes)/.test(sql)) statements.push(sql);
    };
    test.database.db.on('query', listener);
    await list('?include=activity');
    test.database.db.removeListener('query', listener);
    expect(statements).toHaveLength(1);
  });

  it('limits a page to 100 surveys, and refuses other values', async () => {
    const { body } = await admin.get('/api/surveys?include=activity&limit=1000').expect(200);
    expect(body.meta.limit).toBe(100);
    for (const value of ['all', '', 'activity,x'])
      await admin.get(`/api/surveys?include=${value}`).expect(400);
    expect(await list('?include=activity', (await newOrganization(test)).admin)).toEqual([]);
  });
});

describe('a deleted survey', () => {
  it.each([1, 2, 3])(
    'in status %i is listed and restored with its responses, links and status',
    async (status) => {
      const survey: TestSurvey & { linkToken?: string } =
        status === 1 ? await draftSurvey(admin, [[choice('Q1')]]) : await publishedSurvey(admin);
      const { surveyId } = survey;
      const url = `/api/surveys/${surveyId}`;
      if (status > 1) {
        const address = `/api/public/s/${survey.linkToken}/responses`;
        await anonymous(test)
          .post(address, { answers: { Q1: '1' } })
          .expect(201);
      }
      if (status === 3) await admin.put(url, { survey_status: 3 }).expect(200);
      const before = (await admin.get(url).expect(200)).body.data;
      await admin.delete(url).expect(204);
      await admin.get(url).expect(404);
      const listed = (await list('?deleted=true')).find(({ survey_id: id }) => id === surveyId);
      expect(listed).toMatchObject({ survey_status: 0, deleted_at: expect.any(String) });
      expect(await find(surveyId)).toBeUndefined();
      const restored = await admin.post(`${url}/restore`).expect(200);
      expect(restored.body.data).toMatchObject({ survey_status: status, etag: before.etag });
      const after = (await admin.get(url).expect(200)).body.data;
      expect({ ...after, survey_updated: null }).toEqual({ ...before, survey_updated: null });
      await admin.post(`${url}/restore`).expect(404);
    },
  );

  it('cannot be restored by viewers, others, or after 30 days', async () => {
    const { surveyId } = await draftSurvey(admin, [[choice('Q1')]]);
    const url = `/api/surveys/${surveyId}`;
    const stranger = (await newOrganization(test)).admin;
    const client = await home.addUser('client');
    await admin.post(`${url}/restore`).expect(404);
    await admin.delete(url).expect(204);
    await stranger.post(`${url}/restore`).expect(404);
    await client.post(`${url}/restore`).expect(403);
    await anonymous(test).post(`${url}/restore`).expect(401);
    const later = appOn(test.database, {}, { clock: { now: () => new Date(Date.now() + 31 * DAY_MS) } });
    const scope = {
      userId: admin.userId,
      organizationId: admin.organizationId,
      workspaceId: home.workspaceId,
    };
    await expect(
      later.container.services.surveys.restore({ ...scope, role: 'owner', surveyId }),
    ).rejects.toMatchObject({ kind: 'not_found' });
    await admin.post(`${url}/restore`).expect(200);
  });

  it('is listed instead of others, not beside them', async () => {
    await admin.get('/api/surveys?deleted=true&status=1').expect(400);
    await admin.get('/api/surveys?deleted=false').expect(400);
    expect((await list('?deleted=true')).every((survey) => survey.deleted_at !== null)).toBe(true);
  });

  it('is recorded in the audit log', async () => {
    const { surveyId } = await draftSurvey(admin, [[choice('Q1')]]);
    await admin.delete(`/api/surveys/${surveyId}`).expect(204);
    await admin.post(`/api/surveys/${surveyId}/restore`).expect(200);
    const log = await admin.get('/api/audit?limit=5').expect(200);
    expect(log.body.data[0]).toMatchObject({ action: 'survey.restored', object_id: String(surveyId) });
  });
});
