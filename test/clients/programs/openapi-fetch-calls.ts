import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript.ts';

/** Does what an integration does, with typed calls; throws at the first that fails. Returns how many succeeded. */
export async function run(baseUrl: string, key: string, workspaceId: number): Promise<number> {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });
  let calls = 0;

  /** The data of a reply that succeeded. */
  function dataOf<Data>(reply: { data?: { data: Data }; error?: unknown; response: Response }): Data {
    if (reply.data === undefined) throw new Error(`${reply.response.url}: ${JSON.stringify(reply.error)}`);
    calls += 1;
    return reply.data.data;
  }

  dataOf(await client.GET('/api/health'));
  dataOf(await client.GET('/api/users/me'));
  dataOf(await client.GET('/api/workspaces'));

  const survey = dataOf(
    await client.POST('/api/surveys', { body: { survey_name: 'Coffee', workspace_id: workspaceId } }),
  );
  const surveyId = survey.survey_id;
  const ofSurvey = { params: { path: { surveyId } } };
  const page = dataOf(
    await client.POST('/api/surveys/{surveyId}/pages', { ...ofSurvey, body: { page_title: 'Habits' } }),
  );
  const drink = dataOf(
    await client.POST('/api/surveys/{surveyId}/questions', {
      ...ofSurvey,
      body: {
        page_id: page.page_id,
        question_type: 'single_choice',
        question_text: 'Which do you drink most?',
        question_settings: { shuffle: 'random', measure: 'nominal' },
        options: ['Coffee', 'Tea', { option_label: 'None of these', option_anchor: true }],
      },
    }),
  );
  const ratings = dataOf(
    await client.POST('/api/surveys/{surveyId}/questions', {
      ...ofSurvey,
      body: {
        page_id: page.page_id,
        question_type: 'matrix',
        question_text: 'How do you rate them?',
        question_settings: {
          rows: [
            { row_code: 'taste', row_label: 'Taste' },
            { row_code: 'price', row_label: 'Price' },
          ],
        },
        options: ['Bad', 'Fair', 'Good'],
      },
    }),
  );
  // The type of the question narrows its settings.
  if (ratings.question_type !== 'matrix') throw new Error('a matrix was expected');
  const rowCodes: string[] = ratings.question_settings.rows.map((row) => row.row_code);
  dataOf(
    await client.PUT('/api/surveys/{surveyId}/questions/{questionId}', {
      params: { path: { surveyId, questionId: drink.question_id } },
      body: { question_text: 'What do you drink most?', question_settings: { shuffle: 'none' } },
    }),
  );
  dataOf(await client.GET('/api/surveys/{surveyId}/questions', ofSurvey));
  dataOf(await client.GET('/api/surveys/{id}', { params: { path: { id: surveyId } } }));
  dataOf(await client.GET('/api/surveys/{id}/publish-check', { params: { path: { id: surveyId } } }));
  dataOf(await client.POST('/api/surveys/{id}/publish', { params: { path: { id: surveyId } } }));
  const link = dataOf(
    await client.POST('/api/surveys/{surveyId}/links', { ...ofSurvey, body: { link_name: 'Panel' } }),
  );
  dataOf(await client.GET('/api/surveys/{surveyId}/links', ofSurvey));

  const token = link.link_token;
  if (token === null || token === undefined) throw new Error('an editor sees the token');
  const respondentSurvey = dataOf(await client.GET('/api/public/s/{token}', { params: { path: { token } } }));
  const codes = respondentSurvey.pages.flatMap((one) =>
    one.questions.map((question) => question.question_code),
  );
  dataOf(
    await client.POST('/api/public/s/{token}/responses', {
      params: { path: { token } },
      body: { answers: { [codes[0]!]: 'Coffee' } },
    }),
  );
  const answers = Object.fromEntries(rowCodes.map((code) => [code, 'Good']));
  dataOf(
    await client.POST('/api/responses/{surveyId}/rows', {
      ...ofSurvey,
      body: {
        rows: [
          { submission_id: 'a', answers: { [drink.question_code]: 'Tea', [ratings.question_code]: answers } },
          { submission_id: 'b', answers: { [drink.question_code]: 'Coffee' } },
        ],
      },
    }),
  );
  const grid = dataOf(await client.GET('/api/responses/{surveyId}/grid', ofSurvey));
  if (grid.rows.length !== 3) throw new Error(`3 rows were expected, not ${grid.rows.length}`);
  dataOf(
    await client.GET('/api/responses/{surveyId}/distribution/{columnCode}', {
      params: { path: { surveyId, columnCode: drink.question_code } },
    }),
  );
  dataOf(await client.GET('/api/responses/{surveyId}/stats', ofSurvey));
  dataOf(
    await client.POST('/api/responses/{surveyId}/crosstab', {
      ...ofSurvey,
      body: { rows: [drink.question_code], columns: [`${ratings.question_code}_taste`] },
    }),
  );
  const recoded = dataOf(
    await client.POST('/api/responses/{surveyId}/transform/recode', {
      ...ofSurvey,
      body: {
        column_code: drink.question_code,
        target_column_code: 'HOT',
        rules: [
          { from: ['Coffee', 'Tea'], to: 1 },
          { from: 'else', to: 0 },
        ],
      },
    }),
  );
  if (recoded.columns.length !== 1) throw new Error('one column was expected');

  const csv = await client.POST('/api/responses/{surveyId}/export', {
    ...ofSurvey,
    body: { format: 'csv' },
    parseAs: 'text',
  });
  if (csv.response.status !== 200 || !String(csv.data).startsWith('response_id')) throw new Error('no CSV');
  calls += 1;

  const dashboard = dataOf(
    await client.POST('/api/dashboards', { body: { dashboard_name: 'Coffee', workspace_id: workspaceId } }),
  );
  const dashboardId = { params: { path: { id: dashboard.dashboard_id } } };
  const dashboardPage = dataOf(
    await client.POST('/api/dashboards/{id}/pages', { ...dashboardId, body: { page_title: 'Habits' } }),
  );
  const chart = dataOf(
    await client.POST('/api/dashboards/{id}/charts', {
      ...dashboardId,
      body: {
        page_id: dashboardPage.page_id,
        chart_type: 'bar',
        chart_config: { survey_id: surveyId, dimension: { column_code: drink.question_code } },
      },
    }),
  );
  // The type of the element narrows its configuration.
  if (chart.chart_type === 'text') throw new Error(chart.chart_config.text);
  dataOf(
    await client.POST('/api/dashboards/{id}/chart-data', {
      ...dashboardId,
      body: { chart_id: chart.chart_id },
    }),
  );
  const report = dataOf(
    await client.POST('/api/reports', { body: { report_name: 'Coffee', workspace_id: workspaceId } }),
  );
  const ofReport = { params: { path: { reportId: report.report_id } } };
  const slide = dataOf(
    await client.POST('/api/reports/{reportId}/slides', {
      ...ofReport,
      body: { slide_type: 'text', slide_title: 'Method', slide_content: { text: 'Two **hundred** people.' } },
    }),
  );
  if (slide.slide_type === 'text') slide.slide_content.text.toUpperCase();
  dataOf(await client.GET('/api/reports/{reportId}', ofReport));
  dataOf(await client.GET('/api/audit', { params: { query: { limit: 5 } } }));
  dataOf(await client.GET('/api/billing/balance'));
  return calls;
}

/** What the types refuse: this part is compiled, and never runs. */
export async function refused(baseUrl: string): Promise<void> {
  const client = createClient<paths>({ baseUrl });
  await client.POST('/api/surveys/{surveyId}/questions', {
    params: { path: { surveyId: 1 } },
    // @ts-expect-error A matrix needs rows.
    body: { page_id: 1, question_type: 'matrix', question_text: 'Which?', question_settings: {} },
  });
  await client.POST('/api/surveys/{surveyId}/questions', {
    params: { path: { surveyId: 1 } },
    // @ts-expect-error A number has no rows.
    body: { page_id: 1, question_type: 'number', question_text: 'Age?', question_settings: { rows: [] } },
  });
  await client.POST('/api/reports/{reportId}/slides', {
    params: { path: { reportId: 1 } },
    // @ts-expect-error A text slide needs text.
    body: { slide_type: 'text', slide_content: {} },
  });
  await client.POST('/api/dashboards/{id}/charts', {
    params: { path: { id: 1 } },
    // @ts-expect-error A bar chart needs a dimension.
    body: { page_id: 1, chart_type: 'bar', chart_config: { survey_id: 1 } },
  });
}
