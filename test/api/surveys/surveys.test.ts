import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, signIn, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { choice, EVERY_TYPE } from '../../support/questions.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { draftSurvey, publish, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
const admin = organization.admin;

const at = (surveyId: number) => `/api/surveys/${surveyId}`;
const read = async (surveyId: number, query = '') =>
  (await admin.get(at(surveyId) + query).expect(200)).body.data;

describe('a new survey', () => {
  it('is a draft, returned with its id, name and status', async () => {
    const reply = await admin
      .post('/api/surveys', { survey_name: '  Coffee habits ', survey_description: 'Who drinks what' })
      .expect(201);
    expect(reply.body.success).toBe(1);
    expect(reply.body.data).toMatchObject({
      survey_name: 'Coffee habits',
      survey_description: 'Who drinks what',
      survey_status: 1,
      survey_type: 'quantitative',
      response_count: 0,
      workspace_id: organization.workspaceId,
      published_version: null,
      closed_at: null,
    });
    expect(Number.isInteger(reply.body.data.survey_id)).toBe(true);
    expect((await read(reply.body.data.survey_id)).pages).toEqual([]);
  });

  it('belongs to the workspace of the body, the query, or the current one', async () => {
    const created = await admin.post('/api/workspaces', { workspace_name: 'Second' }).expect(201);
    const second = created.body.data.workspace_id as number;
    const survey = { survey_name: 'Where am I' };
    const inBody = await admin.post('/api/surveys', { ...survey, workspace_id: second }).expect(201);
    const inQuery = await admin.post(`/api/surveys?workspace_id=${second}`, survey).expect(201);
    expect([inBody.body.data.workspace_id, inQuery.body.data.workspace_id]).toEqual([second, second]);
    await expectInvalidField(
      admin.post(`/api/surveys?workspace_id=${second}`, {
        ...survey,
        workspace_id: organization.workspaceId,
      }),
      'workspace_id',
    );
    const session = await signIn(test, admin);
    await session.put(`/api/workspaces/current/${second}`).expect(200);
    const current = await session.post('/api/surveys', survey).expect(201);
    expect(current.body.data.workspace_id).toBe(second);
  });

  it('cannot be created in a workspace of another organization', async () => {
    const other = await newOrganization(test);
    await expectRefused(
      admin.post('/api/surveys', { survey_name: 'Spy', workspace_id: other.workspaceId }),
      404,
      'not_found',
    );
    expect((await other.admin.get('/api/surveys').expect(200)).body.data).toEqual([]);
  });
});

describe('reading a survey', () => {
  it('returns pages, questions of all twelve types and options, in order', async () => {
    const draft = await draftSurvey(
      admin,
      [0, 1].map((parity) => EVERY_TYPE.filter((_, index) => index % 2 === parity)),
    );
    const survey = await read(draft.surveyId);
    expect(survey.pages.map((page: { page_id: number }) => page.page_id)).toEqual(draft.pageIds);
    const types = survey.pages.map((page: { questions: { question_type: string }[] }) =>
      page.questions.map((question) => question.question_type),
    );
    const expected = [0, 1].map((parity) =>
      EVERY_TYPE.map((question) => question.question_type).filter((_, index) => index % 2 === parity),
    );
    expect(types).toEqual(expected);
    expect(
      survey.pages[0].questions[0].options.map((option: { option_label: string }) => option.option_label),
    ).toEqual(['Yes', 'No', 'Other']);
  });

  it('shows changes of other requests immediately', async () => {
    const { surveyId, pageIds, questionIds } = await draftSurvey(admin, [[{ question_type: 'text' }]]);
    const text = async () => (await read(surveyId)).pages[0].questions[0]?.question_text as string;
    for (const requested of ['First?', 'Second?', 'Third?']) {
      await admin
        .put(`${at(surveyId)}/questions/${questionIds.Q1!}`, { question_text: requested })
        .expect(200);
      expect(await text()).toBe(requested);
    }
    await admin.delete(`${at(surveyId)}/pages/${pageIds[0]}`).expect(204);
    expect((await read(surveyId)).pages).toEqual([]);
  });

  it('counts responses immediately, without deleted and test ones', async () => {
    const { surveyId } = await publishedSurvey(admin);
    const first = await insertResponse(test, surveyId);
    await insertResponse(test, surveyId, { status: 'partial' });
    await insertResponse(test, surveyId, { isTest: true });
    expect((await read(surveyId)).response_count).toBe(2);
    await test.database.db.raw(
      `UPDATE responses SET deleted_at = now() WHERE survey_id = ? AND response_id = ?`,
      [surveyId, first],
    );
    expect((await read(surveyId)).response_count).toBe(1);
  });
});

