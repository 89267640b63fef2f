import fc from 'fast-check';
import { expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { buildSav, spssSeconds } from '../../support/build-sav.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import '../../support/property-seed.ts';
import { choice, number, text } from '../../support/questions.ts';
import { readSav } from '../../support/sav-reader.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;

type Values = Record<string, unknown>;

async function gridOf(surveyId: number): Promise<Values[]> {
  const grid = await author.get(`/api/responses/${surveyId}/grid`).expect(200);
  const rows = grid.body.data.rows as { started_at: string; values: Values }[];
  return rows.map(({ started_at, values }) => ({ ...values, started_at }));
}

async function importSav(file: Buffer, fields: Record<string, string> = {}) {
  const reply = await withFile(author.post('/api/surveys/import-data'), file, fields, 'round.sav');
  expect(reply.status, reply.text.slice(0, 2_000)).toBe(201);
  return reply.body.data as {
    survey_id: number;
    failed: number;
    recognized: { timezone: string };
  };
}

async function exportSav(surveyId: number): Promise<Buffer> {
  return (await exportResponses(author, surveyId, { format: 'spss' })).file;
}

/** What a file says of the variables of questions, and their cells. */
function contentOf(file: Buffer, names: readonly string[]) {
  const { variables, rows } = readSav(file);
  const indexes = names.map((name) => variables.findIndex((variable) => variable.name === name));
  return {
    variables: indexes.map((index) => {
      const { name, label, format, measure, missing, labels } = variables[index]!;
      return { name, label, format, measure, missing, labels };
    }),
    rows: rows.map((row) => indexes.map((index) => row[index])),
  };
}

const NASTY_TEXTS = [
  "'quoted",
  '=1+1',
  '-',
  '- item',
  ' -',
  '＝1',
  '@a',
  '+49',
  'a\r\nb',
  'tab\tend\t',
  '\u0001x',
  '  leading',
  '0',
  'NA',
  'a,b;c|d',
  '"',
  '☕👩‍👩‍👧',
  'e\u0301',
  '\u00a0',
  'ж'.repeat(300),
  'x'.repeat(255),
  'y'.repeat(256),
  '漢'.repeat(2_000),
];
const nastyText = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  // Trailing spaces are the padding of the format.
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((text) => `${text}.`),
);
const nastyNumber = fc.oneof(
  fc.constantFrom(1e-11, 0.1 + 0.2, 1e300, -1e300, 2 ** 53, -(2 ** 53), 0.5, 1.5, 1 / 3, 0, 100, 151, -99),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);
const orMissing = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 5 });
const pad = (value: number) => String(value).padStart(2, '0');
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.constantFrom('', ':07', ':59.5', ':00.001'))
  .map(([hour, minute, second]) => `${pad(hour)}:${pad(minute)}${second}`);
const day = fc
  .tuple(
    fc.integer({ min: 1583, max: 9999 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, date]) => `${year}-${pad(month)}-${pad(date)}`);

test('an export and an import of it give the same answers, and the same file again', async () => {
  const optionValues = ['1', '2', '2.5', '98', '99'];
  const options = optionValues.map((option_value) => ({
    option_value,
    option_label: `Label ${option_value}`,
    option_missing: Number(option_value) > 90,
  }));
  const date = (question_code: string, precision: string) => ({
    question_type: 'date',
    question_code,
    question_text: `When ${question_code}?`,
    question_settings: { precision },
  });
  const survey = await publishedSurvey(author, {
    settings: { timezone: 'America/New_York' },
    pages: [
      [
        text('open', { question_settings: { max_length: 20_000 } }),
        number('measured', { question_settings: { decimals: 10 } }),
        choice('chosen', { options }),
        date('day', 'date'),
        date('moment', 'datetime'),
        date('clock', 'time'),
        date('month', 'month'),
      ],
    ],
  });
  const answers = fc.record({
    open: orMissing(nastyText),
    measured: orMissing(nastyNumber),
    chosen: orMissing(fc.constantFrom(...optionValues)),
    day: orMissing(day),
    moment: orMissing(fc.tuple(day, clock).map((parts) => parts.join('T'))),
    clock: orMissing(clock),
    month: orMissing(day.map((text) => text.slice(0, 7))),
  });
  const [drawn = []] = fc.sample(fc.array(answers, { minLength: 150, maxLength: 150 }), {
    numRuns: 1,
    seed: 20_261_128,
  });
  const rows = [...NASTY_TEXTS.map((open) => ({ ...drawn[0]!, open })), ...drawn].map((row, i) => ({
    answers: row,
    started_at: new Date(Date.UTC(2026, 9, 31, 22) + i * 1_000_003).toISOString(),
  }));
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);

  const first = await exportSav(survey.surveyId);
  const imported = await importSav(first);
  expect(imported.failed).toBe(0);
  const [before, after] = [await gridOf(survey.surveyId), await gridOf(imported.survey_id)];
  const columns = ['open', 'measured', 'chosen', 'day', 'moment', 'clock', 'month', 'started_at'];
  const pick = (values: Values) => Object.fromEntries(columns.map((column) => [column, values[column]]));
  expect(before.map(({ started_at: start }) => start)).toEqual(rows.map(({ started_at: start }) => start));
  expect(after.map(pick)).toEqual(before.map(pick));

  const names = columns.slice(0, -1);
  const second = await exportSav(imported.survey_id);
  expect(contentOf(second, names)).toEqual(contentOf(first, names));
  expect(imported.recognized.timezone).toBe('America/New_York');
});

