import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SourceCell } from '../../src/domain/import/source-file.ts';
import { byteFileFromBuffer } from '../../src/importers/byte-file.ts';
import { openSav } from '../../src/importers/sav/sav-source.ts';
import { HAVEN, PSPP, runHaven, runPspp } from '../support/external-programs.ts';
import { useFolder } from '../support/test-folder.ts';
import { findHavenDifferences } from '../support/haven-differences.ts';

const folder = useFolder();

const FORMATS = [
  'F8.2',
  'F20.15',
  'COMMA9.2',
  'DOLLAR9.2',
  'DOT9.2',
  'PCT8.1',
  'E12.3',
  'N5',
  'Z8.2',
  'IB4',
  'P4',
  'PIB4.1',
  'PK4',
  'RB8',
  'PIBHEX4',
  'RBHEX16',
  'CCA9.2',
  'CCB9.2',
  'CCC9.2',
  'CCD9.2',
  'CCE9.2',
  'DATE11',
  'ADATE10',
  'EDATE10',
  'JDATE7',
  'SDATE10',
  'QYR8',
  'MOYR8',
  'WKYR10',
  'DATETIME20',
  'YMDHMS19',
  'TIME8',
  'DTIME12',
  'MTIME8',
  'WKDAY9',
  'MONTH9',
];
const MOMENTS = /^(DATE|ADATE|EDATE|JDATE|SDATE|QYR|MOYR|WKYR|DATETIME|YMDHMS)/;
const valuesOf = (format: string): string[] =>
  MOMENTS.test(format)
    ? ['13923446400', '12219379200', '.', '13160620800', '0']
    : /^(WKDAY|MONTH)/.test(format)
      ? ['1', '7', '.', '3', '2']
      : ['30600', '138600', '.', '-3600', '12.5'];

const missingWords = [
  '(-3600)',
  '(-3600, 12.5)',
  '(1, 2, 3)',
  '(LO THRU -1)',
  '(100000 THRU HI)',
  '(1 THRU 2)',
  '(LO THRU 0, 12.5)',
  '(5 THRU 6, -3600)',
];

const PSPP_FILES = `
DATA LIST FREE / ${FORMATS.map((_, i) => `v${i} (F8.2)`).join(' ')} s1 (A8) s2 (A12) s3 (A300) s4 (AHEX8).
BEGIN DATA
${[0, 1, 2, 3, 4]
  .map((row) =>
    [
      ...FORMATS.map((format) => valuesOf(format)[row]),
      ...[
        ['" 1"', '"1"', '"zz"', '""', '"a "'],
        ['"ABCDEFGH"', '"ABCDEFGHIJ"', '""', '"x"', '"Größe"'],
      ].map((texts) => texts[row]),
      `"${['ж'.repeat(140), 'short', '', '  lead', '漢☕'][row]}"`,
      ['61626300', '00000000', '20204142', '41202020', '41424344'][row],
    ].join(' '),
  )
  .join('\n')}
END DATA.
${FORMATS.map((format, i) => `FORMATS v${i} (${format}).`).join('\n')}
${missingWords.map((words, i) => `MISSING VALUES v${i} ${words}.`).join('\n')}
MISSING VALUES v21 (12219379200) /v29 (0 THRU 12219379200) /v31 (138600) /s1 ('zz', ' 1') /s2 ('ABCDEFGH').
VARIABLE LABELS v0 'Zahl größer ☕' /s3 'Text'.
VALUE LABELS v0 -3600 'minus' 12.5 'half' /v35 1 'Jan.' /s1 ' 1' 'right' '1' 'left' /s2 'ABCDEFGHIJ' 'long' /s3 'short' 'a label of a very long text'.
${['COMPRESSED', 'UNCOMPRESSED', 'ZCOMPRESSED'].map((how) => `SAVE OUTFILE='pspp-${how}.sav' /${how}.`).join('\n')}
`;

const HAVEN_FILES = `
d <- data.frame(x = c(1.2e-11, 0.1 + 0.2, NA, 1e300, -2^53))
d$day <- as.Date(c("2024-03-15", "1582-10-15", NA, "1600-02-29", "9999-12-31"))
d$moment <- as.POSIXct(c("2014-09-23 15:59:20", "1900-01-01 00:00:00", NA, "2024-02-29 23:59:59", "1583-01-01 00:00:00"), tz = "UTC")
d$clock <- hms::hms(c(43870.09, 30600, NA, 138600, -3600))
d$coded <- labelled_spss(c(1, 2, 99, NA, -9), c("one" = 1, "größer" = 2, "refused" = 99), na_values = c(99, -9), label = "A question")
d$ranged <- labelled_spss(c(1, 2, 99, NA, -9), na_range = c(-Inf, 0))
d$text <- c(" 1", "1", NA, strrep("漢", 300), "'=-\\u00e9")
d$codes <- labelled_spss(c("a", "b", "zz", "", " a"), c("First" = "a", "Spaced" = " a"), na_values = "zz")
d$long <- c(strrep("x", 255), strrep("y", 256), "", strrep("z", 5000), NA)
for (k in c("byte", "none", "zsav")) write_sav(d, paste0("haven-", k, ".sav"), compress = k)`;

test.skipIf(HAVEN.isSkipped)(`reads the files of R haven as haven does${HAVEN.skipNote}`, async () => {
  runHaven(folder, HAVEN_FILES);
  if (!PSPP.isSkipped) runPspp(folder, PSPP_FILES);
  expect(await findHavenDifferences(folder)).toEqual({ differences: [], unreadable: new Map() });
});

test.skipIf(PSPP.isSkipped)(
  `reads an old file of PSPP, without long names, like a new one${PSPP.skipNote}`,
  async () => {
    const old = "SAVE OUTFILE='old.sys' /VERSION=2.\nSAVE OUTFILE='new.sys'.";
    runPspp(folder, `${PSPP_FILES}\n${old}`);
    const [before, after] = await Promise.all(
      ['old.sys', 'new.sys'].map(async (name) => {
        const source = await openSav(byteFileFromBuffer(readFileSync(path.join(folder, name))));
        const cells: (readonly SourceCell[])[] = [];
        for await (const part of source.rows()) cells.push(...part.map((row) => row.cells));
        return {
          columns: source.columns.map(({ header, ...column }) => ({
            ...column,
            header: header.toLowerCase(),
          })),
          cells,
        };
      }),
    );
    expect(before).toEqual(after);
  },
);

test.skipIf(HAVEN.isSkipped)(
  `reads long texts whose parts have the short names of other variables, which haven writes${HAVEN.skipNote}`,
  async () => {
    // haven reads an additional variable Q231 from this file.
    runHaven(
      folder,
      'write_sav(data.frame(Q2 = strrep("a", 800), Q23 = strrep("b", 300), LONGA = strrep("c", 257), LONGA1 = "d"), "parts.sys")',
    );
    const source = await openSav(byteFileFromBuffer(readFileSync(path.join(folder, 'parts.sys'))));
    expect(source.columns.map(({ header }) => header)).toEqual(['Q2', 'Q23', 'LONGA', 'LONGA1']);
    for await (const [row] of source.rows())
      expect(row!.cells).toEqual(['a'.repeat(800), 'b'.repeat(300), 'c'.repeat(257), 'd']);
  },
);
