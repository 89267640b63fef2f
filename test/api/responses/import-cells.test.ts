import { beforeAll, describe, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { withFile } from '../../support/file-transfer.ts';
import { choice, number, text } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
let survey: PublishedSurvey;

beforeAll(async () => {
  survey = await publishedSurvey(author, [
    [
      number('N', { question_settings: { decimals: 3 } }),
      number('W'),
      choice('C', {
        options: ['1', '2', '3'].map((value) => ({ option_label: `Option ${value}`, option_value: value })),
      }),
      choice('L', { options: ['DE', 'FR'].map((value) => ({ option_label: value, option_value: value })) }),
      text('T'),
      { question_type: 'date', question_code: 'D', question_text: 'Day' },
    ],
  ]);
});

const importFile = (content: string, fields: Record<string, string> = {}) =>
  withFile(author.post(`/api/responses/${survey.surveyId}/import`), content, fields, 'data.csv');

/** Imports the file, returns the reply and the values of its responses, and removes them. */
async function imported(content: string, fields: Record<string, string> = {}) {
  const reply = await importFile(content, fields);
  expect(reply.status, reply.text).toBe(201);
  const { data } = reply.body;
  const grid = await author.get(`/api/responses/${survey.surveyId}/grid`).expect(200);
  const values = (grid.body.data.rows as { values: Record<string, unknown> }[]).map((row) => row.values);
  await author.post(`/api/responses/${survey.surveyId}/changes/${data.change_id}/undo`).expect(200);
  return { data, values, cells: (code: string) => values.map((row) => row[code]) };
}

test('reads marks of missing values in columns of numbers, codes and dates, and keeps them in texts', async () => {
  const { data, cells } = await imported('N,C,D,T\n1.5,2,2026-01-02,NA\nNA,NA,0000-00-00,x\n.,#N/A,NULL,.\n');
  expect([cells('N'), cells('C'), cells('D'), cells('T')]).toEqual([
    [1.5, null, null],
    ['2', null, null],
    ['2026-01-02', null, null],
    ['NA', 'x', '.'],
  ]);
  expect(data.cells).toMatchObject({ filled: 12, imported: 6, missing: 6, changed: 0, unreadable: 0 });
  expect(data.columns[0]).toMatchObject({ read: 1, missing: 2, unreadable: 0 });
});

test('reads declared texts as missing in every column', async () => {
  const content = 'N,L,T\n1,DE,NA\n-99,NA,x\n';
  await importFile(content).expect(400);
  const { data, cells } = await imported(content, { missing_values: 'NA,-99' });
  expect([cells('N'), cells('L'), cells('T')]).toEqual([
    [1, null],
    ['DE', null],
    [null, 'x'],
  ]);
  expect(data.cells).toMatchObject({ filled: 6, imported: 3, missing: 3 });
});

describe('numbers', () => {
  test.each<[what: string, content: string, fields: Record<string, string>, values: unknown[]]>([
    ['a column with a decimal comma', 'N;T\n0,435;a\n1,286;b\n', {}, [0.435, 1.286]],
    ['a column with groups', 'N;T\n1.234,5;a\n2.155;b\n', {}, [1234.5, 2155]],
    [
      'one mark before three digits, with commas between the cells',
      'N,T\n"1,500",a\n1.5,b\n',
      {},
      [1500, 1.5],
    ],
    [
      'one mark before three digits, with semicolons between the cells',
      'N;T\n1.500;a\n2.125;b\n',
      {},
      [1500, 2125],
    ],
    ['a stated mark', 'N;T\n1.500;a\n2.125;b\n', { decimal: '.' }, [1.5, 2.125]],
  ])('are read by the column: %s', async (_what, content, fields, values) => {
    expect((await imported(content, fields)).cells('N')).toEqual(values);
  });

  test('with one mark before three digits are noted, and whole numbers in questions of whole numbers', async () => {
    const { data, cells } = await imported('N;W\n1.500;2.500\n2.125;3.500\n');
    expect([cells('N'), cells('W')]).toEqual([
      [1500, 2125],
      [2500, 3500],
    ]);
    expect(data.notes).toEqual([
      'N: "1.500" is read as 1500; send the field decimal if another mark begins decimals',
      'W: "2.500" is read as 2500; send the field decimal if another mark begins decimals',
    ]);
  });

  test('in two notations are read where they have one meaning, and asked about elsewhere', async () => {
    expect((await imported('N;T\n12.5;a\n3,75;b\n')).cells('N')).toEqual([12.5, 3.75]);
    const refused = await importFile('N;T\n12.5;a\n3,75;b\n1,500;c\n').expect(400);
    expect(refused.body.details).toEqual([
      {
        field: 'rows[4].N',
        message: '"1,500" can be 1500 or 1.500; send the field decimal, the mark before decimals',
      },
    ]);
  });
});

test('leaves invalid cells empty on request, and reports each', async () => {
  const content = 'N,C,D,T\n1,9,2024-02-30,a\nmany,2,2026-01-02,b\n';
  const refused = await importFile(content).expect(400);
  expect(refused.body.details.map(({ field }: { field: string }) => field)).toEqual([
    'rows[2].C',
    'rows[2].D',
    'rows[3].N',
  ]);
  const { data, cells } = await imported(content, { invalid_cells: 'empty' });
  expect(data).toMatchObject({ created: 2, failed: 0, cells: { filled: 8, imported: 5, unreadable: 3 } });
  expect([cells('N'), cells('C'), cells('D'), cells('T')]).toEqual([
    [1, null],
    [null, '2'],
    [null, '2026-01-02'],
    ['a', 'b'],
  ]);
  expect(data.columns[2].examples).toEqual([
    { row: 2, value: '2024-02-30', message: expect.stringContaining('does not exist in the calendar') },
  ]);
  await expectInvalidField(importFile(content, { invalid_cells: 'drop' }), 'invalid_cells');
});

test('counts cells that are stored with a change, with examples', async () => {
  const { data, cells } = await imported('D,T\n2026-01-02T10:30,"a\r\nb"\n2026-01-03,c\n');
  expect([cells('D'), cells('T')]).toEqual([
    ['2026-01-02', '2026-01-03'],
    ['a\nb', 'c'],
  ]);
  expect(data.cells).toMatchObject({ filled: 4, imported: 2, changed: 2 });
  expect(data.columns.map(({ examples }: { examples: unknown[] }) => examples)).toEqual([
    [
      {
        row: 2,
        value: '2026-01-02T10:30',
        message: 'the question stores less of a date or time than the cell has',
      },
    ],
    [{ row: 2, value: 'a\r\nb', message: 'line ends and Unicode characters are normalized' }],
  ]);
});

test('accounts for the cells of rows that are not written', async () => {
  const { data } = await imported('N,T\n1,a\nNA,\nmany,c\n', { atomic: 'false' });
  expect(data).toMatchObject({ created: 2, failed: 1 });
  expect(data.cells).toEqual({
    filled: 5,
    imported: 2,
    missing: 1,
    changed: 0,
    unreadable: 0,
    left_out: 0,
    in_rows_not_written: 2,
  });
});
