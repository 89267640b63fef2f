import { beforeAll, describe, expect, test } from 'vitest';
import { newOrganization } from '../../support/actors.ts';
import type { Actor } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { choice } from '../../support/questions.ts';
import { readSav } from '../../support/sav-reader.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const PIPED_LABEL = 'Why [How do you usually travel?], [name]?';
let admin: Actor;
let survey: PublishedSurvey;

beforeAll(async () => {
  ({ admin } = await newOrganization(app));
  survey = await publishedSurvey(admin, [
    [choice('Q1', { question_text: 'How do you usually travel?' })],
    [
      choice('Q2', {
        question_text: 'Why {{Q1}}, {{hidden.name|friend}}?',
        options: [
          { option_label: 'I like {{Q1|it}}', option_value: '1' },
          { option_label: 'I must', option_value: '2' },
        ],
      }),
      choice('Q3', {
        question_text: 'Dear {{hidden.name}}, is {{Q1}} safe?',
        question_settings: { report_label: 'Felt safety' },
      }),
    ],
  ]);
  const rows = [{ answers: { Q1: '1', Q2: '1', Q3: '2' } }, { answers: { Q1: '2', Q2: '2', Q3: '1' } }];
  await admin.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
});

const getData = async (path: string) => (await admin.get(path).expect(200)).body.data;

describe('labels outside the questionnaire', () => {
  test('show the piped question in grid columns and figures, and use the report label', async () => {
    const { surveyId, questionIds } = survey;
    const { columns } = await getData(`/api/responses/${surveyId}/grid`);
    const labels = Object.fromEntries(
      columns.map((column: { column_code: string; label: string }) => [column.column_code, column.label]),
    );
    expect(labels).toMatchObject({ Q2: PIPED_LABEL, Q3: 'Felt safety' });
    const distribution = await getData(`/api/responses/${surveyId}/distribution/Q2`);
    expect(distribution.label).toBe(PIPED_LABEL);
    expect(distribution.categories[0].label).toBe('I like [How do you usually travel?]');
    const question = await getData(`/api/responses/${surveyId}/question/${questionIds.Q3}`);
    expect(question.question_text).toBe('Felt safety');
  });

  test('show the piped question in charts and exports', async () => {
    const { surveyId } = survey;
    const dashboard = await admin.post('/api/dashboards', { dashboard_name: 'Modes' }).expect(201);
    const chart = await admin
      .post(`/api/dashboards/${dashboard.body.data.dashboard_id}/chart-data`, {
        survey_id: surveyId,
        chart_type: 'bar',
        dimension: 'Q2',
        series: 'Q3',
      })
      .expect(200);
    expect(chart.body.data).toMatchObject({
      dimension: { label: PIPED_LABEL },
      series_by: { label: 'Felt safety' },
      categories: [{ label: 'I like [How do you usually travel?]' }, { label: 'I must' }],
    });
    const csv = await exportResponses(admin, surveyId, { format: 'csv', headers: 'label', values: 'label' });
    expect(csv.file.toString()).toContain(PIPED_LABEL);
    expect(csv.file.toString()).not.toContain('{{');
    const [, first] = csv.file.toString().split('\r\n');
    expect(first).toContain(',Complete,');
    expect(first).toMatch(/,No,No,/);
    const sav = await exportResponses(admin, surveyId, { format: 'spss' });
    const variables = readSav(sav.file).variables;
    expect(variables.find(({ name }) => name === 'Q2')).toMatchObject({
      label: PIPED_LABEL,
      labels: [
        [1, 'I like [How do you usually travel?]'],
        [2, 'I must'],
      ],
    });
  });

  test('are not sent to respondents, who get unresolved pipes and no report label', async () => {
    const { body } = await admin.get(`/api/public/s/${survey.linkToken}`).expect(200);
    const [, second] = body.data.pages;
    expect(second.questions[0].question_text).toBe('Why {{Q1}}, {{hidden.name|friend}}?');
    expect(second.questions[1].question_settings.report_label).toBeNull();
  });
});
