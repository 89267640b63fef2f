import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SourceCell, SourceFile } from '../../src/domain/import/source-file.ts';
import { rowsOfSource, useDataFiles } from '../support/data-files.ts';
import { HAVEN, READR, READXL } from '../support/external-programs.ts';
import { useFolder } from '../support/test-folder.ts';
import { findHavenDifferences } from '../support/haven-differences.ts';
import { type RCell, readWithR } from '../support/read-with-r.ts';

/**
 * Compares each cell of real files with what R reads: those of test/fixtures/data-files and, where it is set, of the folder CANVASS_FILES
 * with its subfolders.
 */
const FOLDERS = [path.resolve('test/fixtures/data-files'), ...[process.env.CANVASS_FILES ?? []].flat()];
const FILES = FOLDERS.flatMap((from) =>
  readdirSync(from, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(from, name))
    .filter((file) => statSync(file).isFile()),
);
const extensionOf = (file: string) => path.extname(file).toLowerCase();
const filesOf = (...extensions: string[]) => FILES.filter((file) => extensions.includes(extensionOf(file)));

const open = useDataFiles();
const folder = useFolder();
/** The name of the copy of a file in the folder, which R finds in any locale. */
const copyName = (file: string) => `file-${FILES.indexOf(file)}${extensionOf(file)}`;
function copyFiles(files: readonly string[]): void {
  for (const file of files) copyFileSync(file, path.join(folder, copyName(file)));
}
const relativeName = (file: string) => path.relative(process.cwd(), file);

/** All rows by their numbers, the names of the columns included; files of questionnaires are read as plain tables. */
async function tableOfFile(
  file: string,
): Promise<{ source: SourceFile; encoding: string; rows: Map<number, SourceCell[]> }> {
  const content = readFileSync(file);
  const [source, encoding] = await open(content, { layout: 'plain' }).then(
    (opened) => [opened, 'UTF-8'] as const,
    async (error: Error) => {
      if (!error.message.startsWith('encoding: is missing')) throw error;
      return [await open(content, { layout: 'plain', encoding: 'windows-1252' }), 'windows-1252'] as const;
    },
  );
  const rows = new Map((await rowsOfSource(source)).map(({ row, cells }) => [row, [...cells]]));
  return { source, encoding, rows };
}

/** 31 December 1899 and, of workbooks that count from 1904, 1 January 1904, in days since 1970: where readxl places times. */
const EPOCHS = [-25_568, -24_107];

/** Days since 1970 of a date, a time of day or a length of time as readxl places them. */
function daysOf(cell: SourceCell, epoch: number): number {
  if (typeof cell === 'number') {
    const days = cell / 86_400;
    // readxl has no 29 February 1900, which is number 60.
    return epoch + days - (days > 60 ? 1 : 0);
  }
  const text = cell ?? '';
  const time = /^\d\d:\d\d/.test(text);
  const moment =
    Date.parse(time ? `1970-01-01T${text}Z` : text.includes('T') ? `${text}Z` : text) / 86_400_000;
  return time ? epoch + moment : moment;
}
const MILLISECOND = 1 / 86_400_000;

function isSame(ours: SourceCell, theirs: RCell): boolean {
  // readxl reads white space as missing, the importer later.
  if (theirs === null || theirs === '') return String(ours ?? '').trim() === '';
  if (typeof theirs === 'boolean') return ours === Number(theirs);
  if (typeof theirs === 'object')
    return EPOCHS.some((epoch) => Math.abs(daysOf(ours, epoch) - theirs.days) < MILLISECOND);
  // A line end within XML is \n (XML 1.0, 2.11), which readxl does not convert.
  return ours === theirs || (typeof theirs === 'string' && ours === theirs.replaceAll('\r\n', '\n'));
}

/** The first cells in which the tables differ. */
function differencesOf(
  { source, rows }: Pick<Awaited<ReturnType<typeof tableOfFile>>, 'source' | 'rows'>,
  theirs: readonly RCell[][],
): string[] {
  const found: string[] = [];
  const headerRow = theirs.findIndex((row) => row.some((cell) => cell !== null && cell !== ''));
  theirs.forEach((row, r) => {
    row.forEach((other, c) => {
      const isHeader = r === headerRow;
      const ours = isHeader ? (source.columns[c]?.header ?? '') : (rows.get(r + 1)?.[c] ?? null);
      if (isHeader && typeof other !== 'object' ? ours === String(other).trim() : isSame(ours, other)) return;
      found.push(`row ${r + 1} column ${c + 1}: ${JSON.stringify(ours)} R ${JSON.stringify(other)}`);
    });
  });
  for (const row of rows.keys()) if (row > theirs.length) found.push(`row ${row}: not in R`);
  return found.slice(0, 20);
}

const CSV = filesOf('.csv', '.tsv');
describe.skipIf(READR.isSkipped)(`CSV files as readr reads them${READR.skipNote}`, () => {
  test.each(CSV.map((file) => [relativeName(file), file]))('%s', async (_, file) => {
    copyFiles([file]);
    const table = await tableOfFile(file);
    const skip = /^sep=/i.test(readFileSync(file, 'latin1')) ? 1 : 0;
    const expression = `readr::read_delim(f, delim = ${JSON.stringify(table.source.delimiter)}, col_names = FALSE, skip = ${skip}, \
      col_types = readr::cols(.default = "c"), na = character(), trim_ws = FALSE, skip_empty_rows = FALSE, progress = FALSE, \
      locale = readr::locale(encoding = "${table.encoding}"))`;
    const [read = []] = readWithR(folder, 'readr', [{ name: copyName(file), expression }]);
    const blank = Array.from({ length: skip }, () => [null]);
    expect(differencesOf(table, [...blank, ...read])).toEqual([]);
  });
});

const WORKBOOKS = filesOf('.xlsx', '.xlsm', '.xltx');
describe.skipIf(READXL.isSkipped)(`workbooks as readxl reads them${READXL.skipNote}`, () => {
  test.each(WORKBOOKS.map((file) => [relativeName(file), file]))('%s', async (_, file) => {
    copyFiles([file]);
    const table = await tableOfFile(file);
    const sheet = table.source.notes
      .map((note) => /^The sheet "(.*)" of \d+ was read$/.exec(note)?.[1])
      .find(Boolean);
    // Column type "list": each cell has its own type.
    const expression = `readxl::read_excel(f, sheet = ${JSON.stringify(sheet ?? 1)}, range = cellranger::cell_limits(c(1, 1), c(NA, NA)), \
      col_names = FALSE, col_types = "list", trim_ws = FALSE, .name_repair = "minimal")`;
    const [read = []] = readWithR(folder, 'readxl', [{ name: copyName(file), expression }]);
    expect(differencesOf(table, read)).toEqual([]);
  });
});

const SPSS = filesOf('.sav', '.zsav');
test.skipIf(HAVEN.isSkipped)(`.sav files as haven reads them${HAVEN.skipNote}`, async () => {
  copyFiles(SPSS);
  expect((await findHavenDifferences(folder)).differences).toEqual([]);
});
