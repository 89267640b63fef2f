import { describe, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { withFile } from '../../support/file-transfer.ts';
import { expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;

const send = (content: string, fields: Record<string, string> = {}) =>
  withFile(author.post('/api/surveys/import-data'), content, fields, 'data.csv');

interface Variable {
  header: string;
  question_type: string;
  column_code: string;
  missing: number;
  changed: number;
  unreadable: number;
  notes: string[];
  examples: { row: number; value: unknown; message: string }[];
}

/** Imports the file and returns the reply, its columns by name, and the cells of each column. */
async function imported(content: string, fields: Record<string, string> = {}) {
  const reply = await send(content, fields);
  expect(reply.status, reply.text).toBe(201);
  const { data } = reply.body as {
    data: Record<string, unknown> & { variables: Variable[]; survey_id: number };
  };
  const grid = await author.get(`/api/responses/${data.survey_id}/grid`).expect(200);
  const rows = (grid.body.data.rows as { values: Record<string, unknown> }[]).map(({ values }) => values);
  const variable = (header: string) => data.variables.find((one) => one.header === header)!;
  const cells = (header: string) => rows.map((row) => row[variable(header).column_code]);
  return { data, variable, cells };
}

/** A column `x` beside an id; the delimiter is a semicolon, or a comma for quoted cells. */
const column = (cells: string[], delimiter = ';') =>
  ['id,x', ...cells.map((cell, i) => `${i + 1},"${cell}"`)].join('\n').replaceAll(/,(?=x|")/g, delimiter);

describe('missing marks', () => {
  test.each([
    'NA',
    'N/A',
    'n/a',
    '.',
    'NaN',
    'NULL',
    'null',
    '#N/A',
    '#NULL!',
    '#VALUE!',
    '-',
    '--',
    '?',
    '..',
    '.a',
    ' ',
  ])('reads %j among numbers as missing', async (mark) => {
    const { data, variable, cells } = await imported(column(['1.5', mark, '3.25', mark]));
    expect(variable('x')).toMatchObject({ question_type: 'number', missing: 2, unreadable: 0 });
    expect(cells('x')).toEqual([1.5, null, 3.25, null]);
    expect(data.cells).toMatchObject({ filled: 8, imported: 6, missing: 2 });
    expect(variable('x').notes.join()).toContain(
      `has missing values, which are not answered: "${mark.trim()}" (2)`,
    );
  });

  test('reads a coded column with NA as categories of numbers, and NA in a column of texts as a text', async () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) => `${i + 1},${i % 4 === 0 ? 'NA' : (i % 5) + 1},${['DE', 'NA', 'FR'][i % 3]}`,
    );
    const { data, variable, cells } = await imported(['id,sat,country', ...rows].join('\n'));
    expect(variable('sat')).toMatchObject({ question_type: 'single_choice', missing: 10 });
    expect(variable('country')).toMatchObject({ question_type: 'single_choice', missing: 0 });
    expect(cells('country').filter((cell) => cell === 'NA')).toHaveLength(13);
    const survey = await author.get(`/api/surveys/${data.survey_id}`).expect(200);
    const questions = survey.body.data.questions as {
      question_code: string;
      options: { option_value: string }[];
    }[];
    const options = questions.find(({ question_code }) => question_code === 'sat')!.options;
    expect(options.map(({ option_value }) => option_value)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('reads declared texts as missing in every column, as a list or JSON', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, i) => `${i + 1},${['DE', 'NA', 'FR'][i % 3]},${i === 5 ? -99 : i}`,
    );
    for (const missing_values of ['NA,-99', '["NA","-99"]', '["NA",-99]']) {
      const { variable, cells } = await imported(['id,country,n', ...rows].join('\n'), { missing_values });
      expect([variable('country').missing, variable('n').missing]).toEqual([4, 1]);
      expect([cells('country')[1], cells('n')[5]]).toEqual([null, null]);
    }
    for (const missing_values of ['[1', 'a,,b', '[""]', `["${'x'.repeat(101)}"]`])
      await expectInvalidField(send('a,b\n1,2\n', { missing_values }), 'missing_values');
  });
});

describe('numbers', () => {
  test.each<
    [what: string, cells: string[], delimiter: string, fields: Record<string, string>, values: unknown[]]
  >([
    ['a decimal comma before three digits', ['0,435', '1,286', '0,118'], ';', {}, [0.435, 1.286, 0.118]],
    ['groups beside decimals', ['1.234,50', '2.155', '3,1'], ';', {}, [1234.5, 2155, 3.1]],
    ['English groups', ['1,234.50', '2,155', '3.1'], ',', {}, [1234.5, 2155, 3.1]],
    ['a decimal comma between quotes', ['1,5', '2,25', '3'], ',', {}, [1.5, 2.25, 3]],
    ['groups alone, in a file with commas', ['1,500', '2,300', '900'], ',', {}, [1500, 2300, 900]],
    ['points alone, in a file with commas', ['1.500', '2.125', '3'], ',', {}, [1.5, 2.125, 3]],
    ['points alone, in a file with semicolons', ['1.500', '2.125', '3'], ';', {}, [1500, 2125, 3]],
    ['a stated point', ['1.500', '2.125', '3'], ';', { decimal: '.' }, [1.5, 2.125, 3]],
    ['a stated comma', ['1,500', '2,125', '3'], ',', { decimal: ',' }, [1.5, 2.125, 3]],
    ['spaces and apostrophes', ['1 234,5', "2'000", '3'], ';', {}, [1234.5, 2000, 3]],
    ['other digits and signs', ['٢٥', '−3', '+4'], ';', {}, [25, -3, 4]],
    [
      'small and large ones',
      ['1.2e-11', '0.000000000001', '9007199254740991'],
      ';',
      {},
      [1.2e-11, 1e-12, 9007199254740991],
    ],
  ])('reads %s', async (_what, texts, delimiter, fields, values) => {
    const { data, variable, cells } = await imported(column(texts, delimiter), fields);
    expect(variable('x').question_type).toBe('number');
    expect(cells('x')).toEqual(values);
    expect(data.cells).toMatchObject({ filled: 6, imported: 6 });
  });

  test('reads a column with one mark before three digits as the other columns, with a note', async () => {
    const { variable, cells } = await imported('land;cases;rate\nBW;2.155;19,47\nHE;1.004;11,05\n');
    expect([cells('cases'), cells('rate')]).toEqual([
      [2155, 1004],
      [19.47, 11.05],
    ]);
    expect(variable('cases').notes).toEqual([
      '"2.155" is read as 2155; send the field decimal if another mark begins decimals',
    ]);
  });

  test.each<[what: string, cells: string[]]>([
    ['more than 2^53', ['12345678901234567', '9007199254740993', '1']],
    ['leading zeros', ['007', '12', '13']],
    ['telephone numbers', ['+34600111222', '+34600111223', '+34600111224']],
    ['telephone numbers in groups', ['600 111 222', '600 111 223', '912 111 224']],
    ['two notations', ['12.5', '3,75', '4']],
    ['a text among numbers', ['1', '2', 'many']],
  ])('keeps identifiers and others as texts: %s', async (_what, texts) => {
    const { data, cells } = await imported(column(texts));
    expect(cells('x')).toEqual(texts);
    expect(data.cells).toMatchObject({ filled: 6, imported: 6 });
  });

  test('says which texts keep a column from being numbers', async () => {
    const texts = Array.from({ length: 30 }, (_, i) => (i === 7 ? 'many' : `${i}.5`));
    const { variable } = await imported(column(texts));
    expect(variable('x').notes.join()).toContain(
      'has numbers, but other texts in 1 of 30 cells, such as "many"',
    );
  });

  test('counts numbers that are rounded as changed, with examples', async () => {
    const { data, variable, cells } = await imported(
      column(['0.1234567890123456789', '0.30000000000000004', '0.25']),
    );
    expect(cells('x')).toEqual([0.12345678901234568, 0.30000000000000004, 0.25]);
    expect(data.cells).toMatchObject({ imported: 5, changed: 1 });
    expect(variable('x')).toMatchObject({ changed: 1 });
    expect(variable('x').examples).toEqual([
      {
        row: 2,
        value: '0.1234567890123456789',
        message: 'has more digits than the number 0.12345678901234568 that is stored',
      },
    ]);
  });
});

describe('dates', () => {
  test('leaves dates that do not exist empty, and keeps their rows', async () => {
    const { data, variable, cells } = await imported(
      'id,d,x\n1,2024-02-03,5\n2,0000-00-00,6\n3,2024-02-30,7\n',
    );
    expect(cells('d')).toEqual(['2024-02-03', null, null]);
    expect(cells('x')).toEqual([5, 6, 7]);
    expect(data).toMatchObject({ created: 3, failed: 0, cells: { imported: 7, missing: 1, unreadable: 1 } });
    expect(variable('d').examples).toEqual([
      { row: 4, value: '2024-02-30', message: '"2024-02-30" does not exist in the calendar' },
    ]);
  });

  test.each([
    [
      'seconds of points in time',
      ['2026-01-01 10:20:30', '2026-01-02 11:00'],
      ['2026-01-01T10:20:30', '2026-01-02T11:00'],
      'date',
    ],
    ['seconds of times of a day', ['10:20:30', '11:00:00'], ['10:20:30', '11:00'], 'date'],
    ['microseconds', ['10:20:30.123456', '11:00:00'], ['10:20:30.123456', '11:00:00'], 'text'],
    ['lengths of time', ['38:30', '07:45'], ['38:30', '07:45'], 'text'],
  ])('keeps %s', async (_what, texts, values, type) => {
    const { data, variable, cells } = await imported(column(texts));
    expect(cells('x')).toEqual(values);
    expect(variable('x').question_type).toBe(type);
    expect(data.cells).toMatchObject({ filled: 4, imported: 4 });
  });
});

describe('texts and categories', () => {
  test('stores long texts and whole emoji', async () => {
    const long = `${'word '.repeat(5_000)}👩‍👩‍👧`;
    const { data, cells } = await imported(`id,t\n1,"${long}"\n2,short\n`);
    expect(cells('t')).toEqual([long, 'short']);
    expect(data.cells).toMatchObject({ filled: 4, imported: 4 });
  });

  test('leaves a text of more than a million characters empty, with its row and length', async () => {
    const { variable, cells } = await imported(`id,t\n1,"${'é'.repeat(1_000_001)}"\n2,short\n`);
    expect(cells('t')).toEqual([null, 'short']);
    expect(variable('t')).toMatchObject({
      unreadable: 1,
      examples: [{ row: 2, message: 'has 1000001 characters, at most 1000000 are stored; shorten the text' }],
    });
  });

  test('counts line ends that are normalized as changed', async () => {
    const { data, cells } = await imported('id,t\n1,"a\r\nb"\n2,c\n');
    expect(cells('t')).toEqual(['a\nb', 'c']);
    expect(data.cells).toMatchObject({ imported: 3, changed: 1 });
  });

  test.each([
    ['numbers', Array.from({ length: 33 }, (_, i) => ` ${(i % 11) + 1}`), (i: number) => String(i + 1)],
    [
      'labels with numbers',
      Array.from({ length: 33 }, (_, i) => `${(i % 11) + 1} - x`),
      (i: number) => `${i + 1} - x`,
    ],
  ])('orders categories as numbers: %s', async (_what, texts, value) => {
    const { data } = await imported(column(texts));
    const survey = await author.get(`/api/surveys/${data.survey_id}`).expect(200);
    const { options } = survey.body.data.questions[1] as { options: { option_value: string }[] };
    expect(options.map(({ option_value }) => option_value)).toEqual(
      Array.from({ length: 11 }, (_, i) => value(i)),
    );
  });
});
