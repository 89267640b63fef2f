import { createClient } from './hey-api/client/index.ts';
import {
  addResponses,
  checkSurvey,
  createDashboard,
  createDashboardChart,
  createDashboardPage,
  createPage,
  createQuestion,
  createReport,
  createReportSlide,
  createSurvey,
  createSurveyLink,
  crosstabResponses,
  exportResponses,
  getChartData,
  getCreditBalance,
  getDistribution,
  getGrid,
  getMe,
  getReport,
  getRespondentSurvey,
  getResponseStats,
  getSurvey,
  health,
  listAuditEntries,
  listQuestions,
  listSurveyLinks,
  listWorkspaces,
  publishSurvey,
  recodeColumns,
  submitResponse,
  updateQuestion,
} from './hey-api/sdk.gen.ts';

/** Does what an integration does, with typed calls; throws at the first that fails. Returns how many succeeded. */
export async function run(baseUrl: string, key: string, workspaceId: number): Promise<number> {
  const client = createClient({ baseUrl, headers: { 'X-API-Key': key } });
  let calls = 0;

  /** The data of a reply that succeeded. */
  function dataOf<Data>(reply: { data?: { data: Data }; error?: unknown; response?: Response }): Data {
    if (reply.data === undefined) throw new Error(`${reply.response?.url}: ${JSON.stringify(reply.error)}`);
    calls += 1;
    return reply.data.data;
  }

  dataOf(await health({ client }));
  dataOf(await getMe({ client }));
  dataOf(await listWorkspaces({ client }));

  const survey = dataOf(
    await createSurvey({ client, body: { survey_name: 'Coffee', workspace_id: workspaceId } }),
  );
  const surveyId = survey.survey_id;
  const ofSurvey = { path: { surveyId } };
  const page = dataOf(await createPage({ client, ...ofSurvey, body: { page_title: 'Habits' } }));
  const drink = dataOf(
    await createQuestion({
      client,
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
    await createQuestion({
      client,
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
    await updateQuestion({
      client,
      path: { surveyId, questionId: drink.question_id },
      body: { question_text: 'What do you drink most?', question_settings: { shuffle: 'none' } },
    }),
  );
  dataOf(await listQuestions({ client, ...ofSurvey }));
  dataOf(await getSurvey({ client, path: { id: surveyId } }));
  dataOf(await checkSurvey({ client, path: { id: surveyId } }));
  dataOf(await publishSurvey({ client, path: { id: surveyId } }));
  const link = dataOf(await createSurveyLink({ client, ...ofSurvey, body: { link_name: 'Panel' } }));
  dataOf(await listSurveyLinks({ client, ...ofSurvey }));

  const token = link.link_token;
  if (token === null || token === undefined) throw new Error('an editor sees the token');
  const respondentSurvey = dataOf(await getRespondentSurvey({ client, path: { token } }));
  const codes = respondentSurvey.pages.flatMap((one) =>
    one.questions.map((question) => question.question_code),
  );
  dataOf(await submitResponse({ client, path: { token }, body: { answers: { [codes[0]!]: 'Coffee' } } }));
  const answers = Object.fromEntries(rowCodes.map((code) => [code, 'Good']));
  dataOf(
    await addResponses({
      client,
      ...ofSurvey,
      body: {
        rows: [
          { submission_id: 'a', answers: { [drink.question_code]: 'Tea', [ratings.question_code]: answers } },
          { submission_id: 'b', answers: { [drink.question_code]: 'Coffee' } },
        ],
      },
    }),
  );
  const grid = dataOf(await getGrid({ client, ...ofSurvey }));
  if (grid.rows.length !== 3) throw new Error(`3 rows were expected, not ${grid.rows.length}`);
  dataOf(await getDistribution({ client, path: { surveyId, columnCode: drink.question_code } }));
  dataOf(await getResponseStats({ client, ...ofSurvey }));
  dataOf(
    await crosstabResponses({
      client,
      ...ofSurvey,
      body: { rows: [drink.question_code], columns: [`${ratings.question_code}_taste`] },
    }),
  );
  const recoded = dataOf(
    await recodeColumns({
      client,
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

  const csv = await exportResponses({ client, ...ofSurvey, body: { format: 'csv' }, parseAs: 'text' });
  if (csv.response?.status !== 200 || !String(csv.data).startsWith('response_id')) throw new Error('no CSV');
  calls += 1;

  const dashboard = dataOf(
    await createDashboard({ client, body: { dashboard_name: 'Coffee', workspace_id: workspaceId } }),
  );
  const dashboardId = { path: { id: dashboard.dashboard_id } };
  const dashboardPage = dataOf(
    await createDashboardPage({ client, ...dashboardId, body: { page_title: 'Habits' } }),
  );
  const chart = dataOf(
    await createDashboardChart({
      client,
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
  dataOf(await getChartData({ client, ...dashboardId, body: { chart_id: chart.chart_id } }));
  const report = dataOf(
    await createReport({ client, body: { report_name: 'Coffee', workspace_id: workspaceId } }),
  );
  const ofReport = { path: { reportId: report.report_id } };
  const slide = dataOf(
    await createReportSlide({
      client,
      ...ofReport,
      body: { slide_type: 'text', slide_title: 'Method', slide_content: { text: 'Two **hundred** people.' } },
    }),
  );
  if (slide.slide_type === 'text') slide.slide_content.text.toUpperCase();
  dataOf(await getReport({ client, ...ofReport }));
  dataOf(await listAuditEntries({ client, query: { limit: 5 } }));
  dataOf(await getCreditBalance({ client }));
  return calls;
}

/** What the types refuse: this part is compiled, and never runs. */
export async function refused(baseUrl: string): Promise<void> {
  const client = createClient({ baseUrl });
  await createQuestion({
    client,
    path: { surveyId: 1 },
    // @ts-expect-error A matrix needs rows.
    body: { page_id: 1, question_type: 'matrix', question_text: 'Which?', question_settings: {} },
  });
  await createQuestion({
    client,
    path: { surveyId: 1 },
    // @ts-expect-error A number has no rows.
    body: { page_id: 1, question_type: 'number', question_text: 'Age?', question_settings: { rows: [] } },
  });
  await createReportSlide({
    client,
    path: { reportId: 1 },
    // @ts-expect-error A text slide needs text.
    body: { slide_type: 'text', slide_content: {} },
  });
  await createDashboardChart({
    client,
    path: { id: 1 },
    // @ts-expect-error A bar chart needs a dimension.
    body: { page_id: 1, chart_type: 'bar', chart_config: { survey_id: 1 } },
  });
}
