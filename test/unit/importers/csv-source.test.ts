import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CsvParser, parseCsv } from '../../../src/importers/csv/csv-parser.ts';
import { rowsOfSource, tableOf, useDataFiles } from '../../support/data-files.ts';

const open = useDataFiles();
const cellsOf = (text: string, delimiter = ',') => parseCsv(text, delimiter).map(({ cells }) => cells);

describe('splitting text into records', () => {
  test.each([
    [
      'a quote inside an unquoted cell',
      '1,15" laptop\n2,5\'3"',
      [
        ['1', '15" laptop'],
        ['2', '5\'3"'],
      ],
    ],
    ['doubled quotes', '"say ""so""",""""', [['say "so"', '"']]],
    ['spaces around quotes', '"a" , "b,c" ,d ', [['a', 'b,c', 'd ']]],
    ['text behind a closing quote', '"Smith, J" (jr),5', [['"Smith, J" (jr)', '5']]],
    [
      'line ends of all kinds',
      'a,b\r\n1,2\r3,4\n5,6',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
    ],
    ['line ends inside quotes', '"a\r\nb","c\rd"\n', [['a\r\nb', 'c\rd']]],
    ['blank lines, but not an empty quoted cell', 'a\n\n  \n""\nb', [['a'], [''], ['b']]],
    [
      'an empty last cell',
      'a,\n,',
      [
        ['a', ''],
        ['', ''],
      ],
    ],
  ])('keeps %s', (_what, text, expected) => {
    expect(cellsOf(text)).toEqual(expected);
  });

  test('counts blank lines as rows, and not lines inside a cell', () => {
    expect(parseCsv('a\n\n"x\ny"\nz', ',').map(({ row }) => row)).toEqual([1, 3, 4]);
  });

  test('returns the same records however the text arrives', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '😀'), maxLength: 6 });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const record = fc.array(fc.oneof(cell.map(quoted), fc.constantFrom('', 'x', '1" y')), {
      minLength: 2,
      maxLength: 4,
    });
    const file = fc
      .array(record, { maxLength: 6 })
      .map((rows) => rows.map((row) => row.join(',')).join('\r\n'));
    fc.assert(
      fc.property(file, fc.integer({ min: 1, max: 5 }), (text, size) => {
        const parser = new CsvParser(',');
        const records = [];
        for (let at = 0; at < text.length; at += size)
          records.push(...parser.push(text.slice(at, at + size)));
        records.push(...parser.end());
        expect(records).toEqual(parseCsv(text, ','));
      }),
      { seed: 20261128, numRuns: 500 },
    );
  });
});

test('returns the same records as csv-parse for files that it accepts', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ';', '\n', ' ', 'é'), maxLength: 5 });
  const written = fc.oneof(
    cell.map((text) => `"${text.replaceAll('"', '""')}"`),
    fc.constantFrom('', 'x', '1,5', ' padded '),
  );
  const file = fc
    .array(fc.array(written, { minLength: 2, maxLength: 4 }), { maxLength: 6 })
    .map((rows) => rows.map((row) => row.join(';')).join('\n'));
  fc.assert(
    fc.property(file, (text) => {
      const expected: string[][] = parse(text, { delimiter: ';', relax_column_count: true });
      expect(cellsOf(text, ';')).toEqual(expected);
    }),
    { seed: 20261128, numRuns: 500 },
  );
});

