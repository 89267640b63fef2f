import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SourceCell, SourceVariable } from '../../../src/domain/import/source-file.ts';
import { byteFileFromBuffer } from '../../../src/importers/byte-file.ts';
import { openSav } from '../../../src/importers/sav/sav-source.ts';
import { HAVEN, PSPP, runHaven, runPspp, useFolder } from '../../support/external-programs.ts';

const folder = useFolder();

/** Prints each variable, value label, missing value and cell on a line of its own; texts in hexadecimal, dates in seconds as the file has them. */
const PRINT = `
hex <- function(text) paste(charToRaw(enc2utf8(text)), collapse = "")
show <- function(x) ifelse(is.na(x), "NA", if (is.character(x)) vapply(x, hex, "") else sprintf("%.17g", x))
for (f in list.files(".", "[.]sav$")) {
  d <- read_sav(f, user_na = TRUE)
  cat("file", f, nrow(d), "\\n")
  for (n in names(d)) {
    x <- d[[n]]
    cat("variable", n, attr(x, "format.spss"), hex(if (is.null(attr(x, "label", TRUE))) "" else attr(x, "label", TRUE)), "\\n")
    l <- attr(x, "labels")
    for (i in seq_along(l)) cat("label", show(unname(l)[i]), hex(names(l)[i]), "\\n")
    m <- attr(x, "na_values"); for (v in m) cat("missing", show(if (is.character(v)) sub(" +$", "", v) else v), "\\n")
    r <- attr(x, "na_range"); if (!is.null(r)) cat("range", sprintf("%.17g", r), "\\n")
    # With missing values declared, haven keeps the numbers of its dates without their class.
    isday <- grepl("^[AEJS]?DATE[0-9]", attr(x, "format.spss")); ismoment <- grepl("^DATETIME", attr(x, "format.spss"))
    v <- if (is.character(x)) as.character(unclass(x)) else as.numeric(unclass(x))
    if (isday) v <- v * 86400
    if (isday || ismoment) v <- v + 12219379200
    cat("cells", unname(show(v)), "\\n")
  }
}`;

const hex = (text: string) => Buffer.from(text).toString('hex');
const TYPES: Record<number, string> = {
  ...{ 1: 'A', 2: 'AHEX', 3: 'COMMA', 4: 'DOLLAR', 5: 'F', 6: 'IB', 7: 'PIBHEX', 8: 'P', 9: 'PIB', 10: 'PK' },
  ...{
    11: 'RB',
    12: 'RBHEX',
    15: 'Z',
    16: 'N',
    17: 'E',
    20: 'DATE',
    21: 'TIME',
    22: 'DATETIME',
    23: 'ADATE',
  },
  ...{ 24: 'JDATE', 25: 'DTIME', 26: 'WKDAY', 27: 'MONTH', 28: 'MOYR', 29: 'QYR', 30: 'WKYR', 31: 'PCT' },
  ...{
    32: 'DOT',
    33: 'CCA',
    34: 'CCB',
    35: 'CCC',
    36: 'CCD',
    37: 'CCE',
    38: 'EDATE',
    39: 'SDATE',
    40: 'MTIME',
  },
  41: 'YMDHMS',
};

/** The seconds of a time or moment, as the file has them. */
function secondsOf(kind: SourceVariable['kind'], cell: string): number {
  if (kind === 'time') return Date.parse(`1970-01-01T${cell}Z`) / 1000;
  const moment = cell.includes('T') ? `${cell}Z` : `${cell}T00:00:00Z`;
  return Date.parse(moment) / 1000 + 12_219_379_200;
}

function isSame(kind: SourceVariable['kind'], cell: SourceCell, theirs: string): boolean {
  if (kind === 'string') return (cell === null ? '' : hex(String(cell))) === (theirs === 'NA' ? '' : theirs);
  if (cell === null || theirs === 'NA') return cell === null && theirs === 'NA';
  const value = typeof cell === 'number' ? cell : secondsOf(kind, cell);
  // R counts days and seconds since 1970, which costs the last bits.
  return kind === 'number' ? value === Number(theirs) : Math.abs(value - Number(theirs)) < 1e-3;
}

/** A bound of a range; haven writes the lowest and highest number of SPSS as infinite. */
const boundOf = (text: string) =>
  text === '-Inf' ? -1.7976931348623155e308 : text === 'Inf' ? Number.MAX_VALUE : Number(text);
