import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SourceCell, SourceVariable } from '../../src/domain/import/source-file.ts';
import { byteFileFromBuffer } from '../../src/importers/byte-file.ts';
import { openSav } from '../../src/importers/sav/sav-source.ts';
import { runHaven } from './external-programs.ts';

/** Prints each variable, value label, missing value and cell on a line of its own; texts in hexadecimal, dates in seconds as the file has them. */
const PRINT = `
hex <- function(text) paste(charToRaw(enc2utf8(text)), collapse = "")
show <- function(x) ifelse(is.na(x), "NA", if (is.character(x)) vapply(x, hex, "") else sprintf("%.17g", x))
for (f in list.files(".", "[.]z?sav$")) {
  d <- tryCatch(read_sav(f, user_na = TRUE), error = function(e) e)
  cat("file", f, "\\n")
  if (inherits(d, "error")) { cat("unreadable", gsub("\\n", " ", conditionMessage(d)), "\\n"); next }
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
  1: 'A',
  2: 'AHEX',
  3: 'COMMA',
  4: 'DOLLAR',
  5: 'F',
  6: 'IB',
  7: 'PIBHEX',
  8: 'P',
  9: 'PIB',
  10: 'PK',
  11: 'RB',
  12: 'RBHEX',
  15: 'Z',
  16: 'N',
  17: 'E',
  20: 'DATE',
  21: 'TIME',
  22: 'DATETIME',
  23: 'ADATE',
  24: 'JDATE',
  25: 'DTIME',
  26: 'WKDAY',
  27: 'MONTH',
  28: 'MOYR',
  29: 'QYR',
  30: 'WKYR',
  31: 'PCT',
  32: 'DOT',
  33: 'CCA',
  34: 'CCB',
  35: 'CCC',
  36: 'CCD',
  37: 'CCE',
  38: 'EDATE',
  39: 'SDATE',
  40: 'MTIME',
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

/** What haven and the importer read differently in the .sav files of the folder; files that haven does not read are unreadable. */
export async function findHavenDifferences(
  folder: string,
): Promise<{ differences: string[]; unreadable: Map<string, string> }> {
  const differences: string[] = [];
  const unreadable = new Map<string, string>();
  const files = new Map<string, string[][]>();
  let current: string[][] = [];
  for (const line of runHaven(folder, PRINT)) {
    const parts = line.trimEnd().split(' ');
    if (parts[0] === 'file') files.set(parts[1]!, (current = []));
    else current.push(parts);
  }
  for (const name of readdirSync(folder).filter((file) => /\.z?sav$/.test(file))) {
    const source = await openSav(byteFileFromBuffer(readFileSync(path.join(folder, name))));
    const rows: (readonly SourceCell[])[] = [];
    for await (const part of source.rows()) rows.push(...part.map(({ cells }) => cells));
    const theirs = files.get(name)!;
    if (theirs[0]?.[0] === 'unreadable') {
      unreadable.set(name, theirs[0].slice(1).join(' '));
      continue;
    }
    const starts = theirs.flatMap(([kind], i) => (kind === 'variable' ? [i] : []));
    const names = source.columns.map(({ header }) => header).join(' ');
    const theirNames = starts.map((i) => theirs[i]![1]).join(' ');
    if (names !== theirNames) {
      differences.push(`${name} variables: ${names} haven ${theirNames}`);
      continue;
    }
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
  return { differences, unreadable };
}
