import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { choice, text } from '../../support/questions.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const author = useOrganization(test).admin;

const FORMULAS = [
  '=1+1',
  '\n=1+1',
  ' =1+1',
  '\u00a0\u3000@SUM(A1)',
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(A1)',
  '﹦1+1',
  '\u200b=1+1',
  '\ufeff\u2060-cmd',
  '\u00ad\u200d＝1',
];
let surveyId: number;

beforeAll(async () => {
  const options = FORMULAS.slice(4).map((option_label, index) => ({ option_label, option_value: index + 1 }));
  const pages = [
    [text('why', { question_text: '\u200b=HYPERLINK("http://evil.example")' }), choice('Q1', { options })],
  ];
  ({ surveyId } = await publishedSurvey(author, pages));
  for (const why of FORMULAS) await insertResponse(test, surveyId, { answers: { why } });
  await insertResponse(test, surveyId, { answers: { why: 'plain', Q1: '1' } });
});

describe('texts that a spreadsheet could run as a formula', () => {
  it('begin with an apostrophe in CSV', async () => {
    const { file } = await exportResponses(author, surveyId, { columns: ['why'] });
    const cells = FORMULAS.map((formula) => (/[\r\n]/.test(formula) ? `"'${formula}"` : `'${formula}`));
    expect(file.toString('utf8')).toBe(['why', ...cells, 'plain', ''].join('\r\n'));
  });

  it('begin with an apostrophe in headers and labels of CSV', async () => {
    const body = { columns: ['why', 'Q1'], headers: 'label', values: 'label' };
    const lines = (await exportResponses(author, surveyId, body)).file.toString('utf8').split('\r\n');
    expect(lines[0]).toMatch(/^"'\u200b=HYPERLINK/);
    expect(lines.at(-2)).toBe("plain,'＝1+1");
  });

  it('are stored as texts in a workbook', async () => {
    const { file } = await exportResponses(author, surveyId, { format: 'xlsx', columns: ['why'] });
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(Uint8Array.from(file).buffer);
    for (const sheet of book.worksheets)
      sheet.eachRow((row) => {
        row.eachCell((cell) => {
          expect(cell.type).not.toBe(ExcelJS.ValueType.Formula);
        });
      });
    const data = book.getWorksheet('Data')!;
    expect(FORMULAS.map((_, index) => data.getCell(index + 2, 1).value)).toEqual(FORMULAS);
  });
});
