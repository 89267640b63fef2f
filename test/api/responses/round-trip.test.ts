import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import { text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;

/** Texts that formats escape, trim, convert or cut. */
const NASTY = [
  "'",
  "''",
  "'=1",
  "''-x",
  '=1+1',
  '-',
  ' -',
  '-5',
  "'-5",
  '+34 600',
  '＝x',
  '@a',
  '\t=a',
  'a\tb',
  '\u200b=x',
  'a\nb',
  '\ra',
  'a\rb',
  ' lead',
  'trail ',
  '"',
  '""',
  'a"b',
  '"q"',
  ';',
  ',',
  '|',
  'a;b',
  '[]',
  '[x',
  'NA',
  'N/A',
  'NULL',
  '.',
  'null',
  '007',
  '1e5',
  '1,500',
  '0,5',
  '2026-01-01',
  '0000-00-00',
  'TRUE',
  '#N/A',
  // Escapes of spreadsheet XML, and characters that it can only write so.
  '_x000D_',
  '_x005F_x000D_',
  '_x0041\u0001',
  '_x0041_x0042_',
  '&amp;',
  '&#65;',
  '<b>',
  ']]>',
  '\u0001',
  '\ufffe',
  '\u007f',
  '😀',
  '👩‍👩‍👧‍👦',
  'é',
  'ⅷ',
  '日本語',
  'שלום',
  '\u00a0x',
  'x\u0085',
  'sep=;',
  'Total',
  "it's",
  '\ufeffx',
];
const cell = fc.oneof(
  fc.constantFrom(...NASTY),
  fc
    .array(fc.constantFrom(...NASTY, 'word', ' '), { minLength: 2, maxLength: 4 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
);
const LONG = `${'long text 👩‍👩‍👧 '.repeat(3_000)}end`;
/** What the API stores of a text: NFC, line ends \n, and no text for white space. */
const storable = (value: string) => !value.includes('\0') && value.trim() !== '' && value.isWellFormed();

const QUESTIONS = ['T1', 'T2'];
let survey: PublishedSurvey;
let stored: Record<string, unknown>[];

const createSurvey = (name: string) =>
  publishedSurvey(author, {
    survey_name: name,
    pages: [QUESTIONS.map((code) => text(code, { question_settings: { max_length: 100_000 } }))],
  });

async function listCells(surveyId: number): Promise<Record<string, unknown>[]> {
  const reply = await author.get(`/api/responses/${surveyId}/grid`).expect(200);
  return (reply.body.data.rows as { values: Record<string, unknown> }[]).map(({ values }) => values);
}

beforeAll(async () => {
  survey = await createSurvey('Nasty texts');
  const sample = fc.sample(cell.filter(storable), { seed: 20_261_128, numRuns: 300 });
  const texts = [...NASTY.filter(storable), LONG, ...sample];
  const rows = texts.map((value, index) => ({
    submission_id: `r${index}`,
    answers: { T1: value, ...(index % 3 === 0 ? {} : { T2: texts[(index * 7) % texts.length] }) },
  }));
  for (let start = 0; start < rows.length; start += 100)
    await author
      .post(`/api/responses/${survey.surveyId}/rows`, { rows: rows.slice(start, start + 100) })
      .expect(201);
  stored = await listCells(survey.surveyId);
  expect(stored).toHaveLength(rows.length);
});

/** Characters of a cell of a workbook, which does not split a pair of surrogates. */
const MAX_XLSX_CHARACTERS = 32_767;
const inWorkbook = (value: unknown) => {
  if (typeof value !== 'string') return value;
  return value.slice(0, MAX_XLSX_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
};

/** A format, and the fields of the import where it needs some. */
const FORMATS: [format: string, settings: object, fields: Record<string, string>][] = [
  ['csv', {}, {}],
  ['csv', { delimiter: ';', bom: true, headers: 'label' }, {}],
  ['csv', { delimiter: '\t', headers: 'both' }, {}],
  ['csv', { escape_formulas: false }, {}],
  ['csv', { columns: ['T1', 'T2'] }, { unescape_formulas: 'true' }],
  ['xlsx', {}, {}],
  ['xlsx', { headers: 'label' }, {}],
];

describe.each(FORMATS)('an export as %s with %o', (format, settings, fields) => {
  /** The rows as the format can hold them. */
  const expectedRows = () =>
    format === 'xlsx'
      ? stored.map((row) =>
          Object.fromEntries(Object.entries(row).map(([code, value]) => [code, inWorkbook(value)])),
        )
      : stored;

  test('is imported into a copy of its survey as the same cells', async () => {
    const { file } = await exportResponses(author, survey.surveyId, { format, ...settings });
    const copy = await createSurvey('A copy');
    const reply = await withFile(author.post(`/api/responses/${copy.surveyId}/import`), file, fields);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data).toMatchObject({ created: stored.length, failed: 0 });
    expect(reply.body.data.cells).toMatchObject({ missing: 0, changed: 0, unreadable: 0 });
    expect(await listCells(copy.surveyId)).toEqual(expectedRows());
  });

  test('is imported as a new survey with the same cells', async () => {
    const { file } = await exportResponses(author, survey.surveyId, { format, ...settings });
    const reply = await withFile(author.post('/api/surveys/import-data'), file, fields);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data.cells).toMatchObject({
      missing: 0,
      changed: 0,
      unreadable: 0,
      in_rows_not_written: 0,
    });
    const cells = await listCells(reply.body.data.survey_id as number);
    expect(cells.map((row) => Object.values(row).slice(-QUESTIONS.length))).toEqual(
      expectedRows().map((row) => QUESTIONS.map((code) => row[code])),
    );
  });
});

test("keeps a ' before a formula in files of other programs", async () => {
  const reply = await withFile(author.post('/api/surveys/import-data'), "id,t\n1,'=x\n2,'-y\n3,''\n").expect(
    201,
  );
  const cells = await listCells(reply.body.data.survey_id as number);
  expect(cells.map(({ t }) => t)).toEqual(["'=x", "'-y", "''"]);
});
