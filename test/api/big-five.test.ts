import { beforeAll, describe, expect, test } from 'vitest';
import { bigFiveResponses, bigFiveSurvey } from '../../seeds/demo/big-five.ts';
import { useApp } from '../support/app.ts';
import { type Actor, newOrganization } from '../support/actors.ts';

/**
 * An integration does the main job on real data: authors the Big Five survey, publishes it, brings the answers of 2,800 real
 * people, half of them as single submissions through the link, and asks for figures and a file.
 */
const app = useApp();

const SINGLE_SUBMISSIONS = 300;

interface Job {
  integration: Actor;
  surveyId: number;
  linkToken: string;
}
let job: Job;

beforeAll(async () => {
  const { admin: integration } = await newOrganization(app);
  const file = bigFiveSurvey() as {
    survey: {
      survey_name: string;
      pages: { page_title: string; page_description?: string; questions: object[] }[];
    };
  };
  const created = await integration
    .post('/api/surveys', { survey_name: file.survey.survey_name })
    .expect(201);
  const surveyId: number = created.body.data.survey_id;
  for (const { questions, ...page } of file.survey.pages) {
    const added = await integration.post(`/api/surveys/${surveyId}/pages`, page).expect(201);
    for (const question of questions) {
      await integration
        .post(`/api/surveys/${surveyId}/questions`, { page_id: added.body.data.page_id, ...question })
        .expect(201);
    }
  }
  await integration.post(`/api/surveys/${surveyId}/publish`).expect(200);
  const links = await integration.get(`/api/surveys/${surveyId}/links`).expect(200);
  job = { integration, surveyId, linkToken: links.body.data[0].link_token };

  const responses = bigFiveResponses();
  await Promise.all(
    responses
      .slice(0, SINGLE_SUBMISSIONS)
      .map((response) => integration.post(`/api/public/s/${job.linkToken}/responses`, response).expect(201)),
  );
  const rest = responses.slice(SINGLE_SUBMISSIONS);
  const added = await integration.post(`/api/responses/${surveyId}/rows`, { rows: rest }).expect(201);
  expect(added.body.data).toMatchObject({ created: 2_500, existing: 0, failed: 0 });
});

async function distribution(code: string, query = '') {
  const reply = await job.integration
    .get(`/api/responses/${job.surveyId}/distribution/${code}${query}`)
    .expect(200);
  return reply.body.data;
}

const counts = (data: { categories: { count: number }[] }) =>
  data.categories.map((category) => category.count);

describe('the Big Five survey, authored, published and filled over HTTP', () => {
  test('has 2,800 complete responses', async () => {
    const stats = await job.integration.get(`/api/responses/${job.surveyId}/stats`).expect(200);
    expect(stats.body.data).toMatchObject({
      total: 2800,
      complete: 2800,
      partial: 0,
      screened_out: 0,
      test: 0,
    });
  });

  test('distributes A1 as published', async () => {
    const a1 = await distribution('A1');
    expect(counts(a1)).toEqual([922, 818, 402, 337, 223, 82]);
    expect(a1.missing).toMatchObject({ skipped: 16, not_shown: 0 });
    expect(a1.base).toBe(2784);
    expect(a1.categories[0]).toMatchObject({ value: '1', label: 'Very inaccurate' });
    expect(a1.categories[0].percent).toBeCloseTo((100 * 922) / 2784, 10);
  });

  test('distributes gender and education as published', async () => {
    expect(counts(await distribution('gender'))).toEqual([919, 1881]);
    const education = await distribution('education');
    expect(counts(education)).toEqual([224, 292, 1249, 394, 418]);
    expect(education.missing.skipped).toBe(223);
  });

  test('describes age like R', async () => {
    const { stats } = await distribution('age');
    expect(stats.mean).toBeCloseTo(28.78214, 5);
    expect(stats.sd).toBeCloseTo(11.12755, 5);
    expect(stats).toMatchObject({ median: 26, p25: 20, p75: 35 });
  });

  test('crosses gender with education like R', async () => {
    const reply = await job.integration
      .post(`/api/responses/${job.surveyId}/crosstab`, { rows: ['gender', 'age'], columns: ['education'] })
      .expect(200);
    const [gender, age] = reply.body.data.tables;
    expect(gender.chi_square.df).toBe(4);
    expect(Math.abs(gender.chi_square.statistic - 21.671778)).toBeLessThan(1e-6);
    expect(gender.base.unweighted).toBe(2577);
    expect(age.mean.cells).toHaveLength(5);
  });

  test('filters by a condition with the same result in grid, distribution and export', async () => {
    const filter = {
      connector: 'and',
      conditions: [{ left: { code: 'gender' }, operator: 'equals', right: '2' }],
    };
    const query = `?filter=${encodeURIComponent(JSON.stringify(filter))}`;
    const women = await distribution('gender', query);
    expect(counts(women)).toEqual([0, 1881]);
    const grid = await job.integration
      .get(`/api/responses/${job.surveyId}/grid${query}&limit=5&columns=gender,age`)
      .expect(200);
    expect(grid.body.meta.total).toBe(1881);
    expect(grid.body.data.rows.map((row: { values: { gender: string } }) => row.values.gender)).toEqual([
      '2',
      '2',
      '2',
      '2',
      '2',
    ]);
    const file = await job.integration
      .post(`/api/responses/${job.surveyId}/export`, {
        format: 'csv',
        filters: { gender: ['2'] },
        columns: ['gender', 'age'],
      })
      .expect(200);
    expect(file.text.trimEnd().split('\r\n')).toHaveLength(1 + 1881);
  });

  test('exports the imported data unchanged', async () => {
    const codes = Object.keys(bigFiveResponses()[0]!.answers);
    const file = await job.integration
      .post(`/api/responses/${job.surveyId}/export`, { format: 'csv', columns: ['submission_id', ...codes] })
      .expect(200);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = file.text.trimEnd().split('\r\n');
    expect(lines[0]).toBe(`submission_id,${codes.join(',')}`);
    const expected = bigFiveResponses().map(({ submission_id, answers }) =>
      [submission_id, ...codes.map((code) => answers[code] ?? '')].join(','),
    );
    expect(lines.slice(1).sort()).toEqual(expected.sort());
  });

  test('stores nothing twice when everything is sent again', async () => {
    const rows = bigFiveResponses().slice(0, 1_000);
    const repeated = await job.integration.post(`/api/responses/${job.surveyId}/rows`, { rows }).expect(201);
    expect(repeated.body.data).toMatchObject({ created: 0, existing: 1_000, failed: 0 });
    expect((await distribution('gender')).base).toBe(2800);
  });
});
