import { startResponse } from '../start-response.ts';
import { PNG } from '../sample-files.ts';
import { uploadFile } from '../uploaded-files.ts';
import type { CreateTarget, Row, Rows } from './row.ts';
import { form } from './survey-rows.ts';
import type { Fixtures } from './fixtures.ts';

const plain: Row = {};
const asOwner = (fixtures: Fixtures) => fixtures.callers.owner.key;
const targets = ['1', '2'].map((value) => ({ value, target: 50 }));
const weight = { dimensions: [{ column_code: 'Q1', targets }], missing: 'exclude' };

let created = 0;
const freshColumn: CreateTarget = async (fixtures, { surveyId }) => {
  const column_code = `c${(created += 1)}`;
  const column = { column_code, expression: 'Q2 + 1' };
  await asOwner(fixtures).post(`/api/responses/${surveyId}/computed-columns`, column).expect(201);
  return { columnCode: column_code };
};

const freshResponse: CreateTarget = async (fixtures, { linkToken }) => {
  const started = await startResponse(asOwner(fixtures), linkToken);
  return { responseToken: started.token, openFileId: await uploadFile(started, 'Q4', PNG, 'a.png') };
};
const ofLink: Row['path'] = ({ linkToken, responseToken, openFileId }) => ({
  token: linkToken,
  responseToken,
  fileId: openFileId,
});
const ofWeight: Row['path'] = () => ({ columnCode: 'WEIGHT' });

export const responseRows: Rows = {
  getRespondentSurvey: { path: ofLink },
  submitResponse: { path: ofLink, body: () => ({ answers: { Q1: '1' } }) },
  saveResponsePage: { path: ofLink, body: () => ({ answers: { Q1: '2' } }) },
  resumeResponse: { path: ofLink },
  moveResponse: {
    path: ofLink,
    body: (_ids, n) => ({ client_secret: `secret-of-the-client-${n}` }),
    fresh: freshResponse,
  },
  completeResponse: { path: ofLink, body: () => ({}), fresh: freshResponse },
  uploadResponseFile: {
    path: ofLink,
    body: () => form(PNG, 'b.png', { question_code: 'Q4' }),
    fresh: async (fixtures, { linkToken }) => ({
      responseToken: (await startResponse(asOwner(fixtures), linkToken)).token,
    }),
  },
  listUploadedFiles: { path: ofLink },
  removeUploadedFile: { path: ofLink, fresh: freshResponse },

  getResponseStats: plain,
  getDistribution: { path: () => ({ columnCode: 'Q1' }) },
  getQuestionData: plain,
  getGrid: plain,
  addResponses: { body: () => ({ rows: [{ answers: { Q1: '1' } }] }) },
  editResponse: { body: (_ids, n) => ({ values: { Q3: `meant ${n}` } }) },
  editResponses: {
    body: ({ responseId }, n) => ({ rows: [{ response_id: responseId, values: { Q3: `meant ${n}` } }] }),
  },
  changeResponses: { body: ({ responseId }) => ({ action: 'flag', response_ids: [responseId] }) },
  eraseResponse: {
    body: () => ({}),
    fresh: async (fixtures, { surveyId }) => {
      const added = await asOwner(fixtures)
        .post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { Q1: '1' } }] })
        .expect(201);
      return { responseId: (added.body.data.response_ids as number[])[0]! };
    },
  },
  findAndReplace: { body: () => ({ column_code: 'Q3', find: 'said', replace: 'told' }) },
  restoreOriginals: { body: () => ({}) },
  crosstabResponses: { body: () => ({ rows: ['Q1'] }) },
  correlateResponses: { body: () => ({ columns: ['Q2', 'duration_seconds'] }) },
  computeReliability: { body: () => ({ columns: ['Q2', 'duration_seconds'] }) },
  exportResponses: { body: () => ({ format: 'csv', columns: ['Q1'] }) },
  importResponses: { body: () => form('Q1\n1\n', 'rows.csv') },
  listResponseFiles: plain,
  downloadResponseFiles: plain,
  downloadResponseFile: plain,
  listDataChanges: plain,
  listChangedRows: plain,
  undoDataChange: {
    body: () => ({}),
    fresh: async (fixtures, { surveyId, responseId }) => {
      const edit = await asOwner(fixtures)
        .patch(`/api/responses/${surveyId}/rows/${responseId}`, { values: { Q3: `${(created += 1)}` } })
        .expect(200);
      return { changeId: edit.body.data.change_id as number };
    },
  },
  recodeColumns: {
    body: (_ids, n) => ({ column_code: 'Q1', target_column_code: `r${n}`, mapping: { '1': 'yes' } }),
  },
  normalizeColumns: { body: (_ids, n) => ({ column_code: 'Q2', target_column_code: `n${n}` }) },
  standardizeColumns: { body: (_ids, n) => ({ column_code: 'Q2', target_column_code: `z${n}` }) },
  winsorizeColumns: { body: (_ids, n) => ({ column_code: 'Q2', target_column_code: `u${n}` }) },
  binColumns: { body: (_ids, n) => ({ column_code: 'Q2', target_column_code: `b${n}`, bins: 2 }) },
  cleanTexts: {
    body: (_ids, n) => ({ column_code: 'Q3', target_column_code: `t${n}`, operations: ['trim'] }),
  },
  addComputedColumn: { body: (_ids, n) => ({ column_code: `x${n}`, expression: 'Q2 + 1' }) },
  listDerivedColumns: plain,
  getDerivedColumn: plain,
  changeDerivedColumn: { body: () => ({ label: 'Named' }) },
  deleteDerivedColumn: { fresh: freshColumn },
  previewWeighting: { body: () => weight },
  createWeighting: { body: (_ids, n) => ({ ...weight, column_code: `w${n}` }) },
  listWeights: plain,
  getWeight: { path: ofWeight },
  refreshWeight: { path: ofWeight, body: () => ({}) },
  listComments: plain,
  addComment: { body: ({ responseId }) => ({ response_id: responseId, comment_text: 'Indeed' }) },
  deleteComment: {
    fresh: async (fixtures, { surveyId, responseId }) => {
      const created = await asOwner(fixtures)
        .post(`/api/responses/${surveyId}/comments`, { response_id: responseId, comment_text: 'No' })
        .expect(201);
      return { commentId: created.body.data.comment_id as number };
    },
  },
  seedResponses: { body: () => ({ count: 1 }) },
  deleteSeededResponses: plain,
  checkQuality: { body: () => ({}) },
  getQuality: plain,
  reviewQualityFlags: { body: () => ({ filter: {}, review: 'confirmed' }) },
};
