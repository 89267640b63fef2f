import { beforeAll, describe, expect, it } from 'vitest';
import { Multipart } from '../../../src/http/multipart.ts';
import { fieldRoutes } from '../../../src/routes/field/index.ts';
import { surveyRoutes } from '../../../src/routes/surveys/index.ts';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { BAD_IDS, MISSING_ID, refused, refusedFor } from '../../support/refusals.ts';
import { draftSurvey, type MadeSurvey } from '../../support/surveys.ts';

const test = useApp();

type LinkedSurvey = MadeSurvey & { linkId: number };

async function linkedSurvey(actor: Actor, place: { workspaceId?: number } = {}): Promise<LinkedSurvey> {
  const made = await draftSurvey(actor, [QUESTIONS], place);
  const link = await actor.post(`/api/surveys/${made.surveyId}/links`, {}).expect(201);
  return { ...made, linkId: link.body.data.link_id as number };
}

const home = useOrganization(test);
const admin = home.admin;
let survey: LinkedSurvey;
const other = useOrganization(test);
let foreign: LinkedSurvey;

const QUESTIONS = [{ question_type: 'single_choice', options: ['Yes', 'No'] }, { question_type: 'text' }];

beforeAll(async () => {
  survey = await linkedSurvey(admin);
  foreign = await linkedSurvey(other.admin);
});

type Method = 'get' | 'post' | 'put' | 'delete';

/** Every operation, with a body it would accept. */
const BODIES: Record<string, ((ids: LinkedSurvey) => object) | null> = {
  'get /api/surveys': null,
  'post /api/surveys': () => ({ survey_name: 'Never made' }),
  'get /api/surveys/:id': null,
  'put /api/surveys/:id': () => ({ survey_name: 'Never named' }),
  'delete /api/surveys/:id': null,
  'put /api/surveys/:id/quality-settings': () => ({ speeder: { ratio: 0.1 } }),
  'post /api/surveys/:id/publish': () => ({}),
  'get /api/surveys/:id/publish-check': null,
  'post /api/surveys/:id/preview': () => ({}),
  'post /api/surveys/:id/duplicate': () => ({}),
  'get /api/surveys/:id/export': null,
  'post /api/surveys/import': () => ({ survey_name: 'Never imported' }),
  'get /api/surveys/:surveyId/pages': null,
  'post /api/surveys/:surveyId/pages': () => ({ page_title: 'Never added' }),
  'put /api/surveys/:surveyId/pages/reorder': ({ pageIds }) => ({ page_ids: pageIds }),
  'put /api/surveys/:surveyId/pages/:pageId': () => ({ page_title: 'Never named' }),
  'delete /api/surveys/:surveyId/pages/:pageId': null,
  'get /api/surveys/:surveyId/questions': null,
  'post /api/surveys/:surveyId/questions': ({ pageIds }) => ({
    page_id: pageIds[0],
    question_type: 'text',
    question_text: 'Never asked',
  }),
  'put /api/surveys/:surveyId/questions/reorder': ({ questionIds }) => ({
    question_ids: Object.values(questionIds),
  }),
  'put /api/surveys/:surveyId/questions/:questionId': () => ({ question_text: 'Never changed' }),
  'delete /api/surveys/:surveyId/questions/:questionId': null,
  'get /api/surveys/:surveyId/links': null,
  'post /api/surveys/:surveyId/links': () => ({ link_name: 'Never made' }),
  'get /api/surveys/:surveyId/links/:linkId/qr': null,
  'get /api/surveys/:surveyId/links/:linkId/embed': null,
};

const READS = new Set(['get']);

async function everything(): Promise<unknown> {
  const { rows } = await test.database.db.raw(
    `SELECT (SELECT json_agg(s ORDER BY survey_id) FROM surveys s) AS surveys,
            (SELECT json_agg(p ORDER BY page_id) FROM survey_pages p) AS pages,
            (SELECT json_agg(q ORDER BY question_id) FROM questions q) AS questions,
            (SELECT json_agg(o ORDER BY option_id) FROM question_options o) AS options,
            (SELECT json_agg(l ORDER BY link_id) FROM links l) AS links,
            (SELECT count(*) FROM survey_versions) AS versions,
            (SELECT count(*) FROM audit_log) AS audited`,
  );
  return rows;
}

