import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runR } from './external-programs.ts';

/** A cell as R prints it; null: NA. Days: a moment, in days since 1970. */
export type RCell = string | number | { days: number } | boolean | null;

const CELL = '\u001F';
const ROW = '\u001E';

/** Reads each file of the folder with an R expression, in which `f` is its name; it gives a list of columns, without names. */
export function readWithR(
  folder: string,
  library: string,
  files: readonly { name: string; expression: string }[],
): RCell[][][] {
  const script = [
    `show <- function(x) {
       if (length(x) == 0 || (length(x) == 1 && is.na(x))) "N"
       else if (is.logical(x)) paste0("b", as.integer(x))
       else if (inherits(x, "POSIXct")) paste0("d", sprintf("%.17g", as.numeric(x) / 86400))
       else if (is.numeric(x)) paste0("n", sprintf("%.17g", x))
       else paste0("t", enc2utf8(as.character(x)))
     }`,
    'texts <- function(x) if (is.character(x)) ifelse(is.na(x), "N", paste0("t", enc2utf8(x))) else vapply(x, show, "")',
    'save <- function(data, name) { columns <- lapply(unname(as.list(data)), texts)',
    `  lines <- if (length(columns) == 0) character() else do.call(paste, c(columns, sep = "${CELL}"))`,
    `  con <- file(name, "wb"); writeBin(charToRaw(paste(lines, collapse = "${ROW}")), con); close(con) }`,
    ...files.map(
      ({ name, expression }, i) =>
        `f <- ${JSON.stringify(name)}; save(suppressWarnings(${expression}), "read-${i}.txt")`,
    ),
  ];
  const scriptFile = path.join(folder, 'read.R');
  writeFileSync(scriptFile, script.join('\n'));
  runR(folder, library, `source("read.R", encoding = "UTF-8")`);
  return files.map((_, i) => {
    const text = readFileSync(path.join(folder, `read-${i}.txt`), 'utf8');
    return text === '' ? [] : text.split(ROW).map((row) => row.split(CELL).map(parseCell));
  });
}

function parseCell(text: string): RCell {
  const value = text.slice(1);
  switch (text[0]) {
    case 'b':
      return value === '1';
    case 'd':
      return { days: Number(value) };
    case 'n':
      return Number(value);
    case 't':
      return value;
    default:
      return null;
  }
}