describe('changing a survey', () => {
  it('keeps absent fields and clears null ones', async () => {
    const { surveyId } = await draftSurvey(admin, { survey_description: 'Before', pages: [] });
    const renamed = await admin.put(at(surveyId), { survey_name: 'After' }).expect(200);
    expect(renamed.body.data).toMatchObject({ survey_name: 'After', survey_description: 'Before' });
    const cleared = await admin.put(at(surveyId), { survey_description: null }).expect(200);
    expect(cleared.body.data).toMatchObject({ survey_name: 'After', survey_description: null });
  });

  it('accepts an unchanged copy without a change', async () => {
    const { surveyId } = await publishedSurvey(admin, [EVERY_TYPE]);
    const before = await read(surveyId);
    await admin.put(at(surveyId), before).expect(200);
    expect(await read(surveyId)).toEqual(before);
    for (const page of before.pages) {
      await admin.put(`${at(surveyId)}/pages/${page.page_id}`, page).expect(200);
      for (const question of page.questions) {
        await admin.put(`${at(surveyId)}/questions/${question.question_id}`, question).expect(200);
      }
    }
    expect(await read(surveyId)).toEqual(before);
  });

  it('changes settings key by key, restores a default with null, and needs no publication', async () => {
    const { surveyId } = await publishedSurvey(admin);
    await admin
      .put(at(surveyId), { survey_settings: { anonymous: true, color: '#112233', allow_back: false } })
      .expect(200);
    const next = await admin
      .put(at(surveyId), { survey_settings: { color: null, show_progress: false } })
      .expect(200);
    expect(next.body.data.survey_settings).toMatchObject({
      anonymous: true,
      color: null,
      allow_back: false,
      show_progress: false,
    });
    expect(next.body.data.has_unpublished_changes).toBe(false);
    const reset = await admin.put(at(surveyId), { survey_settings: null }).expect(200);
    expect(reset.body.data.survey_settings).toMatchObject({ anonymous: false, allow_back: true });
  });

  it('reports that respondents see a new name after the next publication', async () => {
    const { surveyId } = await publishedSurvey(admin);
    expect((await read(surveyId)).has_unpublished_changes).toBe(false);
    await admin.put(at(surveyId), { survey_name: 'Another name' }).expect(200);
    expect((await read(surveyId)).has_unpublished_changes).toBe(true);
    await publish(admin, surveyId);
    expect((await read(surveyId)).has_unpublished_changes).toBe(false);
  });

  it('records the changed fields, without values, in the audit log', async () => {
    const { surveyId } = await draftSurvey(admin);
    await admin.put(at(surveyId), { survey_name: 'Secret name', survey_type: 'mixed' }).expect(200);
    const { rows } = await test.database.db.raw(
      `SELECT user_id, action, details FROM audit_log WHERE object_type = 'survey' AND object_id = ? ORDER BY audit_id DESC LIMIT 1`,
      [String(surveyId)],
    );
    expect(rows).toEqual([
      {
        user_id: admin.userId,
        action: 'survey.updated',
        details: { fields: ['survey_name', 'survey_type'] },
      },
    ]);
  });
});

