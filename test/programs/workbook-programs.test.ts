import ExcelJS from 'exceljs';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { SourceCell } from '../../src/domain/import/source-file.ts';
import { tableOf, useDataFiles } from '../support/data-files.ts';
import { program, READXL, runR } from '../support/external-programs.ts';
import { useFolder } from '../support/test-folder.ts';
import { createCellWorkbook } from '../support/workbook-file.ts';

const open = useDataFiles();
const folder = useFolder();
const CALC = program('libreoffice-calc', () => spawnSync('soffice', ['--version']).status === 0);
const GNUMERIC = program('gnumeric', () => spawnSync('ssconvert', ['--version']).status === 0);

const inline = (text: string) =>
  `<c t="inlineStr"><is><t xml:space="preserve">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
const cell = (value: number | string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;

const FORMATS = [
  'yyyy\\-mm\\-dd',
  'yyyy\\-mm\\-dd\\ hh:mm:ss',
  'hh:mm',
  '[h]:mm',
  '0.0" km"',
  '0%',
  '#,##0.00\\ [$€-407]',
];
const NAMES = ['id', 'day', 'moment', 'clock', 'length', 'km', 'share', 'price', 'yes', 'formula', 'text'];
const ROWS: SourceCell[][] = [
  ['a', '2024-02-29', '2024-02-29T08:30:15', '08:30:00', 138_600, 12.5, 0.25, 1234.5, 1, 0, 'R&D &amp; <b>'],
  ['b', '1900-03-01', '1999-12-31T23:59:59', '23:59:00', 27_900, 3, 1, -0.5, 0, 8, '  東京 😀\nline'],
  ['c', '2100-12-31', '2024-07-01T12:00:00', '12:00:00', 144_000, 0.1, 0.333, 7, 1, -2, '007'],
];
/** The rows above as cells. */
const SOURCE = [
  [
    cell(45_351, 1),
    cell('45351.354340277776', 2),
    cell(0.354166666666667, 3),
    cell(1.604166666666667, 4),
    cell(12.5, 5),
    cell(0.25, 6),
    cell(1234.5, 7),
    '<c t="b"><v>1</v></c>',
    '<c><f>1-1</f><v>0</v></c>',
    inline('R&D &amp; <b>'),
  ],
  [
    cell(61, 1),
    cell('36525.999988425924', 2),
    cell(0.999305555555556, 3),
    cell(0.322916666666667, 4),
    cell(3, 5),
    cell(1, 6),
    cell(-0.5, 7),
    '<c t="b"><v>0</v></c>',
    '<c><f>4+4</f><v>8</v></c>',
    inline('  東京 😀\nline'),
  ],
  [
    cell(73_415, 1),
    cell(45_474.5, 2),
    cell(0.5, 3),
    cell(1.666666666666667, 4),
    cell(0.1, 5),
    cell(0.333, 6),
    cell(7, 7),
    '<c t="b"><v>1</v></c>',
    '<c><f>2-4</f><v>-2</v></c>',
    inline('007'),
  ],
];
const createSource = () =>
  createCellWorkbook({
    rows: [
      NAMES.map(inline).join(''),
      ...SOURCE.map((cells, i) => inline(String(ROWS[i]![0])) + cells.join('')),
    ],
    formats: FORMATS,
  });

/** Writes the workbook again with another program. */
async function rewritten(
  command: string,
  args: (from: string, to: string) => string[],
  output: string,
): Promise<Buffer> {
  const from = path.join(folder, `source-${command}.xlsx`);
  writeFileSync(from, await createSource());
  const to = path.join(folder, output);
  const { status, stderr } = spawnSync(command, args(from, to), { encoding: 'utf8', timeout: 120_000 });
  if (status !== 0) throw new Error(stderr);
  return readFileSync(to);
}

const libreOffice = (filter: string) => (from: string) => [
  `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile')).href}`,
  '--headless',
  '--convert-to',
  filter,
  '--outdir',
  path.join(folder, 'out'),
  from,
];

test('reads the workbook from which the others are written', async () => {
  expect(await tableOf(await open(await createSource()))).toEqual([NAMES, ...ROWS]);
});

test.skipIf(CALC.isSkipped).each([
  ['workbook', 'xlsx:Calc MS Excel 2007 XML'],
  ['workbook with macros', 'xlsm:Calc MS Excel 2007 VBA XML'],
  ['template', 'xltx:Calc MS Excel 2007 XML Template'],
])(
  `reads a %s of LibreOffice${CALC.skipNote}`,
  async (_kind, filter) => {
    const extension = filter.slice(0, 4);
    const file = await rewritten('soffice', libreOffice(filter), `out/source-soffice.${extension}`);
    expect(await tableOf(await open(file))).toEqual([NAMES, ...ROWS]);
  },
  120_000,
);

test.skipIf(GNUMERIC.isSkipped)(
  `reads a workbook of Gnumeric${GNUMERIC.skipNote}`,
  async () => {
    const file = await rewritten('ssconvert', (from, to) => [from, to], 'gnumeric.xlsx');
    expect(await tableOf(await open(file))).toEqual([NAMES, ...ROWS]);
  },
  120_000,
);

test('reads a workbook of exceljs', async () => {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load((await createSource()) as unknown as ArrayBuffer);
  const file = Buffer.from(await workbook.xlsx.writeBuffer());
  expect(await tableOf(await open(file))).toEqual([NAMES, ...ROWS]);
});

test.skipIf(READXL.isSkipped || GNUMERIC.isSkipped)(
  `reads the texts and numbers of a workbook of Gnumeric as readxl does${READXL.skipNote}${GNUMERIC.skipNote}`,
  async () => {
    const file = await rewritten('ssconvert', (from, to) => [from, to], 'compared.xlsx');
    const lines = runR(
      folder,
      'readxl',
      `x <- readxl::read_excel('compared.xlsx', trim_ws = FALSE)
      for (name in c('km', 'share', 'price', 'formula', 'text')) for (v in x[[name]])
        cat(utf8ToInt(if (is.numeric(v)) sprintf('%.15g', v) else v), '\\n')`,
    );
    const said = lines.map((line) => String.fromCodePoint(...line.trim().split(' ').map(Number)));
    const rows = (await tableOf(await open(file))).slice(1);
    const columns = ['km', 'share', 'price', 'formula', 'text'].map((name) => NAMES.indexOf(name));
    expect(columns.flatMap((column) => rows.map((row) => String(row[column])))).toEqual(said);
  },
  120_000,
);
