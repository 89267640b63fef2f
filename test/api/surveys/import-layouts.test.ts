import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import {
  csv,
  googleFormsExport,
  legacyQualtricsExport,
  limeSurveyExport,
  qualtricsExport,
  surveyMonkeyExport,
  unnamedColumns,
} from '../../support/export-layouts.ts';
import { withFile } from '../../support/file-transfer.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;

interface Variable {
  header: string;
  label: string | null;
  used_as: string;
  question_type: string | null;
  column_code: string | null;
  read: number;
  unreadable: number;
  left_out: number;
  notes: string[];
}
interface Imported {
  survey_id: number;
  recognized: {
    layout: string;
    header_rows: number;
    timezone: string;
    metadata: unknown[];
    left_out: unknown[];
  };
  rows: number;
  created: number;
  failed: number;
  cells: { filled: number; imported: number; left_out: number; in_rows_not_written: number };
  variables: Variable[];
  notes: string[];
}
interface Row {
  values: Record<string, unknown>;
  [metadata: string]: unknown;
}

async function imported(content: string, fields: Record<string, string> = {}): Promise<Imported> {
  const reply = await withFile(author.post('/api/surveys/import-data'), content, fields, 'data.csv');
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data as Imported;
}

async function rowsOf(surveyId: number): Promise<Row[]> {
  const grid = await author.get(`/api/responses/${surveyId}/grid`).expect(200);
  return grid.body.data.rows as Row[];
}

async function questionsOf(surveyId: number): Promise<Record<string, unknown>[]> {
  const survey = await author.get(`/api/surveys/${surveyId}`).expect(200);
  return survey.body.data.pages.flatMap((page: { questions: unknown[] }) => page.questions);
}

const variable = ({ variables }: Imported, header: string) =>
  variables.find((variable) => variable.header === header || variable.header.startsWith(header))!;
const codes = ({ variables }: Imported) =>
  variables.map(({ column_code, question_type }) => `${column_code} ${question_type}`);

const FILES: [name: string, content: string, headerRows: number, layout: string][] = [
  ['Qualtrics, three header rows', qualtricsExport(), 3, 'qualtrics'],
  ['Qualtrics, two header rows', legacyQualtricsExport(), 2, 'qualtrics'],
  ['SurveyMonkey', surveyMonkeyExport(), 2, 'surveymonkey'],
  ['LimeSurvey, codes', limeSurveyExport('code'), 1, 'limesurvey'],
  ['LimeSurvey, full texts', limeSurveyExport('text'), 1, 'limesurvey'],
  ['a form with several answers in a cell', googleFormsExport(), 1, 'plain'],
  ['columns without a header', unnamedColumns(), 1, 'plain'],
];

test.each(FILES)('accounts for every row and cell: %s', async (_name, content, headerRows, layout) => {
  const all: string[][] = parse(content, { relax_column_count: true, skip_empty_lines: true });
  const records = all.slice(headerRows);
  const data = await imported(content);
  expect(data.recognized).toMatchObject({ layout, header_rows: headerRows });
  expect([data.rows, data.created, data.failed]).toEqual([records.length, records.length, 0]);

  const filled = records.flat().filter((cell) => cell !== '').length;
  const leftOut = data.variables.reduce((sum, { left_out }) => sum + left_out, 0);
  expect(data.cells).toEqual({
    filled,
    imported: filled - leftOut,
    missing: 0,
    changed: 0,
    unreadable: 0,
    left_out: leftOut,
    in_rows_not_written: 0,
  });
  data.variables.forEach((variable, index) => {
    const inFile = records.filter((record) => (record[index] ?? '') !== '').length;
    expect([variable.header, variable.read + variable.unreadable + variable.left_out]).toEqual([
      variable.header,
      inFile,
    ]);
    if (variable.left_out > 0) expect(variable.notes, variable.header).not.toEqual([]);
  });
  const listed = data.recognized.left_out as { cells: number; reason: string }[];
  expect(listed.reduce((sum, { cells }) => sum + cells, 0)).toBe(leftOut);
});

