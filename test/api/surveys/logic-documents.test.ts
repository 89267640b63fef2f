import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { conditionInput } from '../../../src/routes/question-schemas.ts';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { publish } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

/** JSON blocks of the guide and the reference: the operation that gets the block, and the number in its path. */
const BLOCKS = [
  ...['docs/how-to/write-survey-logic.md', 'docs/reference/survey-logic.md']
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .matchAll(/^```json (\w+) ?(\d*)\n(.*?)^```/gms),
].map(([, operationId = '', number = '1', text = '']) => ({
  operationId,
  number: Number(number || '1'),
  body: JSON.parse(text) as Record<string, unknown>,
}));

const pageIds: number[] = [];
const questionIds: number[] = [];
const waveIds: number[] = [];
let surveyId: number;
let token: string;

/** Replaces the page numbers of the document with the ids of the created pages. */
function withRealPages(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withRealPages(item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        name === 'pages' ? String(pageIds[Number(key) - 1]) : key,
        withRealPages(member, key),
      ]),
    );
  const isPage = name === 'page_id' && typeof value === 'number';
  return isPage ? pageIds[value - 1] : value;
}

async function send({ operationId, number, body }: (typeof BLOCKS)[number]): Promise<void> {
  const input = withRealPages(body) as object;
  const path = `/api/surveys/${surveyId}`;
  switch (operationId) {
    case 'createSurvey':
      surveyId = (await admin.post('/api/surveys', input).expect(201)).body.data.survey_id;
      return;
    case 'createPage':
      pageIds.push((await admin.post(`${path}/pages`, input).expect(201)).body.data.page_id);
      return;
    case 'createQuestion':
      questionIds.push((await admin.post(`${path}/questions`, input).expect(201)).body.data.question_id);
      return;
    case 'updatePage':
      await admin.put(`${path}/pages/${pageIds[number - 1]}`, input).expect(200);
      return;
    case 'updateQuestion':
      await admin.put(`${path}/questions/${questionIds[number - 1]}`, input).expect(200);
      return;
    case 'updateSurvey':
      await admin.put(path, input).expect(200);
      return;
    case 'createWave': {
      const wave = { ...input, survey_id: surveyId };
      waveIds.push((await admin.post('/api/surveys/waves', wave).expect(201)).body.data.wave_id);
      return;
    }
    case 'setWaveQuotas':
      await admin.patch(`/api/surveys/waves/${waveIds[number - 1]}/quotas`, input).expect(200);
      return;
    case 'condition':
      expect(conditionInput.safeParse(body).success).toBe(true);
      await admin.put(`${path}/pages/${pageIds[2]}`, { page_logic: { display: body } }).expect(200);
      await admin.put(`${path}/pages/${pageIds[2]}`, { page_logic: null }).expect(200);
      return;
    default:
      throw new Error(`The documents have a block for ${operationId}, which this test does not send`);
  }
}

beforeAll(async () => {
  for (const block of BLOCKS) await send(block);
  ({ linkToken: token } = await publish(admin, surveyId));
});

const submitted = async (answers: object) =>
  (await anonymous(test).post(`/api/public/s/${token}/responses`, { answers })).body;

it('builds a survey that can be published', () => {
  expect(pageIds).toHaveLength(3);
  expect(questionIds).toHaveLength(7);
});

it('screens out, jumps and carries options forward as documented', async () => {
  expect((await submitted({ drinks: ['coffee'], age: 15 })).data).toMatchObject({
    response_status: 'screened_out',
  });
  const complete = { response_status: 'complete' };
  expect((await submitted({ drinks: ['none'], age: 30 })).data).toMatchObject(complete);
  const answers = { drinks: ['coffee', 'tea'], age: 30, satisfaction: 4, where: 'bar', favourite: 'tea' };
  expect((await submitted({ ...answers, why: 'Green' })).data).toMatchObject(complete);
  const { response_id: id } = (await submitted({ ...answers, favourite: 'water' })).data;
  const grid = (await admin.get(`/api/responses/${surveyId}/grid?columns=favourite`).expect(200)).body.data;
  const row = (grid.rows as { response_id: number; values: object }[]).find(
    (each) => each.response_id === id,
  );
  expect(row?.values).toEqual({ favourite: null });
});

it('warns about the missing translations of the survey', async () => {
  const { data } = (await admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200)).body;
  expect(data.publishable).toBe(true);
  expect(data.warnings).toMatchObject([{ code: 'missing_translations', language: 'de' }]);
});
