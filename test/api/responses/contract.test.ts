import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Multipart } from '../../../src/http/multipart.ts';
import { responseRoutes } from '../../../src/routes/responses/index.ts';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, number, text } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { BAD_IDS, refused, refusedFor } from '../../support/refusals.ts';

const test = useApp();

interface Ids {
  surveyId: number;
  questionId: number;
  responseId: number;
  commentId: number;
  changeId: number;
}

const home = useOrganization(test);
const other = useOrganization(test);
let viewer: Actor;
let client: Actor;
let ids: Ids;
let foreign: Ids;
let before: unknown;

/** Two responses, with a comment, an edit, a derived column and a weight. */
async function filledSurvey(author: Actor): Promise<Ids> {
  const survey = await publishedSurvey(author, [[choice('Q1'), number('Q2'), text('Q3')]]);
  const at = `/api/responses/${survey.surveyId}`;
  const rows = ['1', '2'].map((Q1, index) => ({ answers: { Q1, Q2: index, Q3: 'said' } }));
  const added = await author.post(`${at}/rows`, { rows }).expect(201);
  const responseId: number = added.body.data.response_ids[0];
  const comment = await author
    .post(`${at}/comments`, { response_id: responseId, comment_text: 'Odd' })
    .expect(201);
  await author.post(`${at}/transform/z-scores`, { column_code: 'Q2' }).expect(201);
  const targets = ['1', '2'].map((value) => ({ value, target: 50 }));
  await author.post(`${at}/weighting/create`, { dimensions: [{ column_code: 'Q1', targets }] }).expect(201);
  const edit = await author.patch(`${at}/rows/${responseId}`, { values: { Q3: 'meant' } }).expect(200);
  return {
    surveyId: survey.surveyId,
    questionId: survey.questionIds.Q1!,
    responseId,
    commentId: comment.body.data.comment_id,
    changeId: edit.body.data.change_id,
  };
}

beforeAll(async () => {
  viewer = await home.person('member');
  client = await home.person('client');
  const made = await home.admin
    .post('/api/workspaces', { workspace_name: 'Shared', workspace_visibility: 3 })
    .expect(201);
  const workspaceId: number = made.body.data.workspace_id;
  const member = { user_id: viewer.userId, role: 'viewer' };
  await home.admin.post(`/api/workspaces/${workspaceId}/members`, member).expect(201);
  ids = await filledSurvey(home.admin);
  await home.admin.put(`/api/surveys/${ids.surveyId}`, { workspace_id: workspaceId }).expect(200);
  foreign = await filledSurvey(other.admin);
  before = await everything();
});

const dimensions = [
  {
    column_code: 'Q1',
    targets: [
      { value: '1', target: 30 },
      { value: '2', target: 70 },
    ],
  },
];

/** Every operation with a body that it would accept; a viewer may do those that say `view`. */
const OPERATIONS: Record<string, ['view' | 'edit', ((ids: Ids) => object) | null]> = {
  'get /api/responses/:surveyId/stats': ['view', null],
  'get /api/responses/:surveyId/grid': ['view', null],
  'get /api/responses/:surveyId/question/:questionId': ['view', null],
  'get /api/responses/:surveyId/distribution/:columnCode': ['view', null],
  'post /api/responses/:surveyId/crosstab': ['view', () => ({ rows: ['Q1'] })],
  'post /api/responses/:surveyId/export': ['view', () => ({ columns: ['Q1'] })],
  'post /api/responses/:surveyId/rows': ['edit', () => ({ rows: [{ answers: { Q1: '1' } }] })],
  'patch /api/responses/:surveyId/rows/:responseId': ['edit', () => ({ values: { Q3: 'never' } })],
  'post /api/responses/:surveyId/rows/batch': [
    'edit',
    ({ responseId }) => ({ rows: [{ response_id: responseId, values: { Q3: 'never' } }] }),
  ],
  'post /api/responses/:surveyId/bulk': [
    'edit',
    ({ responseId }) => ({ action: 'delete', response_ids: [responseId] }),
  ],
  'post /api/responses/:surveyId/find-replace': [
    'edit',
    () => ({ column_code: 'Q3', find: 'said', replace: 'never' }),
  ],
  'post /api/responses/:surveyId/restore-originals': ['edit', () => ({})],
  'get /api/responses/:surveyId/changes': ['view', null],
  'post /api/responses/:surveyId/changes/:changeId/undo': ['edit', () => ({})],
  'post /api/responses/:surveyId/transform/recode': [
    'edit',
    () => ({ column_code: 'Q1', mapping: { '1': 'never' } }),
  ],
  'post /api/responses/:surveyId/transform/normalize': ['edit', () => ({ column_code: 'Q2' })],
  'post /api/responses/:surveyId/transform/z-scores': [
    'edit',
    () => ({ column_code: 'Q2', target_column_code: 'never' }),
  ],
  'post /api/responses/:surveyId/transform/bin': ['edit', () => ({ column_code: 'Q2', bins: 2 })],
  'post /api/responses/:surveyId/transform/text': [
    'edit',
    () => ({ column_code: 'Q3', operations: ['trim'] }),
  ],
  'post /api/responses/:surveyId/computed-columns': [
    'edit',
    () => ({ column_code: 'never', expression: 'Q2 + 1' }),
  ],
  'get /api/responses/:surveyId/derived-columns': ['view', null],
  'get /api/responses/:surveyId/derived-columns/:columnCode': ['view', null],
  'patch /api/responses/:surveyId/derived-columns/:columnCode': ['edit', () => ({ label: 'Never' })],
  'delete /api/responses/:surveyId/derived-columns/:columnCode': ['edit', null],
  'post /api/responses/:surveyId/weighting/preview': ['view', () => ({ dimensions })],
  'post /api/responses/:surveyId/weighting/create': ['edit', () => ({ dimensions, column_code: 'never' })],
  'get /api/responses/:surveyId/weighting': ['view', null],
  'get /api/responses/:surveyId/weighting/:columnCode': ['view', null],
  'post /api/responses/:surveyId/weighting/:columnCode/refresh': ['edit', () => ({})],
  'post /api/responses/:surveyId/quality-check': ['edit', () => ({})],
  'get /api/responses/:surveyId/quality': ['view', null],
  'patch /api/responses/:surveyId/quality-flags': ['edit', () => ({ filter: {}, review: 'confirmed' })],
  'get /api/responses/:surveyId/comments': ['view', null],
  'delete /api/responses/:surveyId/comments/:commentId': ['view', null],
  'post /api/responses/:surveyId/comments': [
    'view',
    ({ responseId }) => ({ response_id: responseId, comment_text: 'Me too' }),
  ],
  'post /api/responses/:surveyId/seed': ['edit', () => ({ count: 1 })],
  'delete /api/responses/:surveyId/seed': ['edit', null],
};

