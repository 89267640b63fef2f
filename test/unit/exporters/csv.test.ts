import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CsvCellEncoder, writeCsv, type CsvOptions } from '../../../src/exporters/csv.ts';

const plain: CsvOptions = { delimiter: ',', bom: false, escapeFormulas: true };

async function* once<T>(value: T): AsyncGenerator<T> {
  yield await Promise.resolve(value);
}

async function createCsv(headers: string[], lines: string[][], options = plain): Promise<string> {
  let text = '';
  for await (const part of writeCsv(headers, once(lines), options)) text += part;
  return text;
}

/** An independent reader of RFC 4180. */
function read(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]!;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === delimiter) {
      rows.at(-1)!.push(cell);
      cell = '';
    } else if (character === '\r' && text[i + 1] === '\n') {
      rows.at(-1)!.push(cell);
      cell = '';
      rows.push([]);
      i += 1;
    } else cell += character;
  }
  rows.pop();
  return rows;
}

describe('a CSV file', () => {
  test('round-trips any cell contents', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\t', '|', '\r', '\n', 'é', '=', "'"),
    });
    const options = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      bom: fc.constant(false),
      escapeFormulas: fc.constant(false),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 2 })),
        options,
        async (rows, chosen) => {
          const cells = new CsvCellEncoder(chosen);
          const text = await createCsv(
            ['x', 'y'],
            rows.map((row) => row.map((value) => cells.encodeText(value))),
            chosen,
          );
          expect(read(text, chosen.delimiter)).toEqual([['x', 'y'], ...rows]);
        },
      ),
    );
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['-cmd', "'-cmd"],
    ['\n=1+1', '"\'\n=1+1"'],
    ['\nx', '"\'\nx"'],
    [' =1+1', "' =1+1"],
    ['\u00a0\u3000=1+1', "'\u00a0\u3000=1+1"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['﹦1', "'﹦1"],
    ['\u200b=1+1', "'\u200b=1+1"],
    ['\ufeff\u2060@x', "'\ufeff\u2060@x"],
    ['\u00ad \u200d＝1', "'\u00ad \u200d＝1"],
    [' plain', ' plain'],
    ['\u200bplain', '\u200bplain'],
    ['-5', '-5'],
    ['-5.25', '-5.25'],
    ['a=b', 'a=b'],
  ])('prevents a spreadsheet from running %j', (given, expected) => {
    expect(new CsvCellEncoder(plain).encodeText(given)).toBe(expected);
  });

  test('leaves numbers unchanged and writes nothing for missing values', () => {
    const cells = new CsvCellEncoder(plain);
    expect([cells.encodeCell(-5), cells.encodeCell(0.1), cells.encodeCell(null)]).toEqual(['-5', '0.1', '']);
  });

  test('escapes formulas in its header, and begins with a byte order mark on request', async () => {
    expect(await createCsv(['=x'], [], { ...plain, bom: true })).toBe("\ufeff'=x\r\n");
  });
});
