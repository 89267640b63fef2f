import { expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { withFile } from '../../support/file-transfer.ts';
import { number } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { createCellWorkbook } from '../../support/workbook-file.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;

const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const cell = (value: number, style = 0) => `<c s="${style}"><v>${value}</v></c>`;
const FORMATS = ['[h]:mm', 'h:mm'];
const TIME = {
  question_type: 'date',
  question_code: 'T1',
  question_text: 'When?',
  question_settings: { precision: 'time' },
};
const LENGTH = 1;
const CLOCK = 2;

async function listCells(surveyId: number): Promise<Record<string, unknown>[]> {
  const reply = await author.get(`/api/responses/${surveyId}/grid`).expect(200);
  return (reply.body.data.rows as { values: Record<string, unknown> }[]).map(({ values }) => values);
}

test('imports lengths of time as a number question in seconds, with a note', async () => {
  const file = await createCellWorkbook({
    rows: [
      inline('id') + inline('hours'),
      inline('a') + cell(1.604166666666667, LENGTH),
      inline('b') + cell(0.322916666666667, LENGTH),
      inline('c') + cell(1.666666666666667, LENGTH),
    ],
    formats: FORMATS,
  });
  const reply = await withFile(author.post('/api/surveys/import-data'), file, {}, 'hours.xlsx').expect(201);
  expect(JSON.stringify(reply.body.data)).toContain('contains lengths of time: taken as numbers of seconds');
  const surveyId = reply.body.data.survey_id as number;
  const survey = await author.get(`/api/surveys/${surveyId}`).expect(200);
  expect(survey.body.data.questions).toContainEqual(
    expect.objectContaining({
      question_code: 'hours',
      question_type: 'number',
      question_settings: expect.objectContaining({ suffix: 'seconds' }),
    }),
  );
  expect((await listCells(surveyId)).map(({ hours }) => hours)).toEqual([138_600, 27_900, 144_000]);
});

test('reads times of a day and lengths for the question of an existing survey', async () => {
  const survey = await publishedSurvey(author, [[number('N1'), number('N2'), TIME]]);
  const file = await createCellWorkbook({
    rows: [
      inline('N1') + inline('N2') + inline('T1'),
      cell(0.5, LENGTH) + cell(0.25, CLOCK) + cell(0.354166666666667, LENGTH),
    ],
    formats: FORMATS,
  });
  const reply = await withFile(
    author.post(`/api/responses/${survey.surveyId}/import`),
    file,
    {},
    'times.xlsx',
  );
  expect(reply.body.data).toMatchObject({ created: 1, failed: 0 });
  const [row] = await listCells(survey.surveyId);
  expect(row).toMatchObject({ N1: 43_200, N2: 21_600, T1: '08:30' });
});

test('reads formula results 0 and FALSE as answers, and notes errors', async () => {
  const survey = await publishedSurvey(author, [[number('N1'), number('N2')]]);
  const file = await createCellWorkbook({
    rows: [
      inline('N1') + inline('N2'),
      '<c><f>1-1</f><v>0</v></c><c t="b"><f>FALSE()</f><v>0</v></c>',
      '<c t="e"><v>#N/A</v></c><c t="b"><f>TRUE()</f><v>1</v></c>',
    ],
  });
  const reply = await withFile(author.post(`/api/responses/${survey.surveyId}/import`), file, {}, 'f.xlsx');
  expect(reply.body.data).toMatchObject({ created: 2, failed: 0 });
  expect(reply.body.data.notes).toContainEqual('1 cell with an error, such as #N/A in A3, left empty ("N1")');
  expect((await listCells(survey.surveyId)).map(({ N1, N2 }) => [N1, N2])).toEqual([
    [0, 0],
    [null, 1],
  ]);
});

test('reads formula results 0 and FALSE as attributes of respondents', async () => {
  const file = await createCellWorkbook({
    rows: [
      inline('email') + inline('children') + inline('member'),
      `${inline('a@example.com')}<c><f>1-1</f><v>0</v></c><c t="b"><f>FALSE()</f><v>0</v></c>`,
    ],
  });
  await withFile(author.post('/api/surveys/respondents/import'), file, {}, 'list.xlsx').expect(201);
  const list = await author.get('/api/surveys/respondents').expect(200);
  expect(JSON.stringify(list.body.data)).toMatch(/"children":0/);
  expect(JSON.stringify(list.body.data)).toMatch(/"member":0/);
});
