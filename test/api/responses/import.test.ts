import { beforeAll, describe, expect, test } from 'vitest';
import { newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { asBytes, withFile } from '../../support/file-transfer.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
let survey: PublishedSurvey;

const options = (...labels: string[]) =>
  labels.map((label, index) => ({ option_label: label, option_value: String.fromCharCode(97 + index) }));
const matrix = (question_code: string, matrix_type: string) => ({
  question_type: 'matrix',
  question_code,
  question_text: `Rows of ${question_code}`,
  question_settings: {
    matrix_type,
    rows: [
      { row_code: 'r1', row_label: 'Tea; green' },
      { row_code: 'r2', row_label: 'Coffee' },
    ],
  },
  options: options('Often', 'Never, ever; really'),
});
const other = [
  { option_label: 'One', option_value: '1' },
  { option_label: 'Other', option_value: '9', option_other: true },
  { option_label: 'Refused', option_value: '-99', option_missing: true },
];
const page = [
  choice('Q1', { options: other }),
  choice('Colour', { options: options('Red', 'Ünïcode ☕', '=Blue') }),
  multiple('Q2', {
    options: [
      ...options('Ja; oder', 'Nein'),
      { option_label: 'Else', option_value: 'x', option_other: true },
    ],
  }),
  number('Q3', { question_settings: { decimals: 2 } }),
  text('Q4'),
  {
    question_type: 'scale',
    question_code: 'Q5',
    question_text: 'Scale',
    question_settings: { min_label: 'low', max_label: 'high' },
  },
  { question_type: 'nps', question_code: 'Q6', question_text: 'Recommend?' },
  matrix('Q7', 'single'),
  matrix('Q8', 'multiple'),
  { question_type: 'ranking', question_code: 'Q9', question_text: 'Rank', options: options('A', 'B', 'C') },
  { question_type: 'date', question_code: 'Q10', question_text: 'Day' },
  {
    question_type: 'date',
    question_code: 'Q11',
    question_text: 'Moment',
    question_settings: { precision: 'datetime' },
  },
  {
    question_type: 'date',
    question_code: 'Q12',
    question_text: 'Clock',
    question_settings: { precision: 'time' },
  },
  {
    question_type: 'date',
    question_code: 'Q13',
    question_text: 'Month',
    question_settings: { precision: 'month' },
  },
  {
    question_type: 'date',
    question_code: 'Q14',
    question_text: 'Year',
    question_settings: { precision: 'year' },
  },
  text('Q15', {
    question_text: 'Why this one?',
    question_settings: {
      logic: {
        display: {
          connector: 'and',
          conditions: [{ left: { type: 'question', code: 'Q1' }, operator: 'equals', right: '1' }],
        },
      },
    },
  }),
];
const rows = [
  {
    submission_id: 'a',
    external_id: 'x-1',
    language: 'de',
    started_at: '2026-01-02T10:00:00Z',
    completed_at: '2026-01-02T10:05:30Z',
    answers: {
      Q1: { value: '9', other: '=1+1' },
      Colour: 'b',
      Q2: ['a', { value: 'x', other: 'quoted; "text"' }],
      Q3: -1.25,
      Q4: 'first line\nsecond, with comma; and ☕ Привет',
      Q5: 5,
      Q6: 0,
      Q7: { r1: 'a' },
      Q8: { r1: ['a', 'b'], r2: ['b'] },
      Q9: ['c', 'a', 'b'],
      Q10: '2026-02-28',
      Q11: '2026-02-28T23:59',
      Q12: '07:05',
      Q13: '2026-02',
      Q14: '1999',
    },
  },
  { submission_id: 'b', answers: { Q1: '1', Colour: 'c', Q2: ['b'], Q7: { r2: 'b' }, Q15: '-5' } },
  { submission_id: 'c', answers: { Q1: '-99', Q3: 7 } },
  { submission_id: 'd', answers: { Q1: '1' }, status: 'partial' },
  { submission_id: 'e', answers: { Q4: 'out' }, status: 'screened_out' },
];

beforeAll(async () => {
  survey = await publishedSurvey(author, [page]);
  await author.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
});

const importFile = (
  surveyId: number,
  content: Buffer | string,
  fields: Record<string, string> = {},
  name = 'data',
) => withFile(author.post(`/api/responses/${surveyId}/import`), content, fields, name);

async function exportFile(surveyId: number, body: object): Promise<Buffer> {
  const reply = await asBytes(author.post(`/api/responses/${surveyId}/export`, body));
  expect(reply.status, String(reply.body)).toBe(200);
  return reply.body as Buffer;
}

async function listRows(surveyId: number) {
  const reply = await author.get(`/api/responses/${surveyId}/grid`).expect(200);
  const all = reply.body.data.rows as (Record<string, unknown> & { values: Record<string, unknown> })[];
  return all.map(
    ({
      submission_id,
      response_status,
      status_reason,
      started_at,
      completed_at,
      duration_seconds,
      language,
      external_id,
      values,
    }) => ({
      submission_id,
      response_status,
      status_reason,
      started_at,
      completed_at,
      duration_seconds,
      language,
      external_id,
      values,
    }),
  );
}

const createCopy = () => publishedSurvey(author, { survey_name: 'A copy', pages: [page] });
const ALL_STATUSES = ['complete', 'partial', 'screened_out'];

describe('exports are imported as the same data', () => {
  test.each([
    ['csv', {}],
    ['csv', { values: 'label', headers: 'label', delimiter: ';', bom: true }],
    ['csv', { values: 'both', headers: 'both', delimiter: '\t' }],
    ['csv', { values: 'both', headers: 'label', multiple: 'both' }],
    ['csv', { multiple: 'set', values: 'label', timezone: 'Europe/Berlin' }],
    ['xlsx', {}],
    ['xlsx', { values: 'label', headers: 'both' }],
    ['spss', {}],
  ])('%s with %o', async (format, settings) => {
    const copy = await createCopy();
    const file = await exportFile(survey.surveyId, { format, status: ALL_STATUSES, ...settings });
    const reply = await importFile(copy.surveyId, file);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data).toMatchObject({
      created: 5,
      existing: 0,
      failed: 0,
      errors: [],
      missing_columns: [],
    });
    expect(await listRows(copy.surveyId)).toEqual(await listRows(survey.surveyId));
    for (const code of ['Q1', 'Q2', 'Q7_r1', 'Q8_r1', 'Q5', 'Q15']) {
      const path = (id: number) => `/api/responses/${id}/distribution/${code}?base=shown`;
      const [before, after] = [
        await author.get(path(survey.surveyId)),
        await author.get(path(copy.surveyId)),
      ];
      expect(after.body.data).toEqual(before.body.data);
    }
  });
});

