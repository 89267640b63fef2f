import { describe, expect, test } from 'vitest';
import { writeSav } from '../../../src/exporters/sav/sav-file.ts';
import { type SavCell, type SavFile, SavReport } from '../../../src/exporters/sav/sav-layout.ts';
import { byteFileFromBuffer } from '../../../src/importers/byte-file.ts';
import { openSav } from '../../../src/importers/sav/sav-source.ts';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { buildSav } from '../../support/build-sav.ts';
import { asBytes, exportResponses, withFile } from '../../support/file-transfer.ts';
import { readSav } from '../../support/sav-reader.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;

const numeric = (name: string, label: string | null, more: object = {}) =>
  ({ name, label, measure: 'nominal', type: 'number', ...more }) as const;
const file: SavFile = {
  variables: [
    numeric('F1', 'Как часто?', {
      measure: 'ordinal',
      missing: [99],
      valueLabels: [
        [1, 'never'],
        [2, 'often ☕'],
        [99, 'refused'],
      ],
    }),
    numeric('half', 'Grade', {
      valueLabels: [
        [1.5, 'good'],
        [2.5, ''],
      ],
    }),
    numeric('with', null),
    numeric('age', 'Age', { measure: 'scale', missing: [-1], decimals: 1 }),
    numeric('tea', 'Drinks: Tea'),
    numeric('coffee', 'Drinks: Coffee'),
    {
      name: 'sex',
      label: null,
      measure: 'nominal',
      type: 'string',
      widthBytes: 16,
      valueLabels: [['f', 'Female']],
    },
    { name: 'open', label: 'Why?', measure: 'nominal', type: 'string', widthBytes: 600 },
    { name: 'day', label: null, measure: 'scale', type: 'date' },
  ],
  fileLabel: 'A study of tea',
  createdAt: new Date('2026-03-07T08:09:10Z'),
  caseCount: null,
  weight: null,
  responseSets: [{ name: 'drinks', label: 'Drinks', variables: ['tea', 'coffee'], countedValue: 1 }],
};
const rows: SavCell[][] = [
  [1, 1.5, 7, 30.5, 1, 0, 'f', 'ж'.repeat(300), '2026-02-28'],
  [2, 2.5, 8, -1, 0, 1, 'm', null, null],
  [99, 1.5, null, 41, 1, 1, null, 'short', '1999-12-31'],
];

async function sav(described = file, cases = rows): Promise<Buffer> {
  const parts: Buffer[] = [];
  async function* once() {
    yield await Promise.resolve(cases);
  }
  for await (const part of writeSav(described, once(), new SavReport())) parts.push(part);
  return Buffer.concat(parts);
}

const send = (content: Buffer | string, fields: Record<string, string> = {}, name = 'study.sav') =>
  withFile(author.post('/api/surveys/import-data'), content, fields, name);

async function valuesOf(surveyId: number): Promise<Record<string, unknown>[]> {
  const grid = await author.get(`/api/responses/${surveyId}/grid`).expect(200);
  return (grid.body.data.rows as { values: Record<string, unknown> }[]).map(({ values }) => values);
}

test('imports a .sav as a survey with labels as questions and cases as responses', async () => {
  const reply = await send(await sav());
  expect(reply.status, reply.text).toBe(201);
  const { data } = reply.body;
  expect(data).toMatchObject({
    survey_name: 'A study of tea',
    format: 'sav',
    questions: 8,
    rows: 3,
    created: 3,
    failed: 0,
  });
  expect(
    data.variables.map((v: { column_code: string; question_type: string }) => [
      v.column_code,
      v.question_type,
    ]),
  ).toEqual([
    ['F1', 'single_choice'],
    ['half', 'single_choice'],
    ['with_1', 'number'],
    ['age', 'number'],
    ['drinks_1', 'multiple_choice'],
    ['drinks_2', 'multiple_choice'],
    ['sex', 'single_choice'],
    ['open', 'text'],
    ['day', 'date'],
  ]);
  const notes = Object.fromEntries(
    data.variables.map((v: { header: string; notes: string[] }) => [v.header, v.notes.join('; ')]),
  );
  expect(notes.half).toMatch(/no whole numbers.*|empty/);
  expect(notes.age).toContain('1 cell is user-missing and taken as not answered: -1 (1)');

  expect(await valuesOf(data.survey_id)).toEqual([
    {
      F1: '1',
      half: '1.5',
      with_1: 7,
      age: 30.5,
      drinks_1: 1,
      drinks_2: 0,
      sex: 'f',
      open: 'ж'.repeat(300),
      day: '2026-02-28',
    },
    {
      F1: '2',
      half: '2.5',
      with_1: 8,
      age: null,
      drinks_1: 0,
      drinks_2: 1,
      sex: 'm',
      open: null,
      day: null,
    },
    {
      F1: '99',
      half: '1.5',
      with_1: null,
      age: 41,
      drinks_1: 1,
      drinks_2: 1,
      sex: null,
      open: 'short',
      day: '1999-12-31',
    },
  ]);
  const survey = await author.get(`/api/surveys/${data.survey_id}`).expect(200);
  const [first, second] = survey.body.data.pages[0].questions;
  expect(first).toMatchObject({
    question_text: 'Как часто?',
    question_settings: { variable: { name: 'F1', missing: [99], measure: 'ordinal' } },
  });
  expect(
    first.options.map((o: Record<string, unknown>) => [
      o.option_code,
      o.option_value,
      o.option_label,
      o.option_missing,
    ]),
  ).toEqual([
    [1, '1', 'never', false],
    [2, '2', 'often ☕', false],
    [99, '99', 'refused', true],
  ]);
  expect(
    second.options.map((o: Record<string, unknown>) => [o.option_code, o.option_value, o.option_label]),
  ).toEqual([
    [1, '1.5', 'good'],
    [2, '2.5', '2.5'],
  ]);
});