test('imports a Qualtrics export as choices, matrices and metadata, with the wording of its second row', async () => {
  const data = await imported(qualtricsExport());
  expect(codes(data)).toEqual([
    'started_at null',
    'completed_at null',
    'is_test null',
    'null null',
    'Progress single_choice',
    'response_status null',
    'submission_id null',
    'RecipientEmail text',
    'language null',
    'Q1 single_choice',
    'Q2_1 multiple_choice',
    'Q2_2 multiple_choice',
    'Q2_3 multiple_choice',
    'Q2_3_TEXT text',
    'Q3_1 matrix',
    'Q3_2 matrix',
    'Q4_1_1 matrix',
    'Q4_1_2 matrix',
    'Q4_2_1 matrix',
    'Q4_2_2 matrix',
    'Q5_1 number',
    'Q5_2 number',
  ]);
  expect(data.recognized.timezone).toBe('America/Denver');
  expect(data.recognized.left_out).toEqual([
    { header: 'IPAddress', reason: 'holds IP addresses, which are not stored', cells: 12 },
  ]);
  expect(variable(data, 'RecipientEmail').notes.join()).toContain('personal data');
  expect(data.notes.join()).toContain('1 of 12 responses are tests or previews');

  const questions = await questionsOf(data.survey_id);
  expect(questions.find(({ question_code: code }) => code === 'Q2')).toMatchObject({
    question_text: 'What do you drink?',
    options: [
      { option_code: 1, option_label: 'Tea' },
      { option_code: 2, option_label: 'Coffee - black' },
      { option_code: 3, option_label: 'Other' },
    ],
  });
  expect(questions.find(({ question_code: code }) => code === 'Q4')).toMatchObject({
    question_text: 'When?',
    question_settings: {
      matrix_type: 'multiple',
      rows: [
        { row_code: '1', row_label: 'Morning' },
        { row_code: '2', row_label: 'Evening' },
      ],
    },
    options: [{ option_label: 'Home' }, { option_label: 'Office' }],
  });
  const [first, second, ...more] = await rowsOf(data.survey_id);
  expect(first).toMatchObject({
    is_test: true,
    started_at: '2026-03-01T16:00:00.000Z',
    completed_at: '2026-03-01T16:05:30.000Z',
    duration_seconds: 330,
    language: 'DE',
    submission_id: 'R_0abc',
    values: { Q1: 'Bus', Q3_1: 'Good', Q3_2: 'Fair', Q4_1_1: 0, Q4_1_2: 1, Q4_2_1: 1, Q5_1: 1 },
  });
  expect(second).toMatchObject({
    is_test: false,
    response_status: 'complete',
    values: { Q2_1: 1, Q2_2: 1, Q2_3: 0 },
  });
  // A partial response has no end: that of the file is kept as its duration.
  expect(more.at(-1)).toMatchObject({
    response_status: 'partial',
    completed_at: null,
    duration_seconds: 330,
  });
});

test('keeps previews of a Qualtrics export as tests beside spam and unknown response types', async () => {
  const content = qualtricsExport()
    .replace(/,0,(203\.0\.113\.\d+)/, ',8,$1')
    .replace(/,0,(203\.0\.113\.\d+)/, ',Friends,$1');
  const data = await imported(content);
  expect(variable(data, 'Status')).toMatchObject({
    used_as: 'metadata',
    column_code: 'is_test',
    unreadable: 1,
    examples: [{ value: 'Friends' }],
    notes: ['has other values than is_test in 1 of 12 cells: left empty'],
  });
  const rows = await rowsOf(data.survey_id);
  expect(rows.filter(({ is_test }) => is_test)).toHaveLength(1);
  expect(rows.find(({ response_status }) => response_status === 'screened_out')).toMatchObject({
    status_reason: 'quality',
  });
});