test('an import and an export of it give the variables of the file', async () => {
  const missingDay = spssSeconds('1900-01-01T00:00:00Z');
  const labels: [string, string][] = [
    [' 1', 'right'],
    ['1', 'left'],
    ['zz', 'Refused'],
  ];
  const cases = [
    [
      3,
      138_600,
      93_600,
      spssSeconds('1980-02-29T00:00:00Z'),
      spssSeconds('2014-09-23T15:59:20.25Z'),
      spssSeconds('2024-04-01T00:00:00Z'),
      0.1 + 0.2,
      ' aa',
      ' 1',
      1,
      2,
    ],
    [
      12,
      -60,
      60,
      spssSeconds('1700-01-01T00:00:00Z'),
      1,
      spssSeconds('2024-01-01T00:00:00Z'),
      1e300,
      '=b',
      '1',
      2,
      1,
    ],
    [null, null, null, null, null, null, null, null, 'zz', null, null],
  ];
  const file = buildSav({
    variables: [
      { name: 'MON', format: [27, 9, 0] },
      { name: 'WORK', format: [21, 8, 0], label: 'Hours worked' },
      { name: 'STAY', format: [25, 12, 0], missing: [999] },
      { name: 'BORN', format: [23, 10, 0], missing: [missingDay] },
      { name: 'AT', format: [22, 23, 2] },
      { name: 'QUART', format: [29, 8, 0] },
      { name: 'INC', format: [4, 9, 2], missingRange: [-9, -1], labels: [[-9, 'refused']] },
      { name: 'NOTE', width: 16, missing: ['99'] },
      { name: 'CODE', width: 8, labels, missing: ['zz'] },
      {
        name: 'TEA',
        label: 'Drinks tea',
        labels: [
          [1, 'Yes'],
          [2, 'No'],
        ],
        missing: [9],
        format: [5, 1, 0],
      },
      {
        name: 'COF',
        label: 'Drinks coffee',
        labels: [
          [1, 'Yes'],
          [2, 'No'],
        ],
        format: [5, 1, 0],
      },
    ],
    rows: cases,
    extensions: [[7, '$drinks=D1 1 6 Drinks tea cof\n']],
  });
  const imported = await importSav(file);
  const names = ['MON', 'WORK', 'STAY', 'BORN', 'AT', 'QUART', 'INC', 'NOTE', 'CODE', 'TEA', 'COF'];
  const first = await exportSav(imported.survey_id);
  const { variables, rows } = contentOf(first, names);
  // A text without a value is blank.
  expect(rows).toEqual([...cases.slice(0, 2), cases[2]!.map((cell, i) => (names[i] === 'NOTE' ? '' : cell))]);
  const byName = Object.fromEntries(variables.map((variable) => [variable.name, variable]));
  expect(names.map((name) => byName[name]!.format.type)).toEqual([27, 21, 25, 23, 22, 29, 4, 1, 1, 5, 5]);
  expect(byName.BORN!.missing).toEqual({ count: 1, values: [missingDay] });
  expect(byName.INC).toMatchObject({ missing: { count: -2, values: [-9, -1] }, labels: [[-9, 'refused']] });
  expect(byName.NOTE!.missing).toEqual({ count: 1, values: ['99'] });
  expect(byName.CODE).toMatchObject({ missing: { count: 1, values: ['zz'] }, labels });
  expect(byName.TEA).toMatchObject({
    label: 'Drinks tea',
    labels: [
      [1, 'Yes'],
      [2, 'No'],
    ],
    missing: { count: 1, values: [9] },
  });

  const again = await importSav(first);
  expect(contentOf(await exportSav(again.survey_id), names)).toEqual({ variables, rows });
});

