import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { multiple } from '../../support/questions.ts';
import { type PublishedSurvey, publish, publishedSurvey } from '../../support/surveys.ts';
import { readSav } from '../../support/sav-reader.ts';
import { rollBackMigration, migrateDatabase } from '../../../src/db/migrate.ts';

const app = useApp();
let author: Actor;
let survey: PublishedSurvey;
const at = (path: string) => `/api/responses/${survey.surveyId}/${path}`;

const MATRIX = {
  question_type: 'matrix',
  question_code: 'Q3',
  question_settings: {
    matrix_type: 'multiple',
    rows: [{ row_code: 'r1', row_label: 'Weekday' }],
  },
  options: ['1', '2'].map((option_value) => ({ option_label: `Way ${option_value}`, option_value })),
};

/** Replaces the options of a question by those with these values and publishes the survey. */
async function publishWithOptions(code: string, values: readonly string[]): Promise<void> {
  const options = values.map((option_value) => ({ option_value, option_label: `Option ${option_value}` }));
  await author
    .put(`/api/surveys/${survey.surveyId}/questions/${survey.questionIds[code]}`, { options })
    .expect(200);
  await publish(author, survey.surveyId);
}

const answer = (...answers: object[]) =>
  author.post(at('rows'), { rows: answers.map((each) => ({ answers: each })) }).expect(201);

const COLUMNS = 'Q2_1,Q2_3,Q2_4,Q3_r1_2,Q3_r1_3';
const figureOf = async (code: string) => (await author.get(at(`distribution/${code}`)).expect(200)).body.data;
async function gridRows(filter?: object): Promise<unknown[][]> {
  const query = filter === undefined ? '' : `&filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const { body } = await author.get(at(`grid?columns=${COLUMNS}${query}`)).expect(200);
  const rows = body.data.rows as { survey_version: number; values: Record<string, unknown> }[];
  return rows.map(({ survey_version: version, values }) => [version, ...Object.values(values)]);
}
const is = (code: string, right: unknown) => ({
  left: { type: 'column', code },
  operator: 'equals',
  right,
});

beforeAll(async () => {
  author = (await newOrganization(app)).admin;
  survey = await publishedSurvey(author, [[multiple('Q2'), MATRIX]]);
  await answer({ Q2: ['1', '3'], Q3: { r1: ['2'] } }, { Q2: [], Q3: { r1: [] } });
  await publishWithOptions('Q2', ['1', '2', '3', '4']);
  await answer({ Q2: ['4'], Q3: { r1: ['1'] } }, { Q2: ['3'], Q3: { r1: ['2'] } });
  await publishWithOptions('Q3', ['1', '2', '3']);
  await publishWithOptions('Q2', ['1', '2', '4']);
  await answer({ Q2: ['4'], Q3: { r1: ['3'] } }, { Q2: [], Q3: { r1: [] } }, { Q2: null });
  await publishWithOptions('Q2', ['1', '2', '3', '4']);
  await answer({ Q2: ['1'], Q3: { r1: [] } });
});

describe('an option that some versions of a survey do not offer', () => {
  test('is missing, not 0, for those who could not choose it: added, retired and restored options', async () => {
    expect(await gridRows()).toEqual([
      // version, Q2_1, Q2_3 (retired in 4, again in 5), Q2_4 (from 2 on), Q3_r1_2, Q3_r1_3 (from 3 on)
      [1, 1, 1, null, 1, null],
      [1, 0, 0, null, 0, null],
      [2, 0, 0, 1, 0, null],
      [2, 0, 1, 0, 1, null],
      [4, 0, null, 1, 0, 1],
      [4, 0, null, 0, 0, 0],
      [4, null, null, null, null, null],
      [5, 1, 0, 0, 0, 0],
    ]);
  });

  test('has a base of those who were offered it, in distributions and crosstabs', async () => {
    expect(await figureOf('Q2_4')).toMatchObject({
      base: 5,
      missing: { skipped: 1, not_shown: 2 },
      categories: [
        { value: '0', count: 3, percent: 60 },
        { value: '1', count: 2, percent: 40 },
      ],
    });
    expect(await figureOf('Q2_3')).toMatchObject({ base: 5, missing: { skipped: 1, not_shown: 2 } });
    expect(await figureOf('Q3_r1_3')).toMatchObject({ base: 3, missing: { skipped: 1, not_shown: 4 } });
    const { body } = await author.post(at('crosstab'), { rows: ['Q2_4'], columns: ['Q2_1'] }).expect(200);
    expect(body.data.tables[0].outside_base).toBe(3);
  });

  test('is in the base of the whole set, which has a note', async () => {
    const set = await figureOf('Q2');
    expect(set.base).toBe(7);
    expect(set.notes).toEqual([
      {
        code: 'options_sometimes_absent',
        message: expect.stringContaining('do not offer "Option 3", "Option 4" of Q2') as string,
      },
    ]);
    expect((await figureOf('Q2_4')).notes).toEqual([]);
  });

  test('is selected as 0 only where it was offered', async () => {
    const versions = async (filter: object) => (await gridRows(filter)).map(([version]) => version);
    expect(await versions(is('Q2_4', 0))).toEqual([2, 4, 5]);
    expect(await versions(is('Q3_r1_3', 0))).toEqual([4, 5]);
    expect(await versions(is('Q2_3', 1))).toEqual([1, 2]);
  });

  test('is missing in computed columns', async () => {
    await author.post(at('computed-columns'), { column_code: 'TWICE', expression: 'Q2_4 * 2' }).expect(201);
    expect(await figureOf('TWICE')).toMatchObject({ base: 5, missing: { not_shown: 2 } });
    expect((await figureOf('TWICE')).stats.mean).toBeCloseTo(0.8, 12);
  });

  test('is empty in CSV and system-missing in SPSS files', async () => {
    const exported = async (format: string) =>
      (await exportResponses(author, survey.surveyId, { format })).file;
    const [header, ...lines] = (await exported('csv')).toString().trim().split(/\r?\n/);
    const position = header!.split(',').indexOf('Q2_4');
    const cells = lines.map((line) => line.split(',')[position]);
    expect(cells).toEqual(['', '', '1', '0', '1', '0', '', '0']);
    const { variables, rows } = readSav(await exported('spss'));
    const variable = variables.findIndex(({ name }) => name === 'Q2_4');
    expect(rows.map((row) => row[variable])).toEqual([null, null, 1, 0, 1, 0, null, 0]);
  });
});

test('surveys that were published before the upgrade get the same versions', async () => {
  const { db } = app.database;
  const read = () => db('option_absences').select().orderBy(['question_id', 'option_code', 'from_version']);
  const recorded = await read();
  expect(
    recorded.map(({ option_code, from_version, to_version }) => [option_code, from_version, to_version]),
  ).toEqual([
    [3, 4, 4],
    [4, 1, 1],
    [3, 1, 2],
  ]);
  while ((await rollBackMigration(db, false))[0] !== '0018-option-absences');
  await migrateDatabase(db);
  expect(await read()).toEqual(recorded);
});