describe('moving a survey to another workspace', () => {
  it('requires the editor role in both; returns 404 for other organizations', async () => {
    const other = await newOrganization(test);
    const member = await organization.addUser('member');
    const mine = await member.post('/api/workspaces', { workspace_name: 'Mine' }).expect(201);
    const shared = await admin
      .post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
      .expect(201);
    const [mineId, sharedId] = [mine, shared].map((created) => created.body.data.workspace_id as number);
    const { surveyId } = await draftSurvey(member, [], { workspaceId: mineId! });

    await expectRefused(member.put(at(surveyId), { workspace_id: other.workspaceId }), 404, 'not_found');
    await expectRefused(member.put(at(surveyId), { workspace_id: sharedId }), 404, 'not_found');
    await admin.post(`/api/workspaces/${sharedId}/members`, { user_id: member.userId, role: 'viewer' });
    await expectRefused(member.put(at(surveyId), { workspace_id: sharedId, survey_name: 'Moved' }), 403);
    const still = await member.get(at(surveyId)).expect(200);
    expect(still.body.data).toMatchObject({ workspace_id: mineId, survey_name: 'A survey' });

    await admin.post(`/api/workspaces/${sharedId}/members`, { user_id: member.userId, role: 'editor' });
    const moved = await member.put(at(surveyId), { workspace_id: sharedId }).expect(200);
    expect(moved.body.data.workspace_id).toBe(sharedId);
    await admin.get(at(surveyId)).expect(200);
    await expectRefused(member.get(`${at(surveyId)}?workspace_id=${mineId}`), 404);
  });
});

describe('the lifecycle of a survey', () => {
  it('becomes active only by publishing', async () => {
    const { surveyId } = await draftSurvey(admin, [[{ question_type: 'text' }]]);
    for (const status of [0, 2, 3]) {
      await expectRefused(admin.put(at(surveyId), { survey_status: status }), 409, 'illegal_transition');
    }
    await admin.put(at(surveyId), { survey_status: 1 }).expect(200);
    await publish(admin, surveyId);
    expect((await read(surveyId)).survey_status).toBe(2);
  });

  it('can be closed and reopened, and stores when it closed', async () => {
    const { surveyId } = await publishedSurvey(admin);
    const closed = await admin.put(at(surveyId), { survey_status: 3 }).expect(200);
    expect(closed.body.data.survey_status).toBe(3);
    expect(Date.parse(closed.body.data.closed_at)).toBeGreaterThan(Date.now() - 60_000);
    await expectRefused(admin.post(`${at(surveyId)}/publish`), 409, 'survey_closed');
    await expectRefused(admin.put(at(surveyId), { survey_status: 1 }), 409, 'illegal_transition');
    const open = await admin.put(at(surveyId), { survey_status: 2 }).expect(200);
    expect(open.body.data).toMatchObject({ survey_status: 2, closed_at: null, published_version: 1 });
  });

  it.each(['draft', 'active', 'closed'])('ends by deletion, from %s', async (from) => {
    const { surveyId } = await (from === 'draft' ? draftSurvey(admin) : publishedSurvey(admin));
    if (from === 'closed') await admin.put(at(surveyId), { survey_status: 3 }).expect(200);
    const reply = await admin.delete(at(surveyId)).expect(204);
    expect(reply.text).toBe('');
    await expectRefused(admin.get(at(surveyId)), 404);
    await expectRefused(admin.delete(at(surveyId)), 404);
    const listed = await admin.get('/api/surveys').expect(200);
    expect(listed.body.data.some((survey: { survey_id: number }) => survey.survey_id === surveyId)).toBe(
      false,
    );
  });
});

