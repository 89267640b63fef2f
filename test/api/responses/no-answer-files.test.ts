import { beforeAll, describe, expect, test } from 'vitest';
import { newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import { readSav } from '../../support/sav-reader.ts';
import { readStoredResponses } from '../../support/stored-responses.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let organization: Organization;
let surveyId: number;

const no_answers = [
  { reason: 'dont_know', code: -97 },
  { reason: 'refused', code: -98, label: 'Prefer not to say' },
];
const options = ['Red', { option_label: 'Other', option_value: 'o', option_other: true }];
const rows = [{ row_code: 'r1', row_label: 'Price' }];
const questions = [
  { question_type: 'number', question_code: 'age', question_settings: { no_answers } },
  { question_type: 'text', question_code: 'why', question_settings: { no_answers } },
  { question_type: 'date', question_code: 'day', question_settings: { no_answers } },
  { question_type: 'single_choice', question_code: 'one', options, question_settings: { no_answers } },
  { question_type: 'multiple_choice', question_code: 'two', options, question_settings: { no_answers } },
  { question_type: 'ranking', question_code: 'best', options: ['A', 'B'], question_settings: { no_answers } },
  {
    question_type: 'matrix',
    question_code: 'grid',
    options: ['Bad', 'Good'],
    question_settings: { rows, no_answers },
  },
  { question_type: 'scale', question_code: 'rate', question_settings: { no_answers } },
].map((question) => ({ question_text: `About ${question.question_code}`, ...question }));

const refused = { no_answer: 'refused' };
const unknown = { no_answer: 'dont_know' };
const every = (answer: object) =>
  Object.fromEntries(questions.map(({ question_code: code }) => [code, answer]));
const ANSWERS: Record<string, unknown>[] = [
  {
    age: 34,
    why: 'Price',
    day: '2026-03-01',
    one: { value: 'o', other: 'Green' },
    two: ['Red'],
    best: ['B', 'A'],
    grid: { r1: 'Good' },
    rate: 3,
  },
  every(unknown),
  every(refused),
  { ...every(null as never), rate: 1 },
];
const COLUMNS = [
  'age',
  'why',
  'day',
  'one',
  'one_other',
  'two_1',
  'two_2',
  'best_1',
  'best_2',
  'grid_r1',
  'rate',
];

beforeAll(async () => {
  organization = await newOrganization(app);
  ({ surveyId } = await publishedSurvey(organization.admin, [questions]));
  await organization.admin
    .post(`/api/responses/${surveyId}/rows`, { rows: ANSWERS.map((answers) => ({ answers })) })
    .expect(201);
});

const exported = (body: object) =>
  exportResponses(organization.admin, surveyId, { columns: COLUMNS, ...body });

async function importInto(file: string | Buffer, name: string) {
  const other = await publishedSurvey(organization.admin, [questions]);
  const { body } = await withFile(
    organization.admin.post(`/api/responses/${other.surveyId}/import`),
    file,
    {},
    name,
  );
  expect(body.data, JSON.stringify(body)).toMatchObject({ created: 4, failed: 0 });
  return (await readStoredResponses(app, other.surveyId)).map(({ answers }) => answers);
}

describe('reasons instead of an answer in files', () => {
  test.each([
    ['code', '-97', '-98'],
    ['label', 'Don’t know', 'Prefer not to say'],
  ])('are written to .csv by %s, and read back', async (values, dontKnow, refusal) => {
    const { file } = await exported({ format: 'csv', values });
    const lines = file.toString('utf8').trim().split('\r\n');
    const cellsOf = (reason: string) =>
      COLUMNS.map((code) => (code.endsWith('_other') ? '' : reason)).join(',');
    expect(lines.slice(2, 4)).toEqual([cellsOf(dontKnow), cellsOf(refusal)]);
    expect(await importInto(file, 'answers.csv')).toEqual(ANSWERS);
  });

  test.each(['code', 'label'])('are written to .xlsx by %s, and read back', async (values) => {
    const { file } = await exported({ format: 'xlsx', values });
    expect(await importInto(file, 'answers.xlsx')).toEqual(ANSWERS);
  });

  test('are user-missing values with labels in .sav, and read back', async () => {
    const { file } = await exported({ format: 'spss' });
    const sav = readSav(file);
    for (const code of COLUMNS.filter((each) => !each.endsWith('_other'))) {
      const index = sav.variables.findIndex(({ name }) => name === code);
      const { missing, labels, width } = sav.variables[index]!;
      const textOf = (value: unknown) => String(value).trim();
      expect(missing.values.map(textOf).sort(), code).toEqual(['-97', '-98']);
      const named = new Map(labels.map(([value, label]) => [textOf(value), label]));
      expect([named.get('-97'), named.get('-98')], code).toEqual(['Don’t know', 'Prefer not to say']);
      const cells = sav.rows.slice(1).map((row) => row[index]!);
      expect(cells, code).toEqual(width > 0 ? ['-97', '-98', ''] : [-97, -98, code === 'rate' ? 1 : null]);
    }
    expect(await importInto(file, 'answers.sav')).toEqual(ANSWERS);
  });
});