function fill(path: string, ids: LinkedSurvey, replaced: Record<string, string | number> = {}): string {
  return path
    .replace(/:(id|surveyId)\b/, String(replaced.id ?? replaced.surveyId ?? ids.surveyId))
    .replace(':pageId', String(replaced.pageId ?? ids.pageIds[0]))
    .replace(':linkId', String(replaced.linkId ?? ids.linkId))
    .replace(':questionId', String(replaced.questionId ?? ids.questionIds.Q1!));
}

it('every declared operation stands in this file', () => {
  // Where a file goes in, a test of its own sends one (import-data.test.ts).
  const declared = [...surveyRoutes, ...fieldRoutes]
    .filter((route) => !(route.body instanceof Multipart))
    .map((route) => `${route.method} ${route.path}`);
  expect(Object.keys(BODIES).sort()).toEqual(declared.sort());
});

describe.each(Object.keys(BODIES))('%s', (operation) => {
  const [method, path] = operation.split(' ') as [Method, string];
  const bodyOf = BODIES[operation]!;

  function call(actor: Actor, ids: LinkedSurvey = survey, replaced: Record<string, string | number> = {}) {
    const address = fill(path, ids, replaced);
    return method === 'get' || method === 'delete' || bodyOf === null
      ? actor[method](address)
      : actor[method](address, bodyOf(ids));
  }

  it('asks who it is: 401 with nothing, a bad key and a bad token, and changes nothing', async () => {
    const before = await everything();
    const replies = await Promise.all([
      call(anonymous(test)),
      call(anonymous(test)).set('X-API-Key', `cvs_${'x'.repeat(48)}`),
      call(anonymous(test)).set('Authorization', 'Bearer nonsense'),
    ]);
    for (const reply of replies) {
      expect(reply.status).toBe(401);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    }
    expect(await everything()).toEqual(before);
  });

  it('is closed to clients', async () => {
    const client = await home.person('client');
    const before = await everything();
    await refused(call(client), 403, 'forbidden');
    expect(await everything()).toEqual(before);
  });

  it('refuses an unknown query field by name', async () => {
    const before = await everything();
    await refusedFor(call(admin).query({ worksapce_id: 1 }), 'worksapce_id');
    expect(await everything()).toEqual(before);
  });

  it('finds nothing in a workspace of another organization', async () => {
    const before = await everything();
    await refused(call(admin).query({ workspace_id: other.workspaceId }), 404, 'not_found');
    expect(await everything()).toEqual(before);
  });

  if (path.includes('/:')) {
    it('refuses what is no id, with 400', async () => {
      const before = await everything();
      for (const name of path.match(/:[A-Za-z]+/g)!.map((part) => part.slice(1))) {
        for (const bad of BAD_IDS) await refusedFor(call(admin, survey, { [name]: bad }), name);
      }
      expect(await everything()).toEqual(before);
    });

    it('says 404 for a missing and for a foreign survey, in the same words', async () => {
      const before = await everything();
      const missing = await refused(call(admin, survey, { surveyId: MISSING_ID }), 404, 'not_found');
      const strange = await refused(call(admin, foreign), 404, 'not_found');
      expect(strange.message).toBe(missing.message);
      expect(await everything()).toEqual(before);
    });

    it('shows a private workspace’s survey to its owner alone', async () => {
      const owner = await home.person('member');
      const workspace = await owner.post('/api/workspaces', { workspace_name: 'Mine' }).expect(201);
      const workspaceId = workspace.body.data.workspace_id as number;
      const hidden = await linkedSurvey(owner, { workspaceId });
      const before = await everything();
      await refused(call(admin, hidden), 404, 'not_found');
      expect(await everything()).toEqual(before);
      expect((await call(owner, hidden)).status).toBeLessThan(300);
    });

    it(`is ${READS.has(method) ? 'open' : 'closed, with 403,'} to a viewer of a shared workspace`, async () => {
      const owner = await home.person('member');
      const viewer = await home.person('member');
      const workspace = await owner.post('/api/workspaces', {
        workspace_name: 'Ours',
        workspace_visibility: 3,
      });
      const workspaceId = workspace.body.data.workspace_id as number;
      const shared = await linkedSurvey(owner, { workspaceId });
      await owner
        .post(`/api/workspaces/${workspaceId}/members`, { user_id: viewer.userId, role: 'viewer' })
        .expect(201);
      const before = await everything();
      if (READS.has(method)) await call(viewer, shared).expect(200);
      else await refused(call(viewer, shared), 403, 'forbidden');
      expect(await everything()).toEqual(before);
    });

    it('finds nothing once the survey is deleted', async () => {
      const doomed = await linkedSurvey(admin);
      await admin.delete(`/api/surveys/${doomed.surveyId}`).expect(204);
      const before = await everything();
      await refused(call(admin, doomed), 404, 'not_found');
      expect(await everything()).toEqual(before);
    });
  }

  if (/:(pageId|questionId|linkId)/.test(path)) {
    it('finds no page, question or link of another survey, own or foreign', async () => {
      const own = await linkedSurvey(admin);
      const before = await everything();
      for (const stranger of [own, foreign]) {
        const inside = { ...stranger, surveyId: survey.surveyId };
        await refused(call(admin, inside), 404, 'not_found');
      }
      expect(await everything()).toEqual(before);
    });
  }

  if (bodyOf !== null) {
    it('refuses an unknown field, and a list, null or a fragment in the place of the body', async () => {
      const address = fill(path, survey);
      const before = await everything();
      const body = bodyOf(survey);
      const named = path.endsWith('/import') ? 'survey.nmae' : 'nmae';
      await refusedFor(admin[method as 'post'](address, { ...body, nmae: 1 }), named);
      await refused(admin[method as 'post'](address, [body]), 400, 'validation_failed');
      for (const text of ['null', '1', '"text"', '[]', '{"a":', '{"__proto__":{"a":1}}']) {
        const sent = admin[method as 'post'](address).set('Content-Type', 'application/json').send(text);
        await refused(sent, 400);
      }
      expect(await everything()).toEqual(before);
    });

    it('refuses another content type', async () => {
      const before = await everything();
      await refused(
        admin[method as 'post'](fill(path, survey)).set('Content-Type', 'text/plain').send('{}'),
        415,
      );
      expect(await everything()).toEqual(before);
    });
  }
});