describe('quality settings', () => {
  it('start with defaults, change by section and key, and are returned with the survey', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [
      [{ question_type: 'single_choice', options: ['A', 'B'] }],
    ]);
    const url = `${at(surveyId)}/quality-settings`;
    const before = (await read(surveyId)).quality_settings;
    expect(before).toMatchObject({
      speeder: { enabled: true, ratio: 0.5, min_completes: 10 },
      straightliner: { min_rows: 4, max_identical_share: 1 },
      duplicate: { block_ip: false },
      action: 'flag',
    });
    await admin.put(url, { speeder: { min_seconds: 30 }, duplicate: { block_ip: true } }).expect(200);
    const checks = [{ question_id: questionIds.Q1!, expected: ['B'] }];
    await admin.put(url, { speeder: { ratio: 0.3 }, attention_checks: checks }).expect(200);
    const after = (await read(surveyId)).quality_settings;
    expect(after).toEqual({
      ...before,
      speeder: { ...before.speeder, ratio: 0.3, min_seconds: 30 },
      duplicate: { ...before.duplicate, block_ip: true },
      attention_checks: checks,
    });
    const reset = await admin.put(url, { speeder: null, attention_checks: null }).expect(200);
    expect(reset.body.data).toEqual({ ...after, speeder: before.speeder, attention_checks: [] });
  });

  it('reject attention checks on questions of another survey', async () => {
    const { surveyId } = await draftSurvey(admin);
    const otherSurvey = await draftSurvey(admin, [[{ question_type: 'text' }]]);
    const body = { attention_checks: [{ question_id: otherSurvey.questionIds.Q1!, expected: 'x' }] };
    await expectInvalidField(
      admin.put(`${at(surveyId)}/quality-settings`, body),
      'attention_checks[0].question_id',
    );
    // The error names the path of the field in the request.
    const inSurvey = 'quality_settings.attention_checks[0].question_id';
    await expectInvalidField(admin.put(at(surveyId), { quality_settings: body }), inSurvey);
    await expectInvalidField(
      admin.post('/api/surveys', { survey_name: 'New', quality_settings: body }),
      inSurvey,
    );
    expect((await read(surveyId)).quality_settings.attention_checks).toEqual([]);
  });
});

describe('the list of surveys', () => {
  let actor: Actor;
  const names = async (query: string): Promise<string[]> => {
    const reply = await actor.get(`/api/surveys${query}`).expect(200);
    return reply.body.data.map((survey: { survey_name: string }) => survey.survey_name);
  };
  beforeAll(async () => {
    actor = (await newOrganization(test)).admin;
    for (const name of ['beta 100%', 'Alpha', 'gamma_x', 'Delta'])
      await draftSurvey(actor, { survey_name: name, pages: [] });
    const { surveyId } = await publishedSurvey(actor, { survey_name: 'Echo', pages: [[choice('Q1')]] });
    await insertResponse(test, surveyId);
  });

  it('is newest first by default, and sorts on request', async () => {
    expect(await names('')).toEqual(['Echo', 'Delta', 'gamma_x', 'Alpha', 'beta 100%']);
    expect(await names('?sort=survey_name')).toEqual(['Alpha', 'beta 100%', 'Delta', 'Echo', 'gamma_x']);
    expect((await names('?sort=-response_count'))[0]).toBe('Echo');
  });

  it('is filtered by status and searched literally', async () => {
    expect(await names('?status=2')).toEqual(['Echo']);
    expect(await names('?search=ALPHA')).toEqual(['Alpha']);
    expect(await names('?search=%25')).toEqual(['beta 100%']);
    expect(await names('?search=_')).toEqual(['gamma_x']);
  });

  it.each([
    'survey_name',
    '-survey_name',
    'survey_updated',
    '-survey_inserted',
    'response_count',
    'survey_status',
  ])('is the same in pages of two as whole, sorted by %s', async (sort) => {
    const wholeList = await names(`?sort=${sort}`);
    const received: string[] = [];
    let cursor: string | null = null;
    do {
      const reply: {
        body: { data: { survey_name: string }[]; meta: { next_cursor: string | null; total: number } };
      } = await actor
        .get(`/api/surveys?sort=${sort}&limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)
        .expect(200);
      expect(reply.body.meta.total).toBe(5);
      received.push(...reply.body.data.map((survey) => survey.survey_name));
      cursor = reply.body.meta.next_cursor;
    } while (cursor !== null);
    expect(received).toEqual(wholeList);
    const pages = await Promise.all([1, 2, 3].map((page) => names(`?sort=${sort}&limit=2&page=${page}`)));
    expect(pages.flat()).toEqual(wholeList);
  });

  it('rejects a cursor of another order', async () => {
    const first = await actor.get('/api/surveys?sort=survey_name&limit=2').expect(200);
    const cursor = first.body.meta.next_cursor as string;
    await expectInvalidField(actor.get(`/api/surveys?sort=-survey_name&limit=2&cursor=${cursor}`), 'cursor');
  });
});
