import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../src/lib/seeded-random.ts';
import { newOrganization, useOrganization } from '../../../support/actors.ts';
import { useApp } from '../../../support/app.ts';
import { startFakeLanguageServer } from '../../../support/fake-language-server.ts';
import { choice, multiple, number, text } from '../../../support/questions.ts';
import { expectRefused, expectInvalidField } from '../../../support/refusals.ts';
import { publishedSurvey, type PublishedSurvey } from '../../../support/surveys.ts';

const model = await startFakeLanguageServer();
const test = useApp({
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: 'sk-a-key-that-only-tests-have',
  OPENAI_MODEL: 'fake-model',
});
afterAll(() => model.close());
beforeEach(() => model.reset());
const organization = useOrganization(test);
const author = organization.admin;

const PAGES = [
  [choice('gender'), choice('brand'), multiple('uses')],
  [
    { question_type: 'nps', question_code: 'nps', question_text: 'Would you recommend us?' },
    {
      question_type: 'scale',
      question_code: 'taste',
      question_text: 'How is the taste?',
      question_settings: { min: 1, max: 7 },
    },
    number('age'),
    text('why'),
  ],
];
const RESPONSES = 300;

/** Women (2) choose brand 3 far more often; the score goes with the taste. */
function answers(random: () => number): Record<string, unknown> {
  const gender = random() < 0.5 ? '1' : '2';
  const taste = 1 + Math.floor(7 * random());
  return {
    gender,
    brand: gender === '2' && random() < 0.6 ? '3' : random() < 0.5 ? '1' : '2',
    uses: ['1', '2', '3'].filter((_, index) => random() < [0.9, 0.4, 0.2][index]!),
    taste,
    nps: Math.min(10, Math.round(taste + 3 * random())),
    age: 18 + Math.floor(50 * random()),
    why: 'Because of 987 reasons',
  };
}

let survey: PublishedSurvey;
const at = (surveyId: number) => `/api/responses/${surveyId}/ai/insights`;
const askModel = (body: object = {}) => author.post(at(survey.surveyId), body);
const requestInsights = (body: object = {}) => askModel({ engine: 'built-in', ...body });
interface Told {
  id: string;
  kind: string;
  headline: string;
  statement: string;
  explanation: string;
  evidence: { question_ids: number[]; q_value: number | null };
}

async function filled(): Promise<PublishedSurvey> {
  const survey = await publishedSurvey(author, PAGES);
  const random = randomNumbers(4711);
  const rows = Array.from({ length: RESPONSES }, () => ({ answers: answers(random) }));
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
  return survey;
}

beforeAll(async () => {
  survey = await filled();
});

