import path from 'node:path';
import { AppError } from '../../lib/errors.ts';
import { unreadableFile } from '../byte-file.ts';
import { CellConverter, type CellContext, type ColumnFacts } from './cell-value.ts';
import { RowFileWriter } from './row-file.ts';
import { SheetReader, type SheetRow } from './sheet-reader.ts';
import {
  type ListedSheet,
  missingParts,
  type Relationship,
  SheetListReader,
  WorkbookParts,
} from './workbook-parts.ts';

export interface WorkbookRequest {
  /** Path of the workbook. */
  path: string;
  /** Path of the file for its rows; must not exist. */
  rowsPath: string;
  /** Detects an XLSForm instead of reading it as data. */
  detectForm: boolean;
}

/** Summary of the sheet that was read: "Data", else the first visible one with a value, else the first. */
export interface WorkbookSummary {
  sheetName: string;
  sheetCount: number;
  /** Rows written to the file; empty rows are omitted. */
  rowCount: number;
  /** The columns with numbers or with something to note, in order. */
  columns: ColumnFacts[];
  /** The workbook is an XLSForm: its sheet "survey" lists questions by type and name. No rows were written. */
  isXlsForm: boolean;
}

const DATA_SHEET = 'data';
const FORM_SHEET = 'survey';

/** Reads one sheet and writes its rows to a file. 400 where the file is damaged, 413 and 422 where it goes beyond a limit. */
export async function readWorkbook(request: WorkbookRequest): Promise<WorkbookSummary> {
  const parts = await withReadErrors(() => WorkbookParts.open(request.path), damaged);
  try {
    return await withReadErrors(() => new WorkbookReader(parts).read(request), missingParts);
  } finally {
    parts.close();
  }
}

interface Sheet {
  name: string;
  part: string;
  isHidden: boolean;
}

class WorkbookReader {
  private context: CellContext = { formats: [], sharedStrings: [], is1904: false };

  constructor(private readonly parts: WorkbookParts) {}

  async read({ rowsPath, detectForm }: WorkbookRequest): Promise<WorkbookSummary> {
    const sheets = await this.readSheets();
    const findSheet = (requestedName: string) =>
      sheets.find(({ name }) => name.trim().toLowerCase() === requestedName);
    const dataSheet = findSheet(DATA_SHEET);
    const form = dataSheet === undefined && detectForm ? findSheet(FORM_SHEET) : undefined;
    const sheetCount = sheets.length;
    if (form !== undefined && (await this.isXlsForm(form.part)))
      return { sheetName: form.name, sheetCount, rowCount: 0, columns: [], isXlsForm: true };
    const visible = sheets.filter(({ isHidden }) => !isHidden);
    const candidates = dataSheet === undefined ? (visible.length > 0 ? visible : sheets) : [dataSheet];
    const [first] = candidates;
    if (first === undefined) throw unreadableFile('must have at least 1 sheet');
    const writer = await RowFileWriter.create(rowsPath);
    let columns: ColumnFacts[] = [];
    let read = first;
    try {
      for (const sheet of candidates) {
        columns = await this.readRows(sheet.part, (row) => writer.add(row));
        if (writer.count === 0) continue;
        read = sheet;
        break;
      }
    } finally {
      await writer.close();
    }
    return { sheetName: read.name, sheetCount, rowCount: writer.count, columns, isXlsForm: false };
  }

  /** The sheets with cells, in their order, each with the path of its part. Styles and shared strings are read on the way. */
  private async readSheets(): Promise<Sheet[]> {
    const { parts } = this;
    const workbook = await parts.findWorkbook();
    const list = new SheetListReader();
    await parts.readSmall(workbook, 'its list of sheets', list);
    const relationships = await parts.relationshipsOf(workbook);
    const folder = path.posix.dirname(workbook);
    const partOf = (type: string, usualName: string) =>
      parts.first(
        relationships.find((relationship) => relationship.type === type)?.target,
        path.posix.join(folder, usualName),
      );
    this.context = {
      formats: await parts.readFormats(partOf('styles', 'styles.xml')),
      sharedStrings: await parts.readSharedStrings(partOf('sharedStrings', 'sharedStrings.xml')),
      is1904: list.is1904,
    };
    return this.locateSheets(list.sheets, relationships, path.posix.join(folder, 'worksheets'));
  }

  /**
   * Locates sheets by their relationships. Those without one are, in order, the parts of the usual folder that no relationship has; if their
   * numbers differ, names and states cannot be matched, and the parts are visible sheets with the names of their files.
   */
  private locateSheets(
    listed: readonly ListedSheet[],
    relationships: readonly Relationship[],
    folder: string,
  ): Sheet[] {
    const byId = new Map(relationships.map((relationship) => [relationship.id, relationship]));
    // Charts, macros and dialogs are sheets without cells.
    const sheets = listed.filter(({ id }) => (byId.get(id)?.type ?? 'worksheet') === 'worksheet');
    const partOf = ({ id }: ListedSheet) => {
      const target = byId.get(id)?.target;
      return target !== undefined && this.parts.has(target) ? target : undefined;
    };
    const lost = sheets.filter((sheet) => partOf(sheet) === undefined);
    const targets = new Set(relationships.map(({ target }) => target.toLowerCase()));
    const unclaimed =
      lost.length === 0 ? [] : this.parts.listXmlParts(folder).filter((part) => !targets.has(part));
    if (lost.length > 0 && unclaimed.length === 0) throw missingParts();
    const areMatched = unclaimed.length === lost.length;
    const located = sheets.flatMap((sheet) => {
      const part = partOf(sheet) ?? (areMatched ? unclaimed[lost.indexOf(sheet)] : undefined);
      return part === undefined ? [] : [{ name: sheet.name, part, isHidden: sheet.isHidden }];
    });
    if (areMatched) return located;
    const byFile = unclaimed.map((part) => ({
      name: path.posix.basename(part, '.xml'),
      part,
      isHidden: false,
    }));
    return [...located, ...byFile];
  }

  /** Returns what there is to say of its columns. */
  private async readRows(part: string, add: (row: SheetRow) => Promise<void>): Promise<ColumnFacts[]> {
    const converter = new CellConverter(this.context);
    const reader = new SheetReader(converter);
    await this.parts.readSheet(part, reader, async () => {
      for (const row of reader.takeRows()) await add(row);
    });
    return converter.facts;
  }

  private async isXlsForm(part: string): Promise<boolean> {
    const rows: SheetRow[] = [];
    await this.readRows(part, (row) => {
      if (rows.length === 0) rows.push(row);
      return Promise.resolve();
    });
    const names = rows[0]?.cells.map((cell) => (typeof cell === 'string' ? cell.trim().toLowerCase() : null));
    return names?.includes('type') === true && names.includes('name');
  }
}

const damaged = () => unreadableFile('is a damaged or cut-off .xlsx file');

/** Errors of the archive are the file's fault; those of the system (a full disk) are not. */
async function withReadErrors<T>(work: () => Promise<T>, refuse: () => AppError): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error) || 'syscall' in error || isOwnError(error))
      throw error;
    if ('code' in error && String(error.code).startsWith('Z_')) throw damaged();
    throw refuse();
  }
}

/** Errors of our code, which are not the file's fault. */
const isOwnError = (error: Error): boolean =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