test('applies a named time zone to timestamps without an offset', async () => {
  const data = await imported(qualtricsExport(), { timezone: 'Europe/Berlin' });
  const [first] = await rowsOf(data.survey_id);
  expect(first!.started_at).toBe('2026-03-01T08:00:00.000Z');
  const refused = await withFile(author.post('/api/surveys/import-data'), 'a\n1\n', { timezone: 'Mars' });
  expect([refused.status, refused.body.details[0].field]).toEqual([400, 'timezone']);
});

test('imports a SurveyMonkey export as choices, a ranking and a matrix by its two header rows', async () => {
  const data = await imported(surveyMonkeyExport());
  expect(codes(data)).toEqual([
    'submission_id null',
    'Collector_ID single_choice',
    'started_at null',
    'completed_at null',
    'null null',
    'Email_Address text',
    'Q1 single_choice',
    'Q2_1 multiple_choice',
    'Q2_2 multiple_choice',
    'Q2_3 multiple_choice',
    'Q3_1 ranking',
    'Q3_2 ranking',
    'Q3_3 ranking',
    'Q4_Alien matrix',
    'Q4_Brazil matrix',
    'Q5 text',
    'Q6_1 single_choice',
    'Q6_2 text',
  ]);
  const rows = await rowsOf(data.survey_id);
  expect(rows[0]).toMatchObject({
    submission_id: '900000',
    started_at: '2026-11-01T13:15:00.000Z',
    duration_seconds: 600,
    values: { Q1: '18-29', Q2_1: null, Q3_1: 1, Q3_2: 2, Q3_3: 3 },
  });
  expect(rows[1]!.values).toMatchObject({ Q2_1: 1, Q2_2: 1, Q2_3: 0, Q3_1: 2, Q3_2: 1 });
});

test.each(['code', 'text'] as const)('recognizes a LimeSurvey export with headers as %s', async (heads) => {
  const data = await imported(limeSurveyExport(heads));
  const types = data.variables.map(({ used_as, question_type }) => question_type ?? used_as);
  expect(types).toEqual([
    'metadata',
    'metadata',
    'single_choice',
    'metadata',
    'number',
    'metadata',
    'date',
    'nothing',
    'number',
    'multiple_choice',
    'multiple_choice',
    'text',
    'matrix',
    'matrix',
  ]);
  const rows = await rowsOf(data.survey_id);
  expect(rows.map(({ response_status: status }) => status).indexOf('partial')).toBe(3);
  expect(rows[0]).toMatchObject({
    submission_id: '1',
    language: 'de',
    started_at: '2026-05-01T10:00:00.000Z',
    completed_at: '2026-05-01T10:20:00.000Z',
  });
});

test('imports cells with several answers as a multiple choice, and keeps answers with a comma whole', async () => {
  const data = await imported(googleFormsExport());
  expect(codes(data)).toEqual([
    'Timestamp text',
    'Colors multiple_choice',
    'Do_you_swim single_choice',
    'Drinks multiple_choice',
    'Remarks text',
  ]);
  const questions = await questionsOf(data.survey_id);
  const labels = questions.map(({ options }) =>
    (options as { option_label: string }[]).map(({ option_label: label }) => label),
  );
  expect(labels.slice(1, 4)).toEqual([
    ['Blue', 'Green', 'Red'],
    ['No', 'Yes, often', 'Yes, rarely'],
    ['Coffee', 'Tea, hot', 'Water'],
  ]);
  const [first] = await rowsOf(data.survey_id);
  expect(first!.values).toMatchObject({
    Colors_1: 0,
    Colors_2: 1,
    Colors_3: 1,
    Drinks_1: 1,
    Drinks_2: 1,
    Drinks_3: 0,
  });
});

