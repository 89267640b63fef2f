import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { type Wave, createWave } from '../../support/waves.ts';

const app = useApp();
const author = useOrganization(app).admin;
const respondent = anonymous(app);
let survey: PublishedSurvey;
let autumn: Wave;
let spring: Wave;

/** Two waves: the one that was made first starts last. */
beforeAll(async () => {
  survey = await publishedSurvey(author, [[choice('Q1')]]);
  await answer(survey.linkToken, '1');
  autumn = await createWave(author, survey.surveyId, { wave_name: 'Autumn', wave_start_date: '2025-09-01' });
  spring = await createWave(author, survey.surveyId, { wave_name: 'Spring', wave_start_date: '2025-03-01' });
  const tokens = await Promise.all([autumn, spring].map(linkTo));
  for (const value of ['1', '1', '2']) await answer(tokens[0]!, value);
  for (const value of ['2', '2']) await answer(tokens[1]!, value);
});

async function linkTo({ wave_id }: Wave): Promise<string> {
  const created = await author.post(`/api/surveys/${survey.surveyId}/links`, { wave_id }).expect(201);
  return created.body.data.link_token;
}
const answer = (token: string, Q1: string) =>
  respondent.post(`/api/public/s/${token}/responses`, { answers: { Q1 } }).expect(201);
const at = (path: string) => `/api/responses/${survey.surveyId}/${path}`;

interface Table {
  columns: { label: string; base: { unweighted: number } }[];
  rows: { cells: { count: number }[] }[];
}
async function trend(): Promise<Table> {
  const { body } = await author.post(at('crosstab'), { rows: ['Q1'], columns: ['wave_id'] }).expect(200);
  return body.data.tables[0];
}

describe('tracking over waves', () => {
  test('a crosstab by wave_id has a column per wave, by name, in the order of their start', async () => {
    const { columns, rows } = await trend();
    expect(columns.map(({ label, base }) => [label, base.unweighted])).toEqual([
      ['Spring', 2],
      ['Autumn', 3],
    ]);
    const counts = rows.map(({ cells }) => cells.map(({ count }) => count));
    expect(counts.slice(0, 2)).toEqual([
      [0, 2],
      [2, 1],
    ]);
  });

  test('a distribution of wave_id has the names too', async () => {
    const { body } = await author.get(at('distribution/wave_id')).expect(200);
    const reply = body.data.categories.map((category: { label: string; count: number }) => [
      category.label,
      category.count,
    ]);
    expect(reply).toEqual([
      ['Spring', 2],
      ['Autumn', 3],
    ]);
  });

  test('a filter selects one wave', async () => {
    const filter = encodeURIComponent(JSON.stringify({ wave_id: [spring.wave_id] }));
    const { body } = await author.get(at(`distribution/Q1?filter=${filter}`)).expect(200);
    expect(body.data.base).toBe(2);
  });

  test('the grid has the column with its names, and the ids in its rows', async () => {
    const { body } = await author.get(at('grid')).expect(200);
    const column = body.data.columns.find(
      (column: { column_code: string }) => column.column_code === 'wave_id',
    );
    expect(column.values.map((category: { label: string }) => category.label)).toEqual(['Spring', 'Autumn']);
    const ids = body.data.rows.map((row: { wave_id: number | null }) => row.wave_id);
    expect(ids.filter((id: number | null) => id === autumn.wave_id)).toHaveLength(3);
    expect(ids.filter((id: number | null) => id === null)).toHaveLength(1);
  });

  test('a file has the ids, or the names if labels are requested', async () => {
    const csv = async (values: string) => {
      const request = { format: 'csv', columns: ['wave_id'], values };
      return (await author.post(at('export'), request).expect(200)).text.trim().split('\r\n');
    };
    expect((await csv('code')).slice(1).sort()).toContain(String(autumn.wave_id));
    const labels = await csv('label');
    expect(labels.filter((line) => line === 'Autumn')).toHaveLength(3);
    expect(labels.filter((line) => line === 'Spring')).toHaveLength(2);
    expect((await csv('both'))[0]).toBe('wave_id,wave_id_label');
  });

  test('a new name, new dates and a new wave take effect immediately, also in derived columns', async () => {
    const named = { column_code: 'wave_name', label: 'Wave', expression: 'label(wave_id)', type: 'text' };
    await author.post(at('computed-columns'), named).expect(201);
    const names = async () => {
      const { body } = await author.get(at('distribution/wave_name')).expect(200);
      return body.data.categories.map((category: { value: string }) => category.value).sort();
    };
    expect(await names()).toEqual(['Autumn', 'Spring']);
    const change = { wave_name: 'Fall', wave_start_date: '2025-01-01' };
    await author.put(`/api/surveys/waves/${autumn.wave_id}`, change).expect(200);
    expect(await names()).toEqual(['Fall', 'Spring']);
    expect((await trend()).columns.map(({ label }) => label)).toEqual(['Fall', 'Spring']);
    const winter = await createWave(author, survey.surveyId, {
      wave_name: 'Winter',
      wave_start_date: '2025-12-01',
    });
    expect((await trend()).columns.map(({ label }) => label)).toEqual(['Fall', 'Spring', 'Winter']);
    await author.delete(`/api/surveys/waves/${winter.wave_id}`).expect(204);
    expect((await trend()).columns.map(({ label }) => label)).toEqual(['Fall', 'Spring']);
  });
});

test('responses of a survey without waves have none', async () => {
  const plain = await publishedSurvey(author);
  await answer(plain.linkToken, '1');
  const { body } = await author.get(`/api/responses/${plain.surveyId}/distribution/wave_id`).expect(200);
  expect(body.data.categories).toEqual([]);
});
