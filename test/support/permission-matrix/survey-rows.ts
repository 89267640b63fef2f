import { number, text } from '../questions.ts';
import { draftSurvey } from '../surveys.ts';
import { type Place, PLACES } from './callers.ts';
import type { CreateTarget, Row, Rows } from './row.ts';
import { type Ids, type Fixtures, workspaceIn } from './fixtures.ts';

const plain: Row = {};
/** A file in a form. */
export function form(
  file: string | Buffer,
  name: string,
  fields: Record<string, string> = {},
  field = 'file',
): FormData {
  const made = new FormData();
  for (const [key, value] of Object.entries(fields)) made.set(key, value);
  made.set(field, new Blob([new Uint8Array(Buffer.from(file))]), name);
  return made;
}

const asOwner = (world: Fixtures) => world.people.owner.key;

const freshSurvey: CreateTarget = async (world, { workspaceId }) => {
  const made = await draftSurvey(asOwner(world), [[text('Q1'), number('Q2')]], { workspaceId });
  return { surveyId: made.surveyId, pageId: made.pageIds[0]!, questionId: made.questionIds.Q1! };
};

const freshWorkspace: CreateTarget = async ({ people: { owner, viewer, editor }, used }, { workspaceId }) => {
  const places = Object.keys(PLACES) as Place[];
  const place = places.find((one) => used[one].workspaceId === workspaceId)!;
  const invited = { viewer: viewer.key, editor: editor.key };
  return { workspaceId: await workspaceIn(owner.key, place, invited) };
};

const onFreshSurvey: Row = { fresh: freshSurvey, isApart: true };
const onFreshWorkspace: Row = { fresh: freshWorkspace, isApart: true };

const freshColleague: CreateTarget = async ({ home }) => ({ userId: (await home.person('member')).userId });

let people = 0;

const ofWave = ({ waveId }: Ids) => ({ id: waveId });