describe('importing a table', () => {
  let other: PublishedSurvey;
  beforeAll(async () => {
    other = await publishedSurvey(author, {
      survey_name: 'Small survey',
      pages: [[choice('Q1'), number('Q2'), text('Q3')]],
    });
  });
  const countResponses = async () =>
    (await author.get(`/api/responses/${other.surveyId}/stats`).expect(200)).body.data.total as number;
  const csv = 'submission_id,Q1,how many for q2?,Q33,link_id\ns1,1,5,x,7\ns2,Option 2,many,y,\ns3,9,6.5,z,\n';

  test('a dry run reports matches per column and problems per row without writing', async () => {
    const reply = await importFile(other.surveyId, csv, { dry_run: 'true' }, 'list.xlsx');
    expect(reply.status, reply.text).toBe(200);
    const { data } = reply.body;
    expect(data).toMatchObject({
      dry_run: true,
      format: 'csv',
      rows: 3,
      created: 1,
      failed: 2,
      missing_columns: ['Q3'],
    });
    expect(data.columns).toMatchObject([
      { column_code: 'submission_id', matched_by: 'code', imported: true, read: 3 },
      {
        column_code: 'Q1',
        read: 2,
        unreadable: 1,
        examples: [{ row: 4, value: '9', message: expect.stringContaining('"1" (Option 1)') }],
      },
      { column_code: 'Q2', matched_by: 'label', read: 1, unreadable: 2 },
      { column_code: null, imported: false, reason: 'is not a column of the survey', nearest: ['Q3'] },
      { column_code: 'link_id', imported: false, reason: 'is kept by the server, not imported' },
    ]);
    expect(data.errors.map(({ row }: { row: number }) => row)).toEqual([3, 4]);
    expect(await countResponses()).toBe(0);
  });

  test('one invalid row rejects all unless atomic is false', async () => {
    const refused = await importFile(other.surveyId, csv);
    expect([refused.status, refused.body.details[0].field]).toEqual([400, 'rows[3].Q2']);
    expect(await countResponses()).toBe(0);
    const reply = await importFile(other.surveyId, csv, { atomic: 'false' });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data).toMatchObject({ created: 1, failed: 2 });
    expect(await countResponses()).toBe(1);
  });

  test('skips, updates or rejects existing responses, and undo removes the import', async () => {
    const table = 'submission_id;Q1;Q2\ns1;3;\ns9;2;7\n';
    const refused = await importFile(other.surveyId, table, { on_existing: 'error' });
    expect([refused.status, refused.body.details[0].field]).toEqual([400, 'rows[2].submission_id']);
    const skipped = await importFile(other.surveyId, table, { on_existing: 'skip', dry_run: 'true' });
    expect(skipped.body.data).toMatchObject({ created: 1, existing: 1, updated: 0 });
    const preview = await importFile(other.surveyId, table, { on_existing: 'update', dry_run: 'true' });
    expect(preview.body.data).toMatchObject({ created: 1, existing: 0, updated: 1, change_id: null });
    const reply = await importFile(other.surveyId, table, { on_existing: 'update' });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data).toMatchObject({ created: 1, updated: 1, unchanged: 0 });
    const listValues = async () =>
      (await listRows(other.surveyId)).map(({ submission_id, values }) => [
        submission_id,
        values.Q1,
        values.Q2,
      ]);
    expect(await listValues()).toEqual([
      ['s1', '3', null],
      ['s9', '2', 7],
    ]);
    await author
      .post(`/api/responses/${other.surveyId}/changes/${reply.body.data.change_id}/undo`)
      .expect(200);
    expect(await listValues()).toEqual([['s1', '1', 5]]);
    const repeated = await importFile(other.surveyId, table);
    expect(repeated.body.data).toMatchObject({ created: 0, existing: 2 });
    expect(repeated.body.data.notes.join()).toContain('deleted');
    await importFile(other.surveyId, table, { on_existing: 'update' }).expect(201);
    expect(await listValues()).toHaveLength(2);
  });

  test('reads other encodings only if they are named', async () => {
    const cyrillic = Buffer.concat([
      Buffer.from('Q2;Q3\r\n1;'),
      Buffer.from([0xcf, 0xf0]),
      Buffer.from('\r\n'),
    ]);
    await expectInvalidField(importFile(other.surveyId, cyrillic), 'encoding');
    const unnamed = await importFile(other.surveyId, cyrillic);
    expect(unnamed.body.message).toMatch(
      /not valid UTF-8 \(a line reads "1;Ïð" as windows-1252\); save it as UTF-8, or/,
    );
    await expectInvalidField(importFile(other.surveyId, cyrillic, { encoding: 'utf-8' }), 'encoding');
    await expectInvalidField(importFile(other.surveyId, cyrillic, { encoding: 'klingon' }), 'encoding');
    const reply = await importFile(other.surveyId, cyrillic, { encoding: 'Windows-1251' });
    expect(reply.body.data).toMatchObject({ delimiter: ';', created: 1, failed: 0, notes: [] });
    expect((await listRows(other.surveyId)).at(-1)!.values.Q3).toBe('Пр');
    await author
      .post(`/api/responses/${other.surveyId}/changes/${reply.body.data.change_id}/undo`)
      .expect(200);
    const utf16 = await importFile(other.surveyId, Buffer.from('\ufeffQ2\tQ3\n1\tü', 'utf16le'), {
      dry_run: 'true',
    });
    expect(utf16.body.data).toMatchObject({ delimiter: '\t', created: 1 });
  });

  test.each([
    ['no matching column', 'a,b\n1,2\n', {}, 400, 'must have at least 1 column of the survey'],
    ['an unclosed quote', 'Q1,Q3\n1,"x\n', {}, 400, 'cannot be read as CSV'],
    ['a page of HTML', '<!DOCTYPE html><p>Q1', {}, 415, 'HTML'],
    ['an empty file', '', {}, 400, 'must not be empty'],
    ['a truncated ZIP file', 'PK\u0003\u0004 and no more', {}, 400, 'damaged'],
    ['too many cells', 'Q1,Q2\n1,2,3\n', {}, 400, 'the row has 3 cells'],
    ['the same id twice', 'submission_id,Q1\nz,1\nz,2\n', {}, 400, 'row 2'],
    ['a time in the future', 'Q1,started_at\n1,2999-01-01\n', {}, 400, 'in the future'],
    ['a format other than declared', 'Q1\n1\n', { format: 'xlsx' }, 400, 'a CSV file'],
    ['an unknown field', 'Q1\n1\n', { atomically: 'true' }, 400, 'atomically'],
  ])('%s is rejected with a message', async (_what, content, fields, status, text) => {
    const reply = await importFile(other.surveyId, content, fields);
    expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(text)]);
  });

  test('accepts the workspace as a form field', async () => {
    const { data: listed } = (await author.get(`/api/surveys/${other.surveyId}`).expect(200)).body;
    const workspace = listed.workspace_id as number;
    const form = { dry_run: 'true', workspace_id: String(workspace) };
    await importFile(other.surveyId, 'Q1\n1\n', form).expect(200);
    await expectRefused(importFile(other.surveyId, 'Q1\n1\n', { ...form, workspace_id: '999999' }), 404);
    const at = `/api/responses/${other.surveyId}/import?workspace_id=999999`;
    await expectInvalidField(withFile(author.post(at), 'Q1\n1\n', form), 'workspace_id');
  });

  test('rejects drafts and callers without edit access', async () => {
    const draft = await author.post('/api/surveys', { survey_name: 'Draft' }).expect(201);
    await importFile(draft.body.data.survey_id as number, 'Q1\n1\n').expect(409);
    const otherAdmin = (await newOrganization(app)).admin;
    await withFile(otherAdmin.post(`/api/responses/${other.surveyId}/import`), 'Q1\n1\n').expect(404);
  });
});