test('names columns without a header and reports them', async () => {
  const data = await imported(unnamedColumns());
  expect(data.variables.map(({ label, column_code }) => [label, column_code])).toEqual([
    [null, 'Name'],
    [null, 'Group'],
    ['Column 3 (no header)', 'column_3'],
    [null, null],
    ['Column 5 (no header)', 'column_5'],
  ]);
  expect(data.variables[3]!.notes).toEqual(['has neither a header nor values']);
  expect(data.notes.filter((note) => note.includes('no header'))).toHaveLength(2);
  const rows = await rowsOf(data.survey_id);
  expect(rows.map(({ values }) => values.column_5)).toContain('beyond');
});

test('treats server-owned names as answers in a foreign table', async () => {
  const data = await imported(
    csv([['quality', 'taste'], ...Array.from({ length: 8 }, (_, i) => [i * 1.5, i])]),
  );
  expect(data.variables.map(({ used_as }) => used_as)).toEqual(['question', 'question']);
  expect(data.cells.left_out).toBe(0);
});

test('accepts a layout named by the client, and rejects it if the file does not have it', async () => {
  const plain = await imported(surveyMonkeyExport(), { layout: 'plain' });
  expect(plain).toMatchObject({ rows: 13, recognized: { layout: 'plain', header_rows: 1 } });
  const reply = await withFile(author.post('/api/surveys/import-data'), 'a,b\n1,2\n', {
    layout: 'qualtrics',
  });
  expect([reply.status, reply.body.details[0].field]).toEqual([400, 'layout']);
});

test('adds responses of another tool to the survey created from them', async () => {
  for (const [, content] of FILES.slice(0, 5)) {
    const created = await imported(content);
    const path = `/api/responses/${created.survey_id}/import`;
    const repeated = await withFile(author.post(path), content, {}, 'data.csv');
    expect(repeated.status, repeated.text).toBe(201);
    expect(repeated.body.data).toMatchObject({ rows: 12, created: 0, existing: 12, failed: 0 });
    expect(repeated.body.data.recognized).toEqual(created.recognized);
    const { filled, left_out: leftOut } = created.cells;
    expect(repeated.body.data.cells).toEqual({
      missing: 0,
      changed: 0,
      unreadable: 0,
      filled,
      imported: 0,
      left_out: leftOut,
      in_rows_not_written: filled - leftOut,
    });
  }
});

test('reads new rows of another tool like the original import', async () => {
  const created = await imported(surveyMonkeyExport());
  const before = await rowsOf(created.survey_id);
  const more = surveyMonkeyExport().replaceAll('9000', '8000');
  const reply = await withFile(
    author.post(`/api/responses/${created.survey_id}/import`),
    more,
    {},
    'data.csv',
  );
  expect(reply.status, reply.text).toBe(201);
  expect(reply.body.data).toMatchObject({ created: 12, failed: 0 });
  const rows = await rowsOf(created.survey_id);
  expect(rows.slice(12).map(({ values }) => values)).toEqual(before.map(({ values }) => values));
});

test('counts cells beyond the header of an existing survey, and rejects broken rows', async () => {
  const created = await imported('Name,Group\nn,a\n');
  const path = `/api/responses/${created.survey_id}/import`;
  const named = await withFile(author.post(path), 'Name,Group,\nn,a,left\nm,b,\n', {}, 'data.csv');
  expect(named.status, named.text).toBe(201);
  expect(named.body.data).toMatchObject({ created: 2, cells: { filled: 5, imported: 4, left_out: 1 } });
  expect(named.body.data.columns[2]).toMatchObject({
    header: '',
    reason: 'does not have a name',
    left_out: 1,
  });
  const broken = await withFile(author.post(path), 'Name,Group\nn,a,left\n', {}, 'data.csv');
  expect(broken.status).toBe(400);
});

async function workbook(sheets: Record<string, (string | number)[][]>): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  for (const [name, rows] of Object.entries(sheets)) book.addWorksheet(name).addRows(rows);
  return Buffer.from(await book.xlsx.writeBuffer());
}

