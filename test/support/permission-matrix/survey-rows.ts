import { number, text } from '../questions.ts';
import { PNG } from '../sample-files.ts';
import { VTT } from '../sample-media.ts';
import { draftSurvey } from '../surveys.ts';
import { type Visibility, VISIBILITIES } from './callers.ts';
import type { CreateTarget, Row, Rows } from './row.ts';
import { type Ids, type Fixtures, createWorkspace, scheduleInvitation } from './fixtures.ts';

const plain: Row = {};
/** A file in a form. */
export function form(
  file: string | Buffer,
  name: string,
  fields: Record<string, string> = {},
  field = 'file',
): FormData {
  const created = new FormData();
  for (const [key, value] of Object.entries(fields)) created.set(key, value);
  created.set(field, new Blob([new Uint8Array(Buffer.from(file))]), name);
  return created;
}

const asOwner = (fixtures: Fixtures) => fixtures.callers.owner.key;

const freshSurvey: CreateTarget = async (fixtures, { workspaceId }) => {
  const created = await draftSurvey(asOwner(fixtures), [[text('Q1'), number('Q2')]], { workspaceId });
  return { surveyId: created.surveyId, pageId: created.pageIds[0]!, questionId: created.questionIds.Q1! };
};

const freshWorkspace: CreateTarget = async (
  { callers: { owner, viewer, editor }, changeable },
  { workspaceId },
) => {
  const visibilities = Object.keys(VISIBILITIES) as Visibility[];
  const visibility = visibilities.find((one) => changeable[one].workspaceId === workspaceId)!;
  const invited = { viewer: viewer.key, editor: editor.key };
  return { workspaceId: await createWorkspace(owner.key, visibility, invited) };
};

const onFreshSurvey: Row = { fresh: freshSurvey, isIndependent: true };
const onPublishedSurvey: Row = {
  fresh: async (fixtures, ids, caller) => {
    const created = await freshSurvey(fixtures, ids, caller);
    await asOwner(fixtures).post(`/api/surveys/${created.surveyId}/publish`).expect(200);
    return created;
  },
};
const onFreshWorkspace: Row = { fresh: freshWorkspace, isIndependent: true };

const freshColleague: CreateTarget = async ({ home }) => ({ userId: (await home.addUser('member')).userId });

let people = 0;

async function createPanelLink(fixtures: Fixtures, surveyId: number): Promise<{ linkId: number }> {
  const created = await asOwner(fixtures)
    .post(`/api/surveys/${surveyId}/links`, { link_type: 'panel' })
    .expect(201);
  return { linkId: created.body.data.link_id as number };
}

const ofWave = ({ waveId }: Ids) => ({ id: waveId });