describe('what a field may not be', () => {
  const WRONG_SURVEY: [string, unknown][] = [
    ['survey_name', 1],
    ['survey_name', null],
    ['survey_name', '  '],
    ['survey_name', 'x'.repeat(501)],
    ['survey_name', { $ne: 1 }],
    ['survey_name', ['a']],
    ['survey_name', 'a\0b'],
    ['survey_description', 5],
    ['survey_description', 'x'.repeat(10_001)],
    ['survey_type', 'survey'],
    ['survey_type', null],
    ['workspace_id', '1'],
    ['workspace_id', 1.5],
    ['workspace_id', -1],
    ['workspace_id', { $gt: 0 }],
    ['survey_settings.colour', '#ffffff'],
    ['survey_settings.color', 'red'],
    ['survey_settings.redirect_url', 'javascript:alert(1)'],
    ['survey_settings.default_language', 'english please'],
    ['quality_settings.speeder.ratio', 0],
    ['quality_settings.speeder.ratio', '0.5'],
    ['quality_settings.speeder.rtaio', 0.5],
    ['quality_settings.action', 'delete'],
    ['quality_settings.attention_checks[0].expected', 5],
  ];

  it.each(WRONG_SURVEY)('%s is not %j', async (field, value) => {
    const before = await everything();
    const body = { survey_name: 'Fine', ...nested(field, value) };
    await refusedFor(admin.post('/api/surveys', body), field);
    await refusedFor(admin.put(`/api/surveys/${survey.surveyId}`, body), field);
    expect(await everything()).toEqual(before);
  });

  it.each([
    ['survey_status', 4],
    ['survey_status', '2'],
    ['survey_status', null],
    ['survey_status', { $gt: 0 }],
  ])('%s is not %j', async (field, value) => {
    const before = await everything();
    await refusedFor(admin.put(`/api/surveys/${survey.surveyId}`, { [field]: value }), field);
    expect(await everything()).toEqual(before);
  });

  it.each([
    ['page_title', 1],
    ['page_title', 'x'.repeat(501)],
    ['page_description', ['a']],
    ['page_logic.display.operator', 'like'],
    ['page_logic.jump', 1],
  ])('a page’s %s is not %j', async (field, value) => {
    const before = await everything();
    const body = nested(field, value);
    const url = `/api/surveys/${survey.surveyId}/pages`;
    const replies = [admin.post(url, body), admin.put(`${url}/${survey.pageIds[0]}`, body)];
    for (const request of replies) {
      const { details } = await refused(request, 400, 'validation_failed');
      expect(details[0]!.field.startsWith('page_')).toBe(true);
    }
    expect(await everything()).toEqual(before);
  });

  it.each<[string, unknown]>([
    ['question_text', ''],
    ['question_text', 5],
    ['question_text', 'x'.repeat(10_001)],
    ['question_type', 'essay'],
    ['question_type', 'constructor'],
    ['question_type', null],
    ['question_code', 'Q 1'],
    ['question_code', '1Q'],
    ['question_code', 'Q1_'],
    ['question_code', 'WITH'],
    ['question_code', 'response_id'],
    ['question_code', "Q1'; DROP TABLE questions;--"],
    ['question_code', 'constructor'],
    ['question_code', 5],
    ['question_required', 'yes'],
    ['question_settings.max_lenght', 5],
    ['question_settings.max_length', '5'],
    ['question_settings.pattern', '(a'],
    ['options', 'Yes'],
    ['options', ['A', 'B']],
    ['page_id', 0],
    ['page_id', '1'],
    ['page_id', MISSING_ID],
    ['retired', 1],
  ])('a question’s %s is not %j', async (field, value) => {
    const before = await everything();
    const url = `/api/surveys/${survey.surveyId}/questions`;
    const format = field.endsWith('pattern')
      ? { question_settings: { format: 'regex', pattern: value } }
      : {};
    const body = { ...nested(field, value), ...format };
    const create = { page_id: survey.pageIds[0], question_type: 'text', question_text: 'Why?', ...body };
    const requests = [admin.post(url, create), admin.put(`${url}/${survey.questionIds.Q2!}`, body)];
    for (const request of requests) {
      const { details } = await refused(request, 400, 'validation_failed');
      expect(details.some((detail) => detail.field.startsWith(field))).toBe(true);
    }
    expect(await everything()).toEqual(before);
  });

  it.each<[string, unknown]>([
    ['option_label', ''],
    ['option_label', 5],
    ['option_image', 'javascript:alert(1)'],
    ['option_image', 'file:///etc/passwd'],
    ['option_value', { $ne: 1 }],
    ['option_code', 1.5],
    ['option_exclusive', 'yes'],
    ['option_colour', 'red'],
  ])('an option’s %s is not %j', async (field, value) => {
    const before = await everything();
    const url = `/api/surveys/${survey.surveyId}/questions/${survey.questionIds.Q1!}`;
    const { details } = await refused(
      admin.put(url, { options: [{ option_label: 'Fine', [field]: value }] }),
      400,
    );
    expect(details[0]!.field).toMatch(/^options\[0\]/);
    expect(await everything()).toEqual(before);
  });

  it.each([
    ['link_type', 'closed'],
    ['link_quota', 0],
    ['link_quota', 1.5],
    ['link_quota', '5'],
    ['expires_at', 'tomorrow'],
    ['expires_at', '2030-02-30T00:00:00Z'],
    ['expires_at', '2030-01-01T00:00:00'],
    ['link_name', ' '],
  ])('a link’s %s is not %j', async (field, value) => {
    const before = await everything();
    await refusedFor(admin.post(`/api/surveys/${survey.surveyId}/links`, { [field]: value }), field);
    expect(await everything()).toEqual(before);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['page=1&cursor=MQ', 'page'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=WyItc3VydmV5X2lkIiwiYSIsMV0', 'cursor'],
    ['cursor=WyItc3VydmV5X2lkIiwxLDFlMzA5XQ', 'cursor'],
    ['sort=created_by', 'sort'],
    ['sort=survey_name;--', 'sort'],
    ['sort=constructor', 'sort'],
    ['sort[0][x]=survey_name', 'sort[0][x]'],
    ['status=0', 'status'],
    ['status=Draft', 'status'],
    ['search=a&search=b', 'search'],
    ['search=%00', 'search'],
    ['workspace_id=1.5', 'workspace_id'],
  ])('a list is not cut by %s', async (query, field) => {
    await refusedFor(admin.get(`/api/surveys?${query}`), field);
  });
});

/** `a.b[0].c` and a value as an object. */
function nested(path: string, value: unknown): Record<string, unknown> {
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  const inner = rest.length === 0 ? value : nested(rest.join('.'), value);
  return first.endsWith('[0]') ? { [first.slice(0, -3)]: [inner] } : { [first]: inner };
}
