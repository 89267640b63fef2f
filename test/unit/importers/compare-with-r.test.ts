import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { program, runHaven, useFolder } from '../../support/external-programs.ts';
import { tableOf, useDataFiles } from '../../support/data-files.ts';

const PACKAGES = ['readr', 'haven'];
const R = program(
  'R with readr and haven',
  () => spawnSync('Rscript', ['-e', PACKAGES.map((name) => `library(${name})`).join(';')]).status === 0,
);
const folder = useFolder();
const open = useDataFiles();

/** Texts that readers split, trim or convert. */
const cell = fc.oneof(
  fc.constantFrom('1,5', '2.155', 'NA', '-', '007', '15 inch', 'Größe', 'é 日本', ' padded ', '+34 600'),
  fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '|', ' ', 'ß'), minLength: 1, maxLength: 8 }),
);
const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 5, maxLength: 12 });
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const FILES = [',', ';', '\t', '|'].flatMap((delimiter, kind) =>
  fc.sample(rows, { seed: 20_261_128 + kind, numRuns: 15 }).map((table, index) => ({
    name: `file-${kind}-${index}.csv`,
    delimiter,
    text: [['id', 'first', 'second', 'third'], ...table.map((cells, i) => [`r${i}`, ...cells.map(quoted)])]
      .map((line) => line.join(delimiter))
      .join('\n'),
  })),
);

/** What an R expression with `file` and `delimiter` reads from each file, as rows of texts; null: NA. */
function readWithR(
  reader: string,
  files: readonly { name: string; delimiter: string }[],
): (string | null)[][][] {
  writeFileSync(
    path.join(folder, 'files.txt'),
    files.map(({ name, delimiter }) => `${name}=${delimiter.codePointAt(0)}\n`).join(''),
  );
  const script = [
    'encode <- function(x) ifelse(is.na(x), "!", vapply(as.character(x), function(t) utils::URLencode(enc2utf8(t), reserved = TRUE), ""))',
    'text <- function(x) if (is.numeric(x)) ifelse(is.na(x), NA, sprintf("%.17g", x)) else as.character(x)',
    'for (line in readLines("files.txt")) { one <- strsplit(line, "=")[[1]]; file <- one[1]; delimiter <- intToUtf8(as.integer(one[2]))',
    `data <- ${reader}`,
    'cat(do.call(paste, c(lapply(data, function(x) paste0("<", encode(text(x)), ">")), sep = ",")), sep = "\\n"); cat("\\nend\\n") }',
  ].join('\n');
  const tables: (string | null)[][][] = [];
  let table: (string | null)[][] = [];
  for (const line of runHaven(folder, script)) {
    if (line === 'end') {
      tables.push(table);
      table = [];
    } else if (line !== '')
      table.push(
        line.split(',').map((text) => (text === '<!>' ? null : decodeURIComponent(text.slice(1, -1)))),
      );
  }
  return tables;
}

test.skipIf(R.isSkipped)(
  `reads the same cells of CSV files as readr${R.skipNote}`,
  async () => {
    for (const { name, text } of FILES) writeFileSync(path.join(folder, name), text);
    // read_delim('x.csv', delim = ';', col_types = 'c', na = character(), trim_ws = FALSE)
    const reader =
      'readr::read_delim(file, delim = delimiter, col_types = readr::cols(.default = "c"), na = character(), trim_ws = FALSE, progress = FALSE)';
    const expected = readWithR(
      reader,
      FILES.map(({ name, delimiter }) => ({ name, delimiter })),
    );
    for (const [index, { name, text }] of FILES.entries()) {
      const source = await open(text);
      expect([name, source.delimiter]).toEqual([name, FILES[index]!.delimiter]);
      expect([name, ...(await tableOf(source)).slice(1)]).toEqual([name, ...expected[index]!]);
    }
  },
  60_000,
);

test.skipIf(R.isSkipped)(
  `reads the same cells of a .sav as haven${R.skipNote}`,
  async () => {
    runHaven(
      folder,
      'haven::write_sav(data.frame(x = c(1.5, NA, -3, 1.2e-11, 1e300), t = c("a", "", " b", "\\u00e9", "NA")), "r.sav")',
    );
    const [expected] = readWithR('haven::read_sav(file)', [{ name: 'r.sav', delimiter: ',' }]);
    const source = await open(readFileSync(path.join(folder, 'r.sav')));
    // haven reads a blank text as "", the importer as an empty cell.
    const blankAsNull = expected!.map((row) => row.map((value) => (value === '' ? null : value)));
    const cells = (await tableOf(source)).slice(1);
    expect(cells).toEqual(blankAsNull.map(([x = null, t]) => [x === null ? null : Number(x), t]));
  },
  60_000,
);