describe('insights of the built-in engine', () => {
  it('find planted effects with figures, evidence and test counts', async () => {
    const { data } = (await requestInsights().expect(200)).body;
    expect(data).toMatchObject({
      engine: 'built-in',
      tested: { responses: RESPONSES, questions: 6, min_base: 30 },
    });
    expect(data.tested.pairs).toBe(data.tested.of);
    expect(data.method).toContain('Benjamini');
    expect(data.credits_used).toBeGreaterThan(0);
    const byId = new Map<string, Told>(data.results.map((finding: Told) => [finding.id, finding]));
    const brand = byId.get('difference:gender:brand') ?? byId.get('difference:brand:gender');
    const { gender, taste, nps } = survey.questionIds;
    expect(brand!.evidence.q_value).toBeLessThan(0.001);
    expect(brand!.evidence.question_ids.toSorted()).toEqual([gender, survey.questionIds['brand']].toSorted());
    expect(brand!.headline).not.toBe(brand!.statement);
    expect(byId.get('driver:taste:nps')!.evidence.question_ids).toEqual([taste, nps]);
    expect(byId.get('nps:nps')!.statement).toContain('95 % interval');
    expect(byId.get('majority:uses_1')!.statement).toContain('Option 1');
    for (const { statement, explanation } of byId.values()) expect(explanation).toBe(statement);
    expect(data.results[0].evidence).toMatchObject({ response_ids: null });
  });

  it('are charged once for the same findings', async () => {
    const first = (await requestInsights().expect(200)).body.data;
    const repeated = (await requestInsights().expect(200)).body.data;
    expect(repeated).toEqual({ ...first, credits_used: 0, usage: { input_tokens: 0, output_tokens: 0 } });
  });

  it('cover the named questions only', async () => {
    const { taste, age } = survey.questionIds;
    const { data } = (await requestInsights({ question_ids: [taste] }).expect(200)).body;
    expect(data.results.length).toBeGreaterThan(0);
    for (const { evidence } of data.results as Told[]) expect(evidence.question_ids).toContain(taste);
    const nothing = (await requestInsights({ question_ids: [age] }).expect(200)).body.data;
    expect(nothing).toMatchObject({ results: [], credits_used: 0, tested: { questions: 1 } });
    expect(nothing.basis).toContain('nothing is significant at a false discovery rate of 0.05');
  });

  it('cover the selected responses, weighted on request', async () => {
    const few = (await requestInsights({ filter: 'gender = 1' }).expect(200)).body.data;
    expect(few.tested.responses).toBeLessThan(RESPONSES);
    expect(
      (few.results as Told[]).map(({ id }) => id).filter((id) => /^difference.*gender/.test(id)),
    ).toEqual([]);
    const weighted = (await requestInsights({ weight: 'age' }).expect(200)).body.data;
    expect((weighted.results as Told[]).map(({ id }) => id)).toContain('driver:taste:nps');
  });

  it('return an empty list without charge if there is nothing to find', async () => {
    const { data } = (await requestInsights({ filter: 'age > 1000' }).expect(200)).body;
    expect(data).toMatchObject({ results: [], credits_used: 0, tested: { responses: 0, tests: 0 } });
    expect(data.basis).toContain('nothing was tested');
    const other = await publishedSurvey(author, [[text('why')]]);
    expect((await author.post(at(other.surveyId), {}).expect(200)).body.data.results).toEqual([]);
  });

  it('reject a question of another survey by field name', async () => {
    const other = await publishedSurvey(author);
    const foreign = other.questionIds['Q1']!;
    const { body } = await requestInsights({ question_ids: [survey.questionIds['age'], foreign] }).expect(
      400,
    );
    expect(body.details).toEqual([
      { field: 'question_ids[1]', message: `question ${foreign} does not exist in this survey` },
    ]);
    await expectInvalidField(requestInsights({ question_ids: [] }), 'question_ids');
    await expectInvalidField(requestInsights({ questions: [1] }), 'questions');
    await expectInvalidField(requestInsights({ weight: 'nobody' }), 'weight');
    await expectRefused(requestInsights({ weight: 'gender' }), 422, 'not_a_weight');
  });

  it('reject clients, other organizations, and users without AI access', async () => {
    const member = await organization.addUser('member');
    await author.put(`/api/users/${member.userId}`, { ai_access: false }).expect(200);
    await expectRefused(member.post(at(survey.surveyId), {}), 403, 'ai_disabled');
    await expectRefused((await organization.addUser('client')).post(at(survey.surveyId), {}), 403);
    const { admin: otherAdmin } = await newOrganization(test);
    await expectRefused(otherAdmin.post(at(survey.surveyId), {}), 404);
  });
});

describe('insights worded by a language model', () => {
  const script = (headline: string) => (request: { body: { messages: { content?: unknown }[] } }) => {
    const requested = JSON.stringify(request.body.messages);
    const ids = [...new Set([...requested.matchAll(/\\"id\\":\s*(\d+)/g)].map(([, id]) => Number(id)))];
    return {
      content: {
        results: ids.map((id) => ({ id, headline, explanation: `${headline}.`, suggestion: null })),
      },
    };
  };

  it('use its wording, but never a figure that the statistics did not compute', async () => {
    const { taste, brand } = survey.questionIds;
    model.reply(script('Taste matters to people'));
    const honest = (await askModel({ question_ids: [taste] }).expect(200)).body.data;
    expect(honest).toMatchObject({ engine: 'openai', model: 'fake-model' });
    expect(honest.results[0].headline).toBe('Taste matters to people');
    model.reply(script('Sales rise by 73 percent'));
    const invented = (await askModel({ question_ids: [brand] }).expect(200)).body.data;
    expect(invented.results.length).toBeGreaterThan(0);
    expect(JSON.stringify(invented)).not.toContain('73 percent');
    for (const { statement, explanation } of invented.results as Told[]) expect(explanation).toBe(statement);
    // Texts of respondents are not sent to the model.
    expect(model.requests.length).toBeGreaterThan(0);
    expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain('987');
  });

  it('are not charged when the model fails', async () => {
    const balance = async () => (await author.get('/api/billing/balance').expect(200)).body.data.balance;
    const before = await balance();
    model.reply(() => ({ status: 400, error: { message: 'No' } }));
    const { status } = await askModel({ question_ids: [survey.questionIds['gender']] });
    expect([502, 503]).toContain(status);
    expect(await balance()).toBe(before);
  });
});