describe('quotes', () => {
  test.each([
    ['a,b\n1,2\n3,"open\n4,5\n', 'line 3: the quote (") that opens cell 2 is not closed'],
    ['a,b\n1,"open\n2,"closed"\n', 'line 2: the quote (") that opens cell 2 is not closed'],
  ])('reports the line of one that is not closed: %j', async (text, message) => {
    await expect(open(text)).rejects.toThrow(message);
  });

  test('notes cells with text behind their closing quote, and keeps their quotes', async () => {
    const source = await open('id,x\n1,"no" she said\n2,"yes" he said\n');
    expect(await tableOf(source)).toEqual([
      ['id', 'x'],
      ['1', '"no" she said'],
      ['2', '"yes" he said'],
    ]);
    expect(source.notes).toEqual([
      '2 cells have text behind the closing quote (line 2 is the first): the quotes are read as part of the text',
    ]);
  });

  test.each([
    [
      'that do not match',
      'id\tx\n1\t"open\n2\ty\n',
      [
        ['1', '"open'],
        ['2', 'y'],
      ],
    ],
    [
      'around a part of a cell',
      'id\tx\n1\t"no" she said\n2\t"\n',
      [
        ['1', '"no" she said'],
        ['2', '"'],
      ],
    ],
    [
      'that open in two rows',
      'id\tx\n1\t"a\n2\t"b\n3\tc\n',
      [
        ['1', '"a'],
        ['2', '"b'],
        ['3', 'c'],
      ],
    ],
  ])('are characters in a tab-separated file with quotes %s', async (_what, text, rows) => {
    expect((await tableOf(await open(text))).slice(1)).toEqual(rows);
  });

  test('enclose cells in a tab-separated file in which they all match', async () => {
    const source = await open('"id"\t"x"\n1\t"a\tb"\n2\t"say ""so""\nand so on"\n');
    expect((await tableOf(source)).slice(1)).toEqual([
      ['1', 'a\tb'],
      ['2', 'say "so"\nand so on'],
    ]);
  });
});

describe('encodings', () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
  test.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffid,x\n1,Größe\n')],
    ['UTF-16 with a byte order mark', utf16('\ufeffid,x\n1,Größe\n')],
    ['UTF-16 without a byte order mark', utf16('id,x\n1,Größe\n')],
    ['big-endian UTF-16 without a byte order mark', swapped(utf16('id,x\n1,Größe\n'))],
  ])('detects %s', async (_what, bytes) => {
    expect(await tableOf(await open(bytes))).toEqual([
      ['id', 'x'],
      ['1', 'Größe'],
    ]);
  });

  test('shows a line of a file in another encoding', async () => {
    const opening = open(Buffer.from('id,x\n1,Größe\n', 'latin1'));
    await expect(opening).rejects.toThrow('not valid UTF-8 (a line reads "1,Größe" as windows-1252)');
  });

  test('keeps single control characters, and rejects NUL with its row', async () => {
    expect(await tableOf(await open('id,t\n1,"a\u0001b"\n'))).toEqual([
      ['id', 't'],
      ['1', 'a\u0001b'],
    ]);
    await expect(open(`id,t\n1,${'ok '.repeat(30)}\n2,a\0b\n`)).rejects.toThrow(
      'row 3 contains the character NUL (U+0000)',
    );
  });
});