test('recognizes layouts in workbooks too, and rejects an XLSForm', async () => {
  const rows: string[][] = parse(surveyMonkeyExport());
  const reply = await withFile(
    author.post('/api/surveys/import-data'),
    await workbook({ Sheet: rows.map((row) => row.slice(0, 13)) }),
    { dry_run: 'true' },
    'data.xlsx',
  );
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.data).toMatchObject({
    format: 'xlsx',
    rows: 12,
    recognized: { layout: 'surveymonkey', header_rows: 2 },
  });
  const form = await workbook({
    settings: [['form_title'], ['A form']],
    survey: [
      ['type', 'name', 'label'],
      ['text', 'q1', 'Why?'],
    ],
  });
  const refused = await withFile(author.post('/api/surveys/import-data'), form, {}, 'form.xlsx');
  expect([refused.status, refused.body.code]).toEqual([422, 'questionnaire_not_data']);
});

test('imports a list of more than a thousand combinations as a multiple choice', async () => {
  const letters = [...'ABCDEFGHIJK'];
  const cells = Array.from({ length: 2 ** letters.length - 1 }, (_, i) =>
    letters.filter((_letter, bit) => ((i + 1) >> bit) & 1).join(', '),
  );
  const data = await imported(csv([['Letters'], ...cells.map((cell) => [cell])]));
  expect(codes(data)).toEqual(['Letters multiple_choice']);
  expect(data.created).toBe(cells.length);
});

const XML = '<?xml version="1.0"?>\n';
const DICTIONARY =
  'Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"Choices, Calculations, OR Slider Labels"\nid,one,,text,Id,\n';
test.each([
  ['REDCap data dictionary', DICTIONARY],
  ['LimeSurvey survey structure', 'class\ttype/scale\tname\trelevance\ttext\thelp\nS\t\tlanguage\t1\ten\t\n'],
  [
    'LimeSurvey survey structure',
    `${XML}<document>\n <LimeSurveyDocType>Survey</LimeSurveyDocType></document>`,
  ],
  ['XLSForm', 'type,name,label\nselect_one yes_no,q1,Do you?\ntext,q2,Why?\n'],
  ['Qualtrics survey', '{"SurveyEntry":{"SurveyID":"SV_1"},"SurveyElements":[]}'],
  ['ODK XForm', `${XML}<h:html xmlns="http://www.w3.org/2002/xforms"></h:html>`],
  ['Triple-S definition', `${XML}<sss version="2.0"><survey/></sss>`],
  ['SurveyJS form', '{"pages":[{"name":"page1","elements":[{"type":"text","name":"q1"}]}]}'],
  ['DDI codebook', `${XML}<codeBook xmlns="ddi:codebook:2_5"></codeBook>`],
  ['CDISC ODM', `${XML}<ODM xmlns="http://www.cdisc.org/ns/odm/v1.3" FileType="Snapshot"></ODM>`],
])('rejects a questionnaire by name: %s', async (name, content) => {
  const reply = await withFile(author.post('/api/surveys/import-data'), content, {}, 'data.csv');
  expect([reply.status, reply.body.code]).toEqual([422, 'questionnaire_not_data']);
  expect(reply.body.message).toContain(name);
  expect(reply.body.message).toContain('this is a questionnaire, not data');
});

test('rejects data that need another file, and unsupported formats', async () => {
  const fixed = '0100010122A\n0100010212B\n0100020114C\n';
  const asc = await withFile(author.post('/api/surveys/import-data'), fixed, {}, 'data.asc');
  expect([asc.status, asc.body.message]).toEqual([415, expect.stringContaining('fixed-width')]);
  const [header = '', ...rows] = limeSurveyExport('code').split('\n');
  const verified = [header.replaceAll(/[^,]+/g, 'Text of it'), header, ...rows].join('\n');
  const vv = await withFile(author.post('/api/surveys/import-data'), verified, {}, 'vv.csv');
  expect([vv.status, vv.body.code]).toEqual([422, 'unsupported_layout']);
  expect(vv.body.message).toContain('VV');
});