test('the reasons of user-missing numbers are kept by an import, an export and an import of it', async () => {
  const labels: [number, string][] = [
    [-9, 'Refused'],
    [-8, "Don't know"],
  ];
  const file = buildSav({
    variables: [{ name: 'INC', label: 'Income', missing: [-9, -8], labels }],
    rows: [[1500.5], [-9], [-8], [null], [-9]],
  });
  const imported = await importSav(file);
  const { body } = await author.get(`/api/responses/${imported.survey_id}/distribution/INC`).expect(200);
  expect(body.data).toMatchObject({
    base: 1,
    missing: { skipped: 1, no_answer: { refused: 2, dont_know: 1 } },
  });
  const first = await exportSav(imported.survey_id);
  expect(contentOf(first, ['INC'])).toMatchObject({
    variables: [{ missing: { count: 2, values: [-9, -8] }, labels }],
    rows: [[1500.5], [-9], [-8], [null], [-9]],
  });
  const again = await importSav(first);
  expect(contentOf(await exportSav(again.survey_id), ['INC'])).toEqual(contentOf(first, ['INC']));
});

test('user-missing numbers that are no reasons of respondents are kept in a question of their own', async () => {
  const labels: [number, string][] = [
    [-9, 'Interviewer error'],
    [-8, 'Lost'],
  ];
  const file = buildSav({
    variables: [{ name: 'INC', label: 'Income', missing: [-9, -8], labels }],
    rows: [[1500.5], [-9], [-8], [null], [-9]],
  });
  const imported = await importSav(file);
  const values = (await gridOf(imported.survey_id)).map(({ INC, INC_reason: reason }) => [INC, reason]);
  expect(values).toEqual([
    [1500.5, null],
    [null, '-9'],
    [null, '-8'],
    [null, null],
    [null, '-9'],
  ]);
  const { body } = await author
    .get(`/api/responses/${imported.survey_id}/distribution/INC_reason`)
    .expect(200);
  expect(body.data).toMatchObject({
    base: 0,
    categories: [
      { label: 'Interviewer error', missing: true, count: 2 },
      { label: 'Lost', missing: true, count: 1 },
    ],
  });
  const first = await exportSav(imported.survey_id);
  const names = ['INC', 'INC_reason'];
  expect(contentOf(first, names)).toMatchObject({
    variables: [
      { missing: { count: 2, values: [-9, -8] }, labels },
      { missing: { count: 2, values: [-9, -8] }, labels },
    ],
    rows: [
      [1500.5, null],
      [null, -9],
      [null, -8],
      [null, null],
      [null, -9],
    ],
  });
  const again = await importSav(first);
  expect(contentOf(await exportSav(again.survey_id), names)).toEqual(contentOf(first, names));
});

test('an import into the existing survey treats missing values, lengths of time and texts like the first', async () => {
  const variables = [
    { name: 'WORK', format: [21, 8, 0] as [number, number, number] },
    { name: 'BORN', format: [20, 11, 0] as [number, number, number], missing: [7] },
    { name: 'AGE', missing: [999] },
    {
      name: 'CODE',
      width: 8,
      labels: [
        [' 1', 'right'],
        ['1', 'left'],
      ] as [string, string][],
    },
  ];
  const day = spssSeconds('1980-02-29T00:00:00Z');
  const first = await importSav(buildSav({ variables, rows: [[138_600, day, 30, ' 1']] }));
  const wave = buildSav({
    variables,
    rows: [
      [30_600, 7, 999, '1'],
      [60, 1e15, 31, ' 1'],
    ],
  });
  const reply = await withFile(author.post(`/api/responses/${first.survey_id}/import`), wave, {}, 'wave.sav');
  expect(reply.status, reply.text).toBe(201);
  const grid = (await gridOf(first.survey_id)).map(({ WORK, BORN, AGE, CODE }) => [WORK, BORN, AGE, CODE]);
  expect(grid).toEqual([
    [138_600, '1980-02-29', 30, '\u24231'],
    [30_600, null, null, '1'],
    [60, null, 31, '\u24231'],
  ]);
});
