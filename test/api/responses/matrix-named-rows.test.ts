import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import { readStoredResponses } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let organization: Organization;
let survey: PublishedSurvey;

const DRINKS = {
  question_type: 'matrix',
  question_code: 'DRINKS',
  question_text: 'How do you like these drinks?',
  question_settings: {
    require_all_rows: true,
    rows: [
      { row_code: 'coffee', row_label: 'Coffee' },
      { row_code: 'more', row_label: 'Something else', row_other: true },
    ],
  },
  options: [
    { option_label: 'Bad', option_value: 1 },
    { option_label: 'Good', option_value: 2 },
  ],
};

const submit = (answers: object) =>
  anonymous(app).post(`/api/public/s/${survey.linkToken}/responses`, { status: 'complete', answers });

beforeAll(async () => {
  organization = await newOrganization(app);
  survey = await publishedSurvey(organization.admin, [[DRINKS]]);
  await submit({ DRINKS: { coffee: '2', more: '1', 'more.other': 'Tea' } }).expect(201);
  await submit({ DRINKS: { coffee: '1' } }).expect(201);
});

describe('a row of a matrix that respondents name', () => {
  test('needs an answer if it has a name', async () => {
    const refused = await submit({ DRINKS: { coffee: '2', 'more.other': 'Tea' } }).expect(400);
    expect(refused.body.details).toEqual([
      { field: 'answers.DRINKS.more', message: 'is required in every row' },
    ]);
  });

  test('has its name in files, and its answers in figures', async () => {
    const { admin } = organization;
    const { file } = await exportResponses(admin, survey.surveyId, {
      format: 'csv',
      columns: ['DRINKS_coffee', 'DRINKS_more', 'DRINKS_more_other'],
    });
    expect(file.toString()).toMatch(
      /DRINKS_coffee,DRINKS_more,DRINKS_more_other\s+(Good|2),(Bad|1),Tea\s+(Bad|1),,/,
    );
    const at = (column: string) => `/api/responses/${survey.surveyId}/distribution/${column}`;
    expect((await admin.get(at('DRINKS_more')).expect(200)).body.data).toMatchObject({ base: 1 });
    const whole = await admin.get(at('DRINKS')).expect(200);
    expect(whole.body.data.rows.map(({ row_code: code }: { row_code: string }) => code)).toEqual([
      'coffee',
      'more',
    ]);
  });

  test('is edited and imported', async () => {
    const other = await publishedSurvey(organization.admin, [[DRINKS]]);
    await withFile(
      organization.admin.post(`/api/responses/${other.surveyId}/import`),
      'DRINKS_coffee,DRINKS_more,DRINKS_more_other\n2,1,Tea\n',
      {},
      'drinks.csv',
    );
    const stored = async () => (await readStoredResponses(app, other.surveyId))[0]!;
    const { answers, response_id: id } = await stored();
    expect(answers).toEqual({ DRINKS: { coffee: '2', more: '1', 'more.other': 'Tea' } });
    await organization.admin
      .patch(`/api/responses/${other.surveyId}/rows/${id}`, { values: { DRINKS_more_other: 'Green tea' } })
      .expect(200);
    expect((await stored()).answers).toEqual({
      DRINKS: { coffee: '2', more: '1', 'more.other': 'Green tea' },
    });
  });
});
