import { Readable } from 'node:stream';
import type ExcelJS from 'exceljs';
import type { LayoutName, SourceCell, SourceFile, SourceRow } from '../../domain/import/source-file.ts';
import { AppError, unsupportedMediaType } from '../../lib/errors.ts';
import { type ByteFile, piecesOf } from '../byte-file.ts';
import { questionnaireRefused, tableSource } from '../table-source.ts';
import { unreadable } from '../unreadable.ts';
import { xlsxCell } from './xlsx-cell.ts';
import { checkUnpackedSize } from './unpacked-size.ts';

const MAX_UNPACKED_BYTES = 1_000_000_000;
const DATA_SHEET = 'data';
const FORM_SHEET = 'survey';
const SHEET_FILE = /sheet(\d+)\.xml$/;

/** What of the reader its own types leave out. */
interface ReaderParts {
  model?: { sheets?: { name: string; rId: string }[] };
  workbookRels?: { Id: string; Target: string }[];
}

interface ChosenSheet {
  name: string;
  /** Of its file within the workbook. */
  number: string | null;
}

/** A workbook: its sheet "Data", else its first; the first row holds the names of the columns. */
export async function openXlsx(file: ByteFile, layout: LayoutName | null): Promise<SourceFile> {
  const names = await checkUnpackedSize(file, MAX_UNPACKED_BYTES);
  if (!names.has('xl/workbook.xml'))
    throw unsupportedMediaType('file: is a zip file, but no .xlsx workbook; send .csv, .xlsx or .sav');
  const { chosen, count, form } = await chooseSheet(file);
  if (form !== null && layout === null && (await isXlsForm(file, form)))
    throw questionnaireRefused('an XLSForm');
  const notes = count > 1 ? [`The sheet "${chosen.name}" of ${count} was read`] : [];
  const records = () => sheetRows(file, chosen);
  for await (const first of records()) {
    if (first.cells.length > 0)
      return tableSource({ format: 'xlsx', delimiter: null, notes, records }, layout);
  }
  throw unreadable(`its sheet "${chosen.name}" is empty: the first row must hold the names of the columns`);
}

/** Whether the sheet "survey" lists questions: by type, name and label. */
async function isXlsForm(file: ByteFile, sheet: ChosenSheet): Promise<boolean> {
  for await (const { cells } of sheetRows(file, sheet)) {
    const names = new Set(
      cells.map((cell) =>
        String(cell ?? '')
          .trim()
          .toLowerCase(),
      ),
    );
    return names.has('type') && names.has('name');
  }
  return false;
}

async function openReader(file: ByteFile): Promise<ExcelJS.stream.xlsx.WorkbookReader> {
  // A quarter of a second, which only those who read a workbook have to wait.
  const { default: exceljs } = await import('exceljs');
  return new exceljs.stream.xlsx.WorkbookReader(Readable.from(piecesOf(file)), {
    entries: 'ignore',
    sharedStrings: 'cache',
    styles: 'cache',
    hyperlinks: 'ignore',
    worksheets: 'emit',
  });
}

/** The order of sheets is known only when the whole workbook has passed by. */
async function chooseSheet(file: ByteFile): Promise<{
  chosen: ChosenSheet;
  count: number;
  /** A sheet that may be an XLSForm. */ form: ChosenSheet | null;
}> {
  const reader = await openReader(file);
  await readably(async () => {
    for await (const sheet of reader) void sheet;
  });
  const { model, workbookRels } = reader as unknown as ReaderParts;
  const sheets = model?.sheets ?? [];
  const named = (wanted: string) => sheets.find(({ name }) => name.toLowerCase() === wanted);
  const data = named(DATA_SHEET);
  const sheet = data ?? sheets[0];
  if (sheet === undefined) throw unreadable('has no sheet');
  const chosenOf = ({ name, rId }: { name: string; rId: string }): ChosenSheet => {
    const target = workbookRels?.find(({ Id }) => Id === rId)?.Target ?? '';
    return { name, number: SHEET_FILE.exec(target)?.[1] ?? null };
  };
  const form = data === undefined ? named(FORM_SHEET) : undefined;
  return { chosen: chosenOf(sheet), count: sheets.length, form: form === undefined ? null : chosenOf(form) };
}

async function* sheetRows(file: ByteFile, chosen: ChosenSheet): AsyncGenerator<SourceRow> {
  try {
    for await (const sheet of await openReader(file)) {
      // A sheet whose place in the workbook the reader does not find has the number of its file as id.
      const { name, id } = sheet as unknown as { name?: string; id: number | string };
      if (name === undefined ? String(id) !== chosen.number : name !== chosen.name) continue;
      for await (const row of sheet) {
        const values = row.values as readonly ExcelJS.CellValue[];
        const cells = Array.from({ length: Math.max(0, values.length - 1) }, (_, i): SourceCell => {
          return xlsxCell(values[i + 1]);
        });
        if (cells.some((cell) => cell !== null)) yield { row: row.number, cells };
      }
      return;
    }
  } catch (error) {
    throw asUnreadable(error);
  }
}

async function readably(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw asUnreadable(error);
  }
}

/** Whatever the library stumbles over is the file's fault: what could be ours has an error of its own. */
function asUnreadable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // Its TypeErrors speak of its own variables, not of the file.
  if (!(error instanceof Error) || error instanceof TypeError)
    return unreadable('is no readable .xlsx workbook: parts of it are missing or damaged');
  return unreadable(`is no readable .xlsx workbook: ${error.message.slice(0, 120)}`);
}