test('imports the case weight of a .sav as a number, which insights never use as an outcome', async () => {
  const weighted: SavFile = {
    ...file,
    variables: [
      ...['group', 'answer'].map((name) =>
        numeric(name, null, {
          valueLabels: [
            [1, 'one'],
            [2, 'two'],
          ],
        }),
      ),
      numeric('wt', 'Weight', { measure: 'scale', decimals: 1 }),
    ],
    responseSets: [],
    weight: 'wt',
  };
  // The weight goes with the group as closely as it can.
  const cases = Array.from({ length: 200 }, (_, index) => {
    return [1 + (index % 2), 1 + (index % 3 === 0 ? 1 : 0), index % 2 === 0 ? 0.5 : 1.5 + (index % 10) / 10];
  });
  const created = (await send(await sav(weighted, cases)).expect(201)).body.data;
  expect(created.notes.join()).toContain('wt weights the cases of the file');
  const survey = await author.get(`/api/surveys/${created.survey_id}`).expect(200);
  const settings = survey.body.data.pages[0].questions.map(
    (question: { question_settings: { variable: { is_weight?: true } } }) =>
      question.question_settings.variable.is_weight,
  );
  expect(settings).toEqual([undefined, undefined, true]);

  const request = { engine: 'built-in' };
  for (const body of [request, { ...request, weight: 'wt' }]) {
    const found = await author.post(`/api/responses/${created.survey_id}/ai/insights`, body).expect(200);
    expect(found.body.data.tested).toMatchObject({ responses: 200, questions: 2, pairs: 1, tests: 1 });
    expect(JSON.stringify(found.body.data.results)).not.toContain('Weight');
    const odd = await author.post(`/api/responses/${created.survey_id}/ai/anomalies`, body).expect(200);
    expect(odd.body.data.tested.questions).toBe(2);
  }
});

test('round-trips a .sav', async () => {
  const bytes = await sav();
  const created = await send(bytes);
  const path = `/api/responses/${created.body.data.survey_id}/export`;
  const columns = ['F1', 'half', 'with_1', 'age', 'drinks_1', 'drinks_2', 'sex', 'open', 'day'];
  const reply = await asBytes(author.post(path, { format: 'spss', columns }));
  expect(reply.status, String(reply.body)).toBe(200);
  const [before, after] = [
    await openSav(byteFileFromBuffer(bytes)),
    await openSav(byteFileFromBuffer(reply.body as Buffer)),
  ];
  const described = (source: typeof before) =>
    source.columns.map(({ header, label, variable }) => ({ header, label, ...variable }));
  const expected = described(before);
  // An empty label is none.
  expected[1]!.valueLabels = [[1.5, 'good']];
  expect(
    described(after).map((one) => ({ ...one, format: one.kind === 'string' ? null : one.format })),
  ).toEqual(expected.map((one) => ({ ...one, format: one.kind === 'string' ? null : one.format })));
  expect(after.sets).toEqual(before.sets);
  const cells = async (source: typeof before) => {
    const all = [];
    for await (const part of source.rows()) all.push(...part.map((row) => [...row.cells]));
    return all;
  };
  const [cellsBefore, cellsAfter] = [await cells(before), await cells(after)];
  // A number without labels has no room for user-missing answers: the reply has said so.
  cellsBefore[1]![3] = null;
  expect(cellsAfter).toEqual(cellsBefore);
});