export const surveyRows: Rows = {
  listWorkspaces: plain,
  createWorkspace: { body: () => ({ workspace_name: 'New' }) },
  getWorkspace: plain,
  updateWorkspace: {
    body: () => ({ workspace_name: 'Named' }),
    exception: {
      because: 'what was read may be sent back whole, with the id of the workspace in it',
      workspaceInBodyIsIgnored: true,
    },
  },
  deleteWorkspace: onFreshWorkspace,
  restoreWorkspace: {
    fresh: async (fixtures, _ids, { kind }) => {
      const by = kind === 'foreign' ? fixtures.callers.foreign.key : asOwner(fixtures);
      const created = await by.post('/api/workspaces', { workspace_name: 'Gone' }).expect(201);
      const workspaceId: number = created.body.data.workspace_id;
      await by.delete(`/api/workspaces/${workspaceId}`).expect(204);
      return { workspaceId };
    },
  },
  getCurrentWorkspace: plain,
  setCurrentWorkspace: plain,
  listWorkspaceMembers: plain,
  searchWorkspace: { query: { q: 'coffee' } },
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
  restoreSurvey: {
    fresh: async (fixtures, ids, caller) => {
      const created = await freshSurvey(fixtures, ids, caller);
      await asOwner(fixtures).delete(`/api/surveys/${created.surveyId}`).expect(204);
      return created;
    },
  },
  listSurveyVersions: plain,
  getSurveyVersion: { ...onPublishedSurvey, path: () => ({ version: 1 }) },
  compareSurveyVersions: { ...onPublishedSurvey, path: () => ({ version: 1, other: 1 }) },
  restoreSurveyVersion: { ...onPublishedSurvey, path: () => ({ version: 1 }) },
  watchSurvey: plain,
  updateQualitySettings: { body: () => ({ speeder: { ratio: 0.1 } }) },
  publishSurvey: { body: () => ({}) },
  checkSurvey: plain,
  duplicateSurvey: { body: () => ({}) },
  exportSurvey: plain,
  getSurveyLook: plain,
  addSurveyMedia: { ...onFreshSurvey, body: () => form(VTT, 'a.vtt', {}, 'media') },
  addSurveyImage: { ...onFreshSurvey, body: () => form(PNG, 'a.png', {}, 'image') },
  importSurvey: {
    body: () => ({ survey_name: 'Imported' }),
    exception: {
      because: 'the body may also be a file of ours, with the survey inside',
      fieldsUnder: 'survey.',
    },
  },
  importSurveyData: { body: () => form('a,b\n1,2\n', 'new.csv') },
  previewSurvey: { body: () => ({}) },
  getSurveyDesign: plain,
  saveSurveyDesign: { ...onFreshSurvey, body: () => ({ design: { method: 'linearized' } }) },
  deleteSurveyDesign: onFreshSurvey,
  listBlocks: plain,
  getBlock: plain,
  createBlock: { body: () => ({ block_title: 'Added' }) },
  updateBlock: { body: () => ({ block_title: 'Named' }) },
  deleteBlock: {
    fresh: async (fixtures, ids, caller) => {
      const created = await freshSurvey(fixtures, ids, caller);
      const { body } = await asOwner(fixtures)
        .post(`/api/surveys/${created.surveyId}/blocks`, {})
        .expect(201);
      return { ...created, blockId: body.data.block_id as number };
    },
  },
  listPages: plain,
  getPage: plain,
  createPage: { body: () => ({ page_title: 'Added' }) },
  reorderPages: { ...onFreshSurvey, body: ({ pageId }) => ({ page_ids: [pageId] }) },
  updatePage: { body: () => ({ page_title: 'Named' }) },
  deletePage: onFreshSurvey,
  listPreviousQuestions: plain,
  listQuestions: plain,
  getQuestion: plain,
  createQuestion: {
    body: ({ pageId }) => ({ page_id: pageId, question_type: 'text', question_text: 'More?' }),
  },
  reorderQuestions: {
    isIndependent: true,
    fresh: async (fixtures, ids, caller) => {
      const created = await freshSurvey(fixtures, ids, caller);
      const questions = `/api/surveys/${created.surveyId}/questions`;
      const { body } = await asOwner(fixtures).get(questions).expect(200);
      await asOwner(fixtures).delete(`${questions}/${body.data[1].question_id}`).expect(204);
      return created;
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
    fresh: async (fixtures, { surveyId }) => {
      const created = await asOwner(fixtures).post(`/api/surveys/${surveyId}/links`, {}).expect(201);
      return { linkId: created.body.data.link_id as number };
    },
  },
  createSurveyLink: { body: () => ({ link_name: 'New' }) },
  createLinkSigningKey: { fresh: (fixtures, { surveyId }) => createPanelLink(fixtures, surveyId) },
  revokeLinkSigningKey: {
    fresh: async (fixtures, { surveyId }) => {
      const { linkId } = await createPanelLink(fixtures, surveyId);
      await asOwner(fixtures).post(`/api/surveys/${surveyId}/links/${linkId}/signing-key`).expect(201);
      return { linkId };
    },
  },
  listLinkMismatches: plain,
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
    fresh: async (fixtures, { surveyId }) => {
      const created = await asOwner(fixtures)
        .post('/api/surveys/waves', { survey_id: surveyId, wave_name: 'Short' })
        .expect(201);
      return { waveId: created.body.data.wave_id as number };
    },
  },

  listDistributions: plain,

  previewInvitation: { body: () => ({ subject: 'A survey' }) },
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
  cancelScheduledInvitations: {
    fresh: async (fixtures, ids) => ({ campaignId: await scheduleInvitation(asOwner(fixtures), ids) }),
  },
  listInvitations: plain,
  reportBounce: { body: () => ({}) },
  listOutbox: plain,

  listRespondents: plain,
  countRespondents: plain,
  getRespondent: plain,
  createRespondent: { body: (_ids, n) => ({ external_id: `new-${n}` }) },
  updateRespondent: { body: () => ({ name: 'Named' }) },
  deleteRespondent: {
    fresh: async (fixtures, { workspaceId }) => {
      const given = { workspace_id: workspaceId, external_id: `gone-${(people += 1)}` };
      const created = await asOwner(fixtures).post('/api/surveys/respondents', given).expect(201);
      return { respondentId: created.body.data.respondent_id as number };
    },
  },
  optOutRespondent: { body: () => ({}) },
  optInRespondent: { body: () => ({}) },
  exportRespondent: plain,
  importRespondents: { body: (_ids, n) => form(`external_id\nlisted-${n}\n`, 'people.csv') },
};
