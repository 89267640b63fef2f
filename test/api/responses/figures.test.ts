import { beforeAll, expect, test, vi } from 'vitest';
import { ScanThreads } from '../../../src/services/figures/figures.ts';
import { unavailable } from '../../../src/lib/errors.ts';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, number } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const author = useOrganization(app).admin;
let survey: PublishedSurvey;

beforeAll(async () => {
  survey = await publishedSurvey(author, [[choice('Q1'), number('Q2')]]);
  const rows = [
    { answers: { Q1: '1', Q2: 3 } },
    { answers: { Q1: '2', Q2: 1 } },
    { answers: { Q1: '1', Q2: 2 }, status: 'partial' },
  ];
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
});

const getFigures = (path: string) => author.get(`/api/responses/${survey.surveyId}/${path}`);
const filterQuery = (name: string, value: unknown) => `${name}=${encodeURIComponent(JSON.stringify(value))}`;

test.each(['filter', 'filters'])('stats count the responses that match %s', async (name) => {
  const reply = await getFigures(`stats?${filterQuery(name, { Q1: ['1'] })}`).expect(200);
  expect(reply.body.data).toMatchObject({ total: 2, complete: 1, partial: 1, screened_out: 0, test: 0 });
  await expectInvalidField(getFigures(`stats?${filterQuery(name, { Q9: ['1'] })}`), `${name}.Q9`);
});

test.each(['weight', 'weight_column'])('figures of a question are weighted by %s', async (name) => {
  const path = `question/${survey.questionIds.Q1}`;
  const reply = await getFigures(`${path}?${name}=Q2`).expect(200);
  const [distribution] = reply.body.data.distributions;
  expect(distribution).toMatchObject({ base: 2, weighted_base: 4 });
  expect(distribution.categories[0]).toMatchObject({ count: 1, weighted_percent: 75 });
  const unweighted = await getFigures(path).expect(200);
  expect(unweighted.body.data.distributions[0].weighted_base ?? 2).toBe(2);
  await expectInvalidField(getFigures(`${path}?${name}=Q9`), name);
  const { details } = await expectRefused(getFigures(`${path}?${name}=Q1`), 422, 'not_a_weight');
  expect(details[0]!.field).toBe(name);
});

test.each(['distribution/Q2', 'question'])('values are grouped with max_groups in %s', async (path) => {
  const address = path === 'question' ? `question/${survey.questionIds.Q2}` : path;
  const { body } = await getFigures(`${address}?max_groups=2&status=complete,partial`).expect(200);
  const distribution = path === 'question' ? body.data.distributions[0] : body.data;
  expect(distribution).toMatchObject({ grouped_by: 'interval', breaks: [0, 2, 4], distinct: 3 });
  expect(distribution.categories.map(({ count }: { count: number }) => count)).toEqual([1, 2]);
  await expectInvalidField(getFigures(`${address}?max_groups=1`), 'max_groups');
});

test('computes large figures on threads and returns 503 with Retry-After when the queue is full', async () => {
  const rows = 200_000;
  await app.database.db.raw(
    `INSERT INTO responses (survey_id, response_token, response_status, survey_version, answers, started_at)
     SELECT ?, 'large ' || n, 'complete', 1, '{}', '2026-01-01'::timestamptz + n * interval '1 minute' FROM generate_series(1, ?::integer) AS n`,
    [survey.surveyId, rows],
  );
  const onThreads = vi.spyOn(ScanThreads.prototype, 'computeDistribution');
  const { body } = await getFigures('distribution/started_at').expect(200);
  expect(body.data.base).toBe(rows + 2);
  expect(onThreads).toHaveBeenCalledTimes(1);
  onThreads.mockRejectedValueOnce(unavailable('Too many', 5, 'busy'));
  const busy = getFigures('distribution/started_at').expect('Retry-After', '5');
  await expectRefused(busy, 503, 'busy');
  onThreads.mockRestore();
});
