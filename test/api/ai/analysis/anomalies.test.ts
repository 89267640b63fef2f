import { beforeAll, describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../src/lib/seeded-random.ts';
import { newOrganization, useOrganization } from '../../../support/actors.ts';
import { useApp } from '../../../support/app.ts';
import { choice, number } from '../../../support/questions.ts';
import { expectRefused, expectInvalidField } from '../../../support/refusals.ts';
import { publishedSurvey, type PublishedSurvey } from '../../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
const author = organization.admin;

const ROWS = ['r1', 'r2', 'r3', 'r4', 'r5'].map((row_code) => ({ row_code, row_label: row_code }));
const RESPONSES = 200;
const PAGES = [
  [
    number('age'),
    choice('brand'),
    {
      question_type: 'matrix',
      question_code: 'items',
      question_text: 'Do you agree?',
      question_settings: { rows: ROWS },
      options: ['1', '2', '3', '4'],
    },
  ],
];

let survey: PublishedSurvey;
/** In the order in which they were sent. */
let ids: number[];
const at = (surveyId: number) => `/api/responses/${surveyId}/ai/anomalies`;
const requestAnomalies = (body: object = {}) => author.post(at(survey.surveyId), body);

/** The eighth is 7,000 years old, the first three agree to everything. */
function answers(random: () => number, index: number): Record<string, unknown> {
  const item = () => (index < 3 ? '4' : String(1 + Math.floor(4 * random())));
  return {
    age: index === 7 ? 7_000 : 20 + Math.floor(15 * (random() + random() + random())),
    brand: String(1 + Math.floor(3 * random())),
    items: Object.fromEntries(ROWS.map(({ row_code }) => [row_code, item()])),
  };
}

beforeAll(async () => {
  survey = await publishedSurvey(author, PAGES);
  const random = randomNumbers(12);
  const rows = Array.from({ length: RESPONSES }, (_, index) => ({ answers: answers(random, index) }));
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
  const stored: { rows: { response_id: number }[] } = await test.database.db.raw(
    'SELECT response_id FROM responses WHERE survey_id = ? ORDER BY response_id',
    [survey.surveyId],
  );
  ids = stored.rows.map(({ response_id: id }) => id);
});

interface Told {
  id: string;
  kind: string;
  figures: Record<string, unknown>;
  evidence: { response_ids: number[] | null; response_count: number | null; question_ids: number[] };
}

describe('anomalies', () => {
  it('list the affected responses', async () => {
    const { data } = (await requestAnomalies().expect(200)).body;
    expect(data).toMatchObject({ engine: 'built-in', tested: { responses: RESPONSES } });
    const findings = data.results as Told[];
    const outliers = findings.find(({ kind }) => kind === 'outliers')!;
    expect(outliers).toMatchObject({
      id: 'outliers:age',
      figures: { outliers: 1, highest_outlier: 7_000, values: RESPONSES },
      evidence: { response_ids: [ids[7]], response_count: 1, question_ids: [survey.questionIds['age']] },
    });
    const alike = findings.find(({ kind }) => kind === 'straightliners')!;
    expect(alike.evidence.response_ids).toEqual(expect.arrayContaining(ids.slice(0, 3)));
    // All came within a moment, over no link: nothing is said of days and links.
    expect(findings.map(({ kind }) => kind).filter((kind) => /day|source|change/.test(kind))).toEqual([]);
  });

  it('change no data and are charged once', async () => {
    const grid = async () =>
      (await author.get(`/api/responses/${survey.surveyId}/grid`).expect(200)).body.data.rows;
    const before = await grid();
    const first = (await requestAnomalies().expect(200)).body.data;
    const repeated = (await requestAnomalies().expect(200)).body.data;
    expect(repeated.results).toEqual(first.results);
    expect(repeated.credits_used).toBe(0);
    expect(await grid()).toEqual(before);
  });

  it('cover the selected responses only', async () => {
    const { data } = (await requestAnomalies({ filter: 'age < 200' }).expect(200)).body;
    expect(data.tested.responses).toBe(RESPONSES - 1);
    expect((data.results as Told[]).map(({ kind }) => kind)).not.toContain('outliers');
    const none = (await requestAnomalies({ status: ['screened_out'] }).expect(200)).body.data;
    expect(none).toMatchObject({ results: [], credits_used: 0 });
    expect(none.basis).toContain('nothing was tested');
  });

  it('reject callers without access and unknown fields', async () => {
    await expectInvalidField(requestAnomalies({ question_ids: [1] }), 'question_ids');
    const member = await organization.addUser('member');
    await author.put(`/api/users/${member.userId}`, { ai_access: false }).expect(200);
    await expectRefused(member.post(at(survey.surveyId), {}), 403, 'ai_disabled');
    const { admin: otherAdmin } = await newOrganization(test);
    await expectRefused(otherAdmin.post(at(survey.surveyId), {}), 404);
  });
});