type Method = 'get' | 'post' | 'patch' | 'delete';

async function everything(): Promise<unknown> {
  const { rows } = await test.database.db.raw(
    `SELECT (SELECT json_agg(r ORDER BY response_id) FROM responses r) AS responses,
            (SELECT json_agg(d ORDER BY column_id) FROM derived_columns d) AS columns,
            (SELECT json_agg(c ORDER BY change_id) FROM data_changes c) AS changes,
            (SELECT json_agg(c ORDER BY comment_id) FROM response_comments c) AS comments,
            (SELECT count(*) FROM audit_log) AS audited`,
  );
  return rows;
}

it('every declared operation stands in this file', () => {
  // Uploads and downloads of files have tests of their own (import.test.ts, files.test.ts).
  const declared = responseRoutes
    .filter(({ body, path }) => !(body instanceof Multipart) && !path.includes('/files'))
    .map((route) => `${route.method} ${route.path}`);
  expect(Object.keys(OPERATIONS).sort()).toEqual(declared.sort());
});

describe.each(Object.keys(OPERATIONS))('%s', (operation) => {
  const [method, path] = operation.split(' ') as [Method, string];
  const [need, bodyOf] = OPERATIONS[operation]!;

  function call(actor: Actor, to: Ids, more: { surveyId?: string | number; body?: object } = {}) {
    const code = path.includes('/weighting/') ? 'WEIGHT' : path.includes('/distribution/') ? 'Q1' : 'Q2_z';
    const address = path
      .replace(':surveyId', String(more.surveyId ?? to.surveyId))
      .replace(':questionId', String(to.questionId))
      .replace(':responseId', String(to.responseId))
      .replace(':commentId', String(to.commentId))
      .replace(':changeId', String(to.changeId))
      .replace(':columnCode', code);
    return method === 'get' || method === 'delete' || bodyOf === null
      ? actor[method](address)
      : actor[method](address, { ...bodyOf(to), ...more.body });
  }

  it('is closed to nobody in particular, to clients and to other organizations', async () => {
    await refused(call(anonymous(test), ids), 401, 'unauthenticated');
    await refused(call(client, ids), 403, 'forbidden');
    await refused(call(home.admin, foreign), 404, 'not_found');
    const { surveyId } = ids;
    if (/:(?!surveyId)(?!columnCode)/.test(path))
      await refused(call(home.admin, foreign, { surveyId }), 404, 'not_found');
  });

  it('finds nothing in a workspace of another organization, named in query or body', async () => {
    await refused(call(home.admin, ids).query({ workspace_id: other.workspaceId }), 404, 'not_found');
    if (bodyOf === null) return;
    const body = { workspace_id: other.workspaceId };
    await refused(call(home.admin, ids, { body }), 404, 'not_found');
  });

  it('refuses what is no id, and unknown fields by name', async () => {
    for (const surveyId of BAD_IDS.slice(0, 4))
      await refused(call(home.admin, ids, { surveyId }), 400, 'validation_failed');
    await refusedFor(call(home.admin, ids).query({ worksapce_id: 1 }), 'worksapce_id');
    if (bodyOf !== null) await refusedFor(call(home.admin, ids, { body: { dry_rnu: true } }), 'dry_rnu');
  });

  if (need === 'edit')
    it('is closed to viewers', async () => {
      await refused(call(viewer, ids), 403, 'forbidden');
    });
});

afterAll(async () => {
  expect(await everything()).toEqual(before);
});