/** A file has widths up to 255; haven takes those of longer texts from another record. */
const formatOf = (text: string) =>
  text.replace(/\.0$/, '').replace(/^A(\d+)$/, (_, width) => `A${Math.min(255, Number(width))}`);
/** The importer adds the names that these formats show. */
const NAMED_TYPES = ['WKDAY', 'MONTH'];

/** What haven and the importer read differently in the files of the folder. */
async function findDifferences(): Promise<string[]> {
  const differences: string[] = [];
  const files = new Map<string, string[][]>();
  let current: string[][] = [];
  for (const line of runHaven(folder, PRINT)) {
    const parts = line.trimEnd().split(' ');
    if (parts[0] === 'file') files.set(parts[1]!, (current = []));
    else current.push(parts);
  }
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.sav'))) {
    const source = await openSav(byteFileFromBuffer(readFileSync(path.join(folder, name))));
    const rows: (readonly SourceCell[])[] = [];
    for await (const part of source.rows()) rows.push(...part.map(({ cells }) => cells));
    const theirs = files.get(name)!;
    const starts = theirs.flatMap(([kind], i) => (kind === 'variable' ? [i] : []));
    expect(
      source.columns.map(({ header }) => header),
      name,
    ).toEqual(starts.map((i) => theirs[i]![1]));
    source.columns.forEach(({ header, label, variable }, index) => {
      const lines = theirs.slice(starts[index], starts[index + 1]);
      const report = (what: string, ours: unknown, other: unknown) =>
        differences.push(`${name} ${header} ${what}: ${JSON.stringify(ours)} haven ${JSON.stringify(other)}`);
      const compare = (what: string, ours: unknown, other: unknown) => {
        if (JSON.stringify(ours) !== JSON.stringify(other)) report(what, ours, other);
      };
      const { format, kind, valueLabels, missing, missingRange } = variable!;
      const type = TYPES[format.type]!;
      const decimals = /^(A|AHEX)$/.test(type) ? '' : `.${format.decimals}`;
      const [, , theirFormat = '', theirLabel = ''] = lines[0]!;
      compare('format', formatOf(`${type}${format.width}${decimals}`), formatOf(theirFormat));
      compare('label', hex(label ?? ''), theirLabel);
      const valueText = (value: string | number) => (typeof value === 'string' ? hex(value) : String(value));
      const linesOf = (what: string) => lines.filter(([first]) => first === what);
      const number = (text: string) => (kind === 'string' ? text : String(Number(text)));
      const labelLines = linesOf('label').map(([, value = '', text = '']) => `${number(value)}=${text}`);
      const isNamed = NAMED_TYPES.includes(type);
      compare(
        'labels',
        valueLabels
          .map(([value, text]) => `${valueText(value)}=${hex(text)}`)
          .filter((line) => !isNamed || labelLines.includes(line))
          .sort(),
        labelLines.sort(),
      );
      compare(
        'missing',
        missing.map(valueText),
        linesOf('missing').map(([, value = '']) => number(value)),
      );
      const [range] = linesOf('range');
      if (missingRange !== null || range !== undefined)
        compare('range', [missingRange?.low, missingRange?.high], range?.slice(1).map(boundOf));
      const cells = linesOf('cells')[0]!.slice(1);
      rows.forEach((row, i) => {
        if (!isSame(kind, row[index] ?? null, cells[i] ?? '')) report(`row ${i + 1}`, row[index], cells[i]);
      });
    });
  }
  return differences;
}

const FORMATS = [
  ...[
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
  ],
  ...[
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
  ],
  ...[
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
  ],
  ...['MTIME8', 'WKDAY9', 'MONTH9'],
];
const MOMENTS = /^(DATE|ADATE|EDATE|JDATE|SDATE|QYR|MOYR|WKYR|DATETIME|YMDHMS)/;
const valuesOf = (format: string): string[] =>
  MOMENTS.test(format)
    ? ['13923446400', '12219379200', '.', '13160620800', '0']
    : /^(WKDAY|MONTH)/.test(format)
      ? ['1', '7', '.', '3', '2']
      : ['30600', '138600', '.', '-3600', '12.5'];

const missingWords = [
  ...['(-3600)', '(-3600, 12.5)', '(1, 2, 3)', '(LO THRU -1)', '(100000 THRU HI)', '(1 THRU 2)'],
  ...['(LO THRU 0, 12.5)', '(5 THRU 6, -3600)'],
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
  expect(await findDifferences()).toEqual([]);
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
