import ExcelJS from 'exceljs';
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useOrganization } from '../../support/actors.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { FULL_SURVEY_NAME, createFullSurvey, LONG_TEXT } from '../../support/all-features-survey.ts';
import { insertResponse } from '../../support/stored-responses.ts';

const app = useApp();
const author = useOrganization(app).admin;
let surveyId: number;

beforeAll(async () => {
  ({ surveyId } = await createFullSurvey(author));
});

async function exportWorkbook(body: object = {}) {
  const reply = await exportResponses(author, surveyId, { format: 'xlsx', ...body });
  expect(reply.status).toBe(200);
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(Uint8Array.from(reply.file).buffer);
  const data = workbook.getWorksheet('Data')!;
  const headers = data.getRow(1).values as (string | undefined)[];
  const cell = (header: string, row: number) => data.getCell(row, headers.indexOf(header)).value;
  return { ...reply, book: workbook, data, headers: headers.slice(1), cell };
}

test('the workbook has a title, four sheets, frozen headers and filters', async () => {
  const { headers, book: workbook, data } = await exportWorkbook();
  expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Data', 'Variables', 'Values', 'Notes']);
  expect(workbook.title).toBe(FULL_SURVEY_NAME);
  expect(data.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
  expect(data.autoFilter).toMatch(/^A1:[A-Z]+4$/);
  expect([data.rowCount, headers[0]]).toEqual([4, 'response_id']);
});

test('the reply has the content type and file name of a workbook', async () => {
  const { headers } = await exportResponses(author, surveyId, { format: 'xlsx' });
  expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  expect(headers['content-disposition']).toContain(
    `filename*=UTF-8''${encodeURIComponent(`${FULL_SURVEY_NAME}.xlsx`)}`,
  );
});

test('cells keep the type number, date or text, and missing values are empty', async () => {
  const { cell, data, headers } = await exportWorkbook({ timezone: 'America/New_York' });
  expect(['drink', 'region', 'cups', 'year', 'agree_taste'].map((code) => cell(code, 2))).toEqual([
    4,
    'n',
    2.25,
    1999,
    2,
  ]);
  expect(cell('day', 2)).toEqual(new Date('2026-02-28'));
  expect(cell('moment', 2)).toEqual(new Date('2026-02-28T23:59Z'));
  expect(cell('month', 2)).toEqual(new Date('2025-12-01'));
  expect(cell('clock', 2)).toEqual(new Date('1899-12-30T07:05Z'));
  // Local times in New York, in winter and in summer.
  expect(cell('started_at', 2)).toEqual(new Date('2026-01-15T17:58Z'));
  expect(cell('started_at', 3)).toEqual(new Date('2026-07-15T18:58Z'));
  expect(data.getCell(2, headers.indexOf('started_at') + 1).numFmt).toBe('yyyy-mm-dd hh:mm:ss');
  expect([cell('drink_other', 2), cell('why', 2)]).toEqual(['Мате 🧉', LONG_TEXT]);
  expect([cell('cups', 3), cell('why', 4), cell('places_1', 4)]).toEqual([null, null, null]);
});

test('formulas in answers and dates before 1900 are texts', async () => {
  const { cell } = await exportWorkbook();
  expect([cell('why', 3), cell('day', 3)]).toEqual(['=1+1', '1890-05-06']);
});

test('labels, sets and the weight are in the requested columns', async () => {
  const { headers, cell } = await exportWorkbook({
    columns: ['drink', 'w', 'places'],
    values: 'both',
    headers: 'both',
    weight: 'w',
  });
  expect(headers).toEqual([
    'drink: Что вы пьёте утром? 何を飲む？ ☕',
    'drink_label',
    'places: And where?',
    'places_label',
    'w: A weight',
  ]);
  expect([cell('drink_label', 3), cell('places: And where?', 2), cell('places_label', 2)]).toEqual([
    'Фильтр-кофе',
    '1;3',
    'At home;Elsewhere',
  ]);
});

test('the sheets Variables and Values describe Data', async () => {
  const { book: workbook } = await exportWorkbook({ columns: ['drink', 'started_at'] });
  const rows = (name: string) =>
    (workbook.getWorksheet(name)!.getSheetValues() as unknown[][]).slice(1).map((row) => row.slice(1));
  expect(rows('Variables').slice(1)).toEqual([
    [
      'A',
      'drink',
      'drink',
      'Что вы пьёте утром? 何を飲む？ ☕',
      'code',
      'categorical',
      'nominal',
      'question',
    ],
    ['B', 'started_at', 'started_at', 'Started at', 'code', 'date', 'scale', 'metadata'],
  ]);
  expect(rows('Values')).toContainEqual(['drink', 2, 2, 'Фильтр-кофе']);
  expect(rows('Values')).toContainEqual(['drink', 99, 99, 'No answer 99', 'missing']);
});

test('a text too long for a cell is cut between characters, with a note in Variables', async () => {
  const responseId = await insertResponse(app, surveyId, { answers: { why: `x${'☕🍵'.repeat(20_000)}` } });
  const { cell, book: workbook } = await exportWorkbook({ columns: ['response_id', 'why'] });
  expect(cell('response_id', 5)).toBe(responseId);
  const written = cell('why', 5) as string;
  expect(written).toHaveLength(32_767);
  expect(Buffer.from(written).toString()).toBe(written);
  expect(workbook.getWorksheet('Variables')!.getCell('I3').value).toMatch(
    /^1 text truncated to 32,767 characters/,
  );
});