const categorySet: SavFile = {
  ...file,
  variables: ['first', 'second', 'third'].map((name) =>
    numeric(name, `Brand, ${name}`, {
      missing: [99],
      valueLabels: [
        [1, 'Alfa'],
        [2, 'Beta'],
        [7, 'Gamma'],
        [99, 'refused'],
      ],
    }),
  ),
  responseSets: [
    { name: 'brands', label: 'Brands known', variables: ['first', 'second', 'third'], countedValue: null },
  ],
};

test('imports a multiple-response set of categories as a multiple choice', async () => {
  const cases = [
    [2, 1, null],
    [7, null, null],
    [null, null, null],
    [99, null, null],
    [1, 1, 7],
  ];
  const reply = await send(await sav(categorySet, cases));
  expect(reply.status, reply.text).toBe(201);
  const { data } = reply.body;
  expect(data).toMatchObject({
    questions: 1,
    created: 5,
    cells: { filled: 7, imported: 6, left_out: 1, in_rows_not_written: 0 },
  });
  for (const variable of data.variables) {
    expect(variable).toMatchObject({
      used_as: 'answer',
      question_type: 'multiple_choice',
      question_code: 'brands',
    });
    expect(variable.notes.join()).toContain('1 answers of the set repeat another of their case');
  }
  expect(data.variables[0].notes[0]).toBe('1 cell is user-missing and taken as not answered');
  const survey = await author.get(`/api/surveys/${data.survey_id}`).expect(200);
  expect(survey.body.data.pages[0].questions[0]).toMatchObject({
    question_text: 'Brands known',
    options: [
      { option_code: 1, option_label: 'Alfa' },
      { option_code: 2, option_label: 'Beta' },
      { option_code: 7, option_label: 'Gamma' },
    ],
  });
  const columns = (await valuesOf(data.survey_id)).map((values) => [
    values.brands_1,
    values.brands_2,
    values.brands_7,
  ]);
  expect(columns).toEqual([
    [1, 1, 0],
    [0, 0, 1],
    [null, null, null],
    [null, null, null],
    [1, 0, 1],
  ]);
});

test('chooses question types of a table by their values and reports them', async () => {
  const lines = Array.from({ length: 30 }, (_, i) =>
    [
      `s${i}`,
      i % 3,
      i * 1.5,
      i % 2 ? 'yes' : 'no',
      `text ${i}`,
      `2026-01-${String(i + 1).padStart(2, '0')}`,
      `0${i}`,
      'Suaheli',
    ].join(';'),
  );
  const csv = ['submission_id;Group;Income;Again?;Why;Day;Zip;language', ...lines].join('\n');
  const dry = await send(csv, { dry_run: 'true' }, 'My data.csv');
  expect(dry.status, dry.text).toBe(200);
  expect(dry.body.data).toMatchObject({
    dry_run: true,
    survey_id: null,
    survey_name: 'My data',
    rows: 30,
    created: 30,
  });
  const reply = await send(csv, { survey_name: 'Named' }, 'My data.csv');
  expect(reply.status, reply.text).toBe(201);
  const { data } = reply.body;
  expect(
    data.variables.map((v: Record<string, unknown>) => [v.column_code, v.used_as, v.question_type]),
  ).toEqual([
    ['submission_id', 'metadata', null],
    ['Group', 'question', 'single_choice'],
    ['Income', 'question', 'number'],
    ['Again', 'question', 'single_choice'],
    ['Why', 'question', 'text'],
    ['Day', 'question', 'date'],
    ['Zip', 'question', 'text'],
    // No language tags: then it is an answer.
    ['language_v2', 'question', 'single_choice'],
  ]);
  const values = await valuesOf(data.survey_id);
  expect(values[1]).toEqual({
    Group: '1',
    Income: 1.5,
    Again: 'yes',
    Why: 'text 1',
    Day: '2026-01-02',
    Zip: '01',
    language_v2: 'Suaheli',
  });
});

test('creates only questions without publishing', async () => {
  const reply = await send('a,b\n1,x\n', { publish: 'false' }, 'two.csv');
  expect(reply.status, reply.text).toBe(201);
  expect(reply.body.data).toMatchObject({ published_version: null, created: 0, questions: 2 });
  const survey = await author.get(`/api/surveys/${reply.body.data.survey_id}`).expect(200);
  expect(survey.body.data.survey_status).toBe(1);
});