export const surveyRows: Rows = {
  listWorkspaces: plain,
  createWorkspace: { body: () => ({ workspace_name: 'New' }) },
  getWorkspace: plain,
  updateWorkspace: {
    body: () => ({ workspace_name: 'Named' }),
    differs: {
      because: 'what was read may be sent back whole, with the id of the workspace in it',
      workspaceInBodyIsIgnored: true,
    },
  },
  deleteWorkspace: onFreshWorkspace,
  restoreWorkspace: {
    fresh: async (world, _ids, { kind }) => {
      const by = kind === 'foreign' ? world.people.foreign.key : asOwner(world);
      const made = await by.post('/api/workspaces', { workspace_name: 'Gone' }).expect(201);
      const workspaceId: number = made.body.data.workspace_id;
      await by.delete(`/api/workspaces/${workspaceId}`).expect(204);
      return { workspaceId };
    },
  },
  getCurrentWorkspace: plain,
  setCurrentWorkspace: plain,
  listWorkspaceMembers: plain,
  addWorkspaceMember: {
    fresh: freshColleague,
    body: ({ userId }) => ({ user_id: userId, role: 'viewer' }),
  },
  removeWorkspaceMember: {
    path: ({ userId }) => ({ userId }),
    ...onFreshWorkspace,
  },
  listOrphanedWorkspaces: plain,
  transferWorkspace: {
    body: ({ userId }) => ({ user_id: userId }),
    ...onFreshWorkspace,
  },

  listSurveys: plain,
  createSurvey: { body: () => ({ survey_name: 'New' }) },
  getSurvey: plain,
  updateSurvey: { body: () => ({ survey_name: 'Named' }) },
  deleteSurvey: onFreshSurvey,
  updateQualitySettings: { body: () => ({ speeder: { ratio: 0.1 } }) },
  publishSurvey: { body: () => ({}) },
  checkSurvey: plain,
  duplicateSurvey: { body: () => ({}) },
  exportSurvey: plain,
  importSurvey: {
    body: () => ({ survey_name: 'Imported' }),
    differs: {
      because: 'the body may also be a file of ours, with the survey inside',
      fieldsUnder: 'survey.',
    },
  },
  importSurveyData: { body: () => form('a,b\n1,2\n', 'new.csv') },
  previewSurvey: { body: () => ({}) },
  listPages: plain,
  createPage: { body: () => ({ page_title: 'Added' }) },
  reorderPages: { ...onFreshSurvey, body: ({ pageId }) => ({ page_ids: [pageId] }) },
  updatePage: { body: () => ({ page_title: 'Named' }) },
  deletePage: onFreshSurvey,
  listQuestions: plain,
  createQuestion: {
    body: ({ pageId }) => ({ page_id: pageId, question_type: 'text', question_text: 'More?' }),
  },
  reorderQuestions: {
    isApart: true,
    fresh: async (world, ids, caller) => {
      const made = await freshSurvey(world, ids, caller);
      const questions = `/api/surveys/${made.surveyId}/questions`;
      const { body } = await asOwner(world).get(questions).expect(200);
      await asOwner(world).delete(`${questions}/${body.data[1].question_id}`).expect(204);
      return made;
    },
    body: ({ questionId }) => ({ question_ids: [questionId] }),
  },
  updateQuestion: { body: () => ({ question_text: 'Asked anew?' }) },
  deleteQuestion: onFreshSurvey,
  listSurveyLinks: plain,
  listLinks: plain,
  changeLinks: { body: ({ surveyId }) => ({ action: 'create', survey_id: surveyId, count: 1 }) },
  updateSurveyLink: { body: () => ({ link_name: 'Named' }) },
  deleteSurveyLink: {
    fresh: async (world, { surveyId }) => {
      const made = await asOwner(world).post(`/api/surveys/${surveyId}/links`, {}).expect(201);
      return { linkId: made.body.data.link_id as number };
    },
  },
  createSurveyLink: { body: () => ({ link_name: 'New' }) },
  getSurveyLinkQr: plain,
  getSurveyLinkEmbed: plain,

  listWaves: plain,
  countWaves: plain,
  listActiveWavesBySurvey: plain,
  listWaveProgress: plain,
  getWave: { path: ofWave },
  listQuotaRules: plain,
  getWaveQuotas: { path: ofWave },
  setWaveQuotas: { path: ofWave, body: () => ({ quotas: [] }) },
  createWave: { body: ({ surveyId }) => ({ survey_id: surveyId, wave_name: 'New' }) },
  updateWave: { path: ofWave, body: () => ({ wave_name: 'Named' }) },
  deleteWave: {
    path: ofWave,
    fresh: async (world, { surveyId }) => {
      const made = await asOwner(world)
        .post('/api/surveys/waves', { survey_id: surveyId, wave_name: 'Short' })
        .expect(201);
      return { waveId: made.body.data.wave_id as number };
    },
  },

  listDistributions: plain,

  inviteToSurvey: {
    body: ({ linkId }, n) => ({
      link_id: linkId,
      respondents: [{ email: `invited-${n}@people.example` }],
      subject: 'A survey',
      message: 'Please answer.',
    }),
  },
  resendInvitations: { body: () => ({}) },
  getInvitationSummary: plain,
  listInvitations: plain,
  reportBounce: { body: () => ({}) },
  listOutbox: plain,

  listRespondents: plain,
  countRespondents: plain,
  getRespondent: plain,
  createRespondent: { body: (_ids, n) => ({ external_id: `new-${n}` }) },
  updateRespondent: { body: () => ({ name: 'Named' }) },
  deleteRespondent: {
    fresh: async (world, { workspaceId }) => {
      const given = { workspace_id: workspaceId, external_id: `gone-${(people += 1)}` };
      const made = await asOwner(world).post('/api/surveys/respondents', given).expect(201);
      return { respondentId: made.body.data.respondent_id as number };
    },
  },
  optOutRespondent: { body: () => ({}) },
  optInRespondent: { body: () => ({}) },
  exportRespondent: plain,
  importRespondents: { body: (_ids, n) => form(`external_id\nlisted-${n}\n`, 'people.csv') },
};
