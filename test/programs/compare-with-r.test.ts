import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HAVEN, READR, runHaven } from '../support/external-programs.ts';
import { useFolder } from '../support/test-folder.ts';
import { readWithR } from '../support/read-with-r.ts';
import { tableOf, useDataFiles } from '../support/data-files.ts';

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

test.skipIf(READR.isSkipped)(
  `reads the same cells of CSV files as readr${READR.skipNote}`,
  async () => {
    for (const { name, text } of FILES) writeFileSync(path.join(folder, name), text);
    const expected = readWithR(
      folder,
      'readr',
      FILES.map(({ name, delimiter }) => ({
        name,
        expression: `readr::read_delim(f, delim = ${JSON.stringify(delimiter)}, col_types = readr::cols(.default = "c"), na = character(), trim_ws = FALSE, progress = FALSE)`,
      })),
    );
    for (const [index, { name, text }] of FILES.entries()) {
      const source = await open(text);
      expect([name, source.delimiter]).toEqual([name, FILES[index]!.delimiter]);
      expect([name, ...(await tableOf(source)).slice(1)]).toEqual([name, ...expected[index]!]);
    }
  },
  60_000,
);

test.skipIf(HAVEN.isSkipped)(
  `reads the same cells of a .sav as haven${HAVEN.skipNote}`,
  async () => {
    runHaven(
      folder,
      'haven::write_sav(data.frame(x = c(1.5, NA, -3, 1.2e-11, 1e300), t = c("a", "", " b", "\\u00e9", "NA")), "r.sav")',
    );
    const [expected] = readWithR(folder, 'haven', [{ name: 'r.sav', expression: 'haven::read_sav(f)' }]);
    const source = await open(readFileSync(path.join(folder, 'r.sav')));
    // haven reads a blank text as "", the importer as an empty cell.
    const blankAsNull = expected!.map((row) => row.map((value) => (value === '' ? null : value)));
    expect((await tableOf(source)).slice(1)).toEqual(blankAsNull);
  },
  60_000,
);