test('reads other encodings only if they are named', async () => {
  const wide = { encoding: 'utf-16le', dry_run: 'true' };
  const named = await withFile(
    author.post('/api/surveys/import-data'),
    Buffer.from('größe\n1\n', 'utf16le'),
    wide,
  );
  expect(named.body.data.variables[0].header).toBe('größe');
  const latin = Buffer.from('größe\n1\n', 'latin1');
  const guessed = await withFile(author.post('/api/surveys/import-data'), latin).expect(400);
  expect(guessed.body.details[0].field).toBe('encoding');
  const spss = await withFile(author.post('/api/surveys/import-data'), '$FL2', wide).expect(400);
  expect(spss.body.message).toContain('"utf-16le" is not an encoding of an SPSS system file (.sav)');
});

test('reads the texts of a .sav in the requested encoding, by any of its names, instead of the one it states', async () => {
  const wrong = buildSav({
    variables: [{ name: 'Q1', width: 20 }],
    rows: [['Gr\u0094\u00e1e']],
    encode: (text) => Buffer.from(text, 'latin1'),
    encoding: 'windows-1252',
  });
  for (const encoding of ['cp437', 'CP850', 'ibm-437']) {
    const reply = await send(wrong, { encoding });
    expect(reply.status, reply.text).toBe(201);
    expect(await valuesOf(reply.body.data.survey_id)).toEqual([{ Q1: 'Größe' }]);
  }
  const unknown = await send(wrong, { encoding: 'klingon' }).expect(400);
  expect(unknown.body.details[0]).toMatchObject({ field: 'encoding' });
});

test('rejects a file without data with a message', async () => {
  const pdf = await send('%PDF-1.7 and so on', {}, 'table.csv');
  expect([pdf.status, pdf.body.message]).toEqual([415, expect.stringContaining('application/pdf')]);
  const cut = await send((await sav()).subarray(0, 900));
  expect([cut.status, cut.body.message]).toEqual([400, expect.stringContaining('not complete')]);
  const other = await send('a,b\n1,2', { format: 'sav' });
  expect([other.status, other.body.message]).toEqual([400, expect.stringContaining('CSV')]);
  const client = await organization.addUser('client');
  await withFile(client.post('/api/surveys/import-data'), 'a\n1').expect(403);
  await withFile(author.post('/api/surveys/import-data?workspace_id=999999'), 'a\n1').expect(404);
});

describe('a multiple dichotomy set', () => {
  const brands: SavFile = {
    ...file,
    variables: [numeric('b1', 'Brands: A'), numeric('b2', 'Brands: B'), numeric('b3', 'Brands: C')],
    responseSets: [{ name: 'brands', label: 'Brands', variables: ['b1', 'b2', 'b3'], countedValue: 1 }],
  };
  /** Ten cases: four with none ticked, one system-missing. */
  const cases: SavCell[][] = [
    [1, 0, 0],
    [1, 1, 0],
    [1, 0, 1],
    [0, 1, 0],
    [0, 1, 1],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [null, null, null],
  ];

  test('keeps 0 as 0: cases without ticked options are in the base, and the export has the means of the file', async () => {
    const reply = await send(await sav(brands, cases));
    expect(reply.status, reply.text).toBe(201);
    const { survey_id: surveyId, notes } = reply.body.data;
    expect(notes).toEqual([]);
    const first = await author.get(`/api/responses/${surveyId}/distribution/brands_1`).expect(200);
    expect(first.body.data).toMatchObject({ base: 9, missing: { skipped: 1, not_shown: 0 } });
    expect(first.body.data.categories[1]).toMatchObject({ value: '1', count: 3, percent: 100 / 3 });
    const set = await author.get(`/api/responses/${surveyId}/distribution/brands`).expect(200);
    expect(set.body.data.base).toBe(9);
    const { file: exportedFile } = await exportResponses(author, surveyId, {
      format: 'spss',
      columns: ['brands_1', 'brands_2', 'brands_3'],
    });
    expect(readSav(exportedFile).rows).toEqual(cases);
  });

  test('reports that its variables are missing in different cases', async () => {
    const reply = await send(await sav(brands, [[1, null, null], [0, 1, null], ...cases]));
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data.notes).toEqual([
      expect.stringContaining('only some of its variables have values') as string,
    ]);
    expect((await valuesOf(reply.body.data.survey_id))[0]).toEqual({ brands_1: 1, brands_2: 0, brands_3: 0 });
  });
});
