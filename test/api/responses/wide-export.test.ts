import ExcelJS from 'exceljs';
import { beforeAll, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { readSav } from '../../support/sav-reader.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;

/** More cells than are read at a time, so that a file is written in several parts. */
const RESPONSES = 300;
const QUESTIONS = 60;
const codes = (letter: string) => Array.from({ length: QUESTIONS }, (_, index) => `${letter}${index + 1}`);

/** The value of a response in a question, the same in every run. */
const pick = (response: number, index: number, count: number) => ((response * 31 + index * 17) % count) + 1;

let surveyId: number;
/** The cells of each response as CSV shows them, without metadata. */
const expected: string[][] = [];

beforeAll(async () => {
  const pages = [
    codes('C').map((code) => choice(code)),
    codes('M').map((code) => multiple(code)),
    codes('N').map((code) => number(code)),
    codes('T').map((code) => text(code)),
  ];
  ({ surveyId } = await publishedSurvey(author, pages));
  for (let response = 0; response < RESPONSES; response += 1) {
    const chosen = codes('C').map((_, index) => String(pick(response, index, 2)));
    const isTicked = codes('M').map((_, index) => [1, 2].map((bit) => pick(response, index * bit, 3) > 1));
    const numbers = codes('N').map((_, index) => pick(response, index, 1_000));
    const texts = codes('T').map((_, index) => `text, "${pick(response, index, 50)}"`);
    const answers = [
      ...codes('C').map((code, index) => [code, chosen[index]]),
      ...codes('M').map((code, index) => [
        code,
        isTicked[index]!.flatMap((is, at) => (is ? [String(at + 1)] : [])),
      ]),
      ...codes('N').map((code, index) => [code, numbers[index]]),
      ...codes('T').map((code, index) => [code, texts[index]]),
    ];
    await insertResponse(app, surveyId, { answers: Object.fromEntries(answers) });
    expected.push([
      ...chosen,
      ...isTicked.flat().map((is) => String(Number(is))),
      ...numbers.map(String),
      ...texts,
    ]);
  }
});

const columns = [
  ...codes('C'),
  ...codes('M').flatMap((code) => [`${code}_1`, `${code}_2`]),
  ...codes('N'),
  ...codes('T'),
];

test('writes every cell of a wide survey as CSV', async () => {
  const { file } = await exportResponses(author, surveyId, { columns });
  const quoted = (cell: string) => (cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = [columns, ...expected].map((cells) => cells.map(quoted).join(','));
  expect(file.toString('utf8')).toBe(`${lines.join('\r\n')}\r\n`);
});

test('writes every cell of a wide survey as a system file', async () => {
  const { file } = await exportResponses(author, surveyId, { columns, format: 'spss' });
  expect(readSav(file).rows.map((cells) => cells.map(String))).toEqual(expected);
});

test('writes every cell of a wide survey as a workbook', async () => {
  const { file } = await exportResponses(author, surveyId, { columns, format: 'xlsx' });
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(Uint8Array.from(file).buffer);
  const sheet = book.getWorksheet('Data')!;
  const rows = expected.map((_, row) => columns.map((_, index) => sheet.getCell(row + 2, index + 1).text));
  expect(rows).toEqual(expected);
});