describe('the header', () => {
  test('has at most 500 characters a column', async () => {
    const longest = 'a'.repeat(500);
    const accepted = await open(Buffer.from(`id,${longest}\n1,2\n`));
    expect(accepted.columns.at(-1)?.header).toBe(longest);
    await expect(open(Buffer.from(`id,${longest}b\n1,2\n`))).rejects.toThrow(
      /^file: the header of column 2 \("a+…?.*"\) has 501 characters; at most 500 are allowed$/,
    );
  });

  test.each([
    ['below a title and a blank row', 'Report of survey,,\n,,\nid,age,city\n1,33,Rome\n2,44,Oslo\n', 3],
    ['below a title without delimiters', 'Report of survey\n\nid,age,city\n1,33,Rome\n', 3],
    ['below several titles', 'Report\nExported on,2026-11-28\n\nid,age,city\n1,33,Rome\n', 4],
    ['below a date and a blank row', 'Exported on,2026-11-28\n\nid,age,city\n1,33,Rome\n', 3],
    ['below a title, above numbers', 'Report;;\nid;age;city\n1;33;Rome\n', 2],
    ['below a line with the delimiter', 'sep=;\nid;age;city\n1;33;Rome\n', 2],
    ['in the first row', 'id,age,city\n1,33,Rome\n', 1],
    ['below blank rows', ',,\n,,\nid,age,city\n1,33,Rome\n', 3],
  ])('is found %s', async (_what, text, headerRows) => {
    const source = await open(text);
    expect(source.columns.map(({ header }) => header)).toEqual(['id', 'age', 'city']);
    expect(source.layout!.headerRows).toBe(headerRows);
    expect((await tableOf(source))[1]).toEqual(['1', '33', 'Rome']);
  });

  test('notes the titles above it', async () => {
    const source = await open('Report\nExported on,2026-11-28\n\nid,age,city\n1,33,Rome\n');
    expect(source.notes).toEqual([
      'Row 4 is read as the header. The rows above it are not imported: Report · Exported on · 2026-11-28',
    ]);
  });

  test('of two rows is read as groups and names', async () => {
    const source = await open('id,Rate these,,,Comment\n,Speed,Taste,Price,\n1,5,4,3,ok\n2,3,3,3,bad\n');
    expect(source.columns.map(({ header, label }) => [header, label])).toEqual([
      ['id', null],
      ['Speed', 'Rate these – Speed'],
      ['Taste', 'Rate these – Taste'],
      ['Price', 'Rate these – Price'],
      ['Comment', null],
    ]);
    expect(source.notes).toEqual(['The header has two rows: groups of columns, and their names']);
    expect(await rowsOfSource(source)).toHaveLength(2);
  });

  test('of two rows names columns that occur in several groups with their group', async () => {
    const source = await open('id,Before,,After,\n,Speed,Taste,Speed,Taste\n1,5,4,3,2\n2,3,3,3,1\n');
    const headers = source.columns.map(({ header }) => header);
    expect(headers).toEqual(['id', 'Before – Speed', 'Before – Taste', 'After – Speed', 'After – Taste']);
  });

  test('that cannot be told from a title is refused', async () => {
    await expect(open('Report,,\nname,city,remark\nAnn,Rome,good\nBob,Oslo,bad\n')).rejects.toThrow(
      'row 1 names only one of 3 columns. If it is a title, remove the rows above',
    );
    const plain = await open('Report,,\nname,city,remark\nAnn,Rome,good\n', { layout: 'plain' });
    expect(plain.columns.map(({ header }) => header)).toEqual(['Report']);
    expect(await rowsOfSource(plain)).toHaveLength(2);
  });

  test.each([
    ['columns without a name', 'Name,Group,,\nn0,b,left 0,\nn1,a,left 1,\n', 1],
    ['row names', '"","age"\n"1",33\n"2",44\n', 1],
    ['two columns, one without a name', 'id,\n1,33\n2,44\n', 1],
    ['one column', 'Remark\nAll is well\nSo so\n', 1],
    ['texts alone', 'name,title,city\nAnn,Ms,Rome\nBob,Mr,Oslo\n', 1],
  ])('stays in the first row of a table with %s', async (_what, text, headerRows) => {
    expect((await open(text)).layout!.headerRows).toBe(headerRows);
  });
});

describe('the footer', () => {
  test('below a blank row is left out with a note', async () => {
    const source = await open(
      'id,age,city\n1,33,Rome\n2,44,Oslo\n\nSource: our survey,,\nAll rights reserved,,\n',
    );
    expect(await rowsOfSource(source)).toHaveLength(2);
    expect(source.notes).toEqual([
      'Row 5 and below are a footer, not responses: Source: our survey · All rights reserved',
    ]);
  });

  test('with a total stays, with a note', async () => {
    const source = await open('city,age\nRome,33\nOslo,44\nTotal,77\n');
    expect(await rowsOfSource(source)).toHaveLength(3);
    expect(source.notes).toEqual([
      'Row 4 begins with "Total" and is imported as a response: remove it if it is no response',
    ]);
  });

  test('is no row below a blank one that has other values, or an identifier alone', async () => {
    const source = await open('id,age\na1,33\n\na2,\n\nb c,5\n,\n');
    expect(await rowsOfSource(source)).toHaveLength(4);
    expect(source.notes).toEqual([]);
  });
});
