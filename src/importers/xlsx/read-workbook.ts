import ExcelJS from 'exceljs';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  MAX_IMPORT_CELLS,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
  type SourceCell,
  type SourceRow,
  TOO_MANY_CELLS,
} from '../../domain/import/source-file.ts';
import { MAX_HEADER_ROWS } from '../../domain/import/recognize-table.ts';
import { sizeAtMost } from '../../lib/error-messages.ts';
import { AppError, tooLarge, unprocessable, unsupportedMediaType } from '../../lib/errors.ts';
import { unreadableFile } from '../byte-file.ts';
import { ZipArchive } from '../zip-archive.ts';
import { filterXml, type XmlLimits } from './xml-filter.ts';
import { RowFileWriter } from './row-file.ts';
import * as limits from './workbook-limits.ts';

export interface WorkbookRequest {
  /** Path of the workbook. */
  path: string;
  /** Path of the file for its rows; must not exist. */
  rowsPath: string;
  /** Detects an XLSForm instead of reading it as data. */
  detectForm: boolean;
}

/** Summary of the sheet that was read: "Data", else the first. */
export interface WorkbookSummary {
  sheetName: string;
  sheetCount: number;
  /** Rows written to the file; empty rows are omitted. */
  rowCount: number;
  /** The workbook is an XLSForm: its sheet "survey" lists questions by type and name. No rows were written. */
  isXlsForm: boolean;
}

const DATA_SHEET = 'data';
const FORM_SHEET = 'survey';

/** For styles, relationships and the list of sheets; only their attributes are needed. */
const SMALL_PART: Omit<XmlLimits, 'part'> = {
  maxTags: limits.MAX_SMALL_PART_TAGS,
  containers: [],
  textElements: new Set(),
};
const SHARED_STRINGS: XmlLimits = {
  part: 'its shared strings',
  maxTags: limits.MAX_SHARED_STRINGS_TAGS,
  containers: ['si'],
  textElements: new Set(['t']),
};
const SHEET: XmlLimits = {
  part: 'its cells',
  maxTags: Infinity,
  containers: ['sheetData', 'row', 'c'],
  textElements: new Set(['v', 'f', 't']),
};

interface Relationship {
  Id: string;
  Type: string;
  Target: string;
}

/**
 * The part of exceljs 4.4.0 that parses XML. Its archive reader is not used: it reads entries in the order of the file, writes sheets to
 * temporary files if the shared strings follow later or are missing, and splits multi-byte characters between chunks.
 */
interface PartReader {
  _parseRels(part: Readable): Promise<void>;
  _parseWorkbook(part: Readable): Promise<void>;
  _parseStyles(part: Readable): Promise<void>;
  _parseSharedStrings(part: Readable): AsyncIterable<unknown>;
  _parseWorksheet(
    part: AsyncIterable<string>,
    number: string,
  ): Iterable<{ value: AsyncIterable<ExcelJS.Row> }>;
  workbookRels?: Relationship[];
  model?: { sheets?: { name: string; rId: string }[] };
}

const partReader = (): PartReader =>
  new ExcelJS.stream.xlsx.WorkbookReader(Readable.from([]), {
    ...{
      entries: 'ignore',
      sharedStrings: 'cache',
      styles: 'cache',
      hyperlinks: 'ignore',
      worksheets: 'emit',
    },
  }) as unknown as PartReader;

/** Reads one sheet and writes its rows to a file. 400 where the file is damaged, 413 and 422 where it goes beyond a limit. */
export async function readWorkbook(request: WorkbookRequest): Promise<WorkbookSummary> {
  const archive = await openArchive(request.path);
  try {
    return await new WorkbookReader(archive).read(request);
  } finally {
    archive.close();
  }
}

async function openArchive(file: string): Promise<ZipArchive> {
  let archive: ZipArchive;
  try {
    archive = await ZipArchive.open(file, limits.MAX_ENTRIES);
  } catch (error) {
    throw isLibraryError(error) ? damaged() : error;
  }
  try {
    checkSizes(archive);
    return archive;
  } catch (error) {
    archive.close();
    throw error;
  }
}

/** Before anything is unpacked. */
function checkSizes(archive: ZipArchive): void {
  let unpackedBytes = 0;
  for (const entry of archive.entries) {
    if (entry.isEncrypted) throw unreadableFile('is protected by a password; save it without one');
    unpackedBytes += entry.unpackedBytes;
    if (unpackedBytes > limits.MAX_UNPACKED_BYTES)
      throw tooLarge(
        `file: holds more than ${limits.formatMegabytes(limits.MAX_UNPACKED_BYTES)} when it is unpacked; send CSV, or fewer rows`,
      );
    if (
      entry.unpackedBytes > limits.RATIO_FLOOR_BYTES &&
      entry.unpackedBytes > limits.MAX_RATIO * entry.packedBytes
    ) {
      const message = `${entry.name.slice(0, 60)} is compressed more than ${limits.MAX_RATIO} times, which data is not`;
      throw unprocessable('compression_ratio', `file: ${message}`, [{ field: 'file', message }]);
    }
  }
}

class WorkbookReader {
  private readonly reader = partReader();

  constructor(private readonly archive: ZipArchive) {}

  async read({ rowsPath, detectForm }: WorkbookRequest): Promise<WorkbookSummary> {
    const sheets = await withReadErrors(() => this.readSheets());
    const findSheet = (requestedName: string) =>
      sheets.find(({ name }) => name.toLowerCase() === requestedName);
    const sheet = findSheet(DATA_SHEET) ?? sheets[0];
    if (sheet === undefined) throw unreadableFile('must have at least 1 sheet');
    const read = { sheetName: sheet.name, sheetCount: sheets.length };
    const form = findSheet(DATA_SHEET) === undefined && detectForm ? findSheet(FORM_SHEET) : undefined;
    if (form !== undefined && (await withReadErrors(() => this.isXlsForm(form.part))))
      return { ...read, rowCount: 0, isXlsForm: true };
    const writer = await RowFileWriter.create(rowsPath);
    try {
      await withReadErrors(async () => {
        for await (const row of this.readRows(sheet.part)) await writer.add(row);
      });
    } finally {
      await writer.close();
    }
    return { ...read, rowCount: writer.count, isXlsForm: false };
  }

  /** The sheets with cells, in their order, each with the path of its part. Styles and shared strings are read on the way. */
  private async readSheets(): Promise<{ name: string; part: string }[]> {
    const { reader } = this;
    const workbookPart = await this.workbookPart();
    const folder = path.posix.dirname(workbookPart);
    await reader._parseRels(
      await this.readSmallPart(
        `${folder}/_rels/${path.posix.basename(workbookPart)}.rels`,
        'its relationships',
      ),
    );
    await reader._parseWorkbook(await this.readSmallPart(workbookPart, 'its list of sheets'));
    const relationships = reader.workbookRels ?? [];
    // Absolute within the archive, or relative to the workbook.
    const partOf = ({ Target }: Relationship) => path.posix.resolve('/', folder, Target).slice(1);
    const ofType = (type: string) => relationships.find(({ Type }) => Type.endsWith(`/${type}`));
    const styles = ofType('styles');
    if (styles !== undefined && this.archive.has(partOf(styles)))
      await reader._parseStyles(await this.readSmallPart(partOf(styles), 'its styles'));
    const strings = ofType('sharedStrings');
    if (strings !== undefined && this.archive.has(partOf(strings))) {
      const text = await this.readPart(partOf(strings), SHARED_STRINGS, limits.MAX_SHARED_STRINGS_BYTES);
      for await (const unused of reader._parseSharedStrings(Readable.from(text))) void unused;
    }
    const byId = new Map(relationships.map((relationship) => [relationship.Id, relationship]));
    return (reader.model?.sheets ?? []).flatMap(({ name, rId }) => {
      const found = byId.get(rId);
      return found?.Type.endsWith('/worksheet') !== true ? [] : [{ name, part: partOf(found) }];
    });
  }

  private async workbookPart(): Promise<string> {
    let target = 'xl/workbook.xml';
    if (this.archive.has('_rels/.rels')) {
      const root = partReader();
      await root._parseRels(await this.readSmallPart('_rels/.rels', 'its relationships'));
      const found = root.workbookRels?.find(({ Type }) => Type.endsWith('/officeDocument'));
      if (found !== undefined) target = path.posix.resolve('/', found.Target).slice(1);
    }
    if (!this.archive.has(target) || !/workbook[^/]*\.xml$/i.test(target))
      throw unsupportedMediaType(
        'file: is a zip file, but not an .xlsx workbook; accepted: .csv, .xlsx, .sav',
      );
    return target;
  }

  private async isXlsForm(part: string): Promise<boolean> {
    for await (const { cells } of this.readRows(part)) {
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

  /** The rows with a value, without the empty cells at their ends. */
  private async *readRows(part: string): AsyncGenerator<SourceRow> {
    const text = await this.readPart(part, SHEET, limits.MAX_UNPACKED_BYTES);
    let row = 0;
    let rowCount = 0;
    let cellCount = 0;
    for (const { value: sheet } of this.reader._parseWorksheet(text, '1')) {
      for await (const read of sheet) {
        // Some writers leave out the number.
        row = Number.isInteger(read.number) ? read.number : row + 1;
        const cells: SourceCell[] = [];
        read.eachCell((cell, column) => {
          const value = toSourceCell(cell.value);
          if (value === null) return;
          while (cells.length < column - 1) cells.push(null);
          cells.push(value);
        });
        if (cells.length === 0) continue;
        if (cells.length > MAX_IMPORT_COLUMNS)
          throw tooLarge(`file: row ${row} ${sizeAtMost(MAX_IMPORT_COLUMNS, 'column', cells.length)}`);
        cellCount += cells.length;
        if (cellCount > MAX_IMPORT_CELLS) throw tooLarge(TOO_MANY_CELLS);
        rowCount += 1;
        if (rowCount > MAX_IMPORT_ROWS + MAX_HEADER_ROWS)
          throw tooLarge(`file: ${sizeAtMost(MAX_IMPORT_ROWS, 'row')}`);
        yield { row, cells };
      }
    }
  }

  private async readSmallPart(part: string, name: string): Promise<Readable> {
    return Readable.from(
      await this.readPart(part, { ...SMALL_PART, part: name }, limits.MAX_SMALL_PART_BYTES),
    );
  }

  private async readPart(part: string, xml: XmlLimits, maxBytes: number): Promise<AsyncIterable<string>> {
    const entry = this.archive.entry(part);
    if (entry === undefined) throw missingParts();
    if (entry.unpackedBytes > maxBytes)
      throw tooLarge(`file: ${xml.part} hold more than ${limits.formatMegabytes(maxBytes)}; send CSV`);
    const chunks = await this.archive.read(part);
    if (chunks === null) throw missingParts();
    return filterXml(chunks, xml);
  }
}

async function withReadErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toReadError(error);
  }
}

const damaged = () => unreadableFile('is a damaged or cut-off .xlsx file');
const missingParts = () =>
  unreadableFile('cannot be read as an .xlsx workbook: parts of it are missing or damaged');

/** Such an error is the file's fault; one of the system (a full disk) is not. */
const isLibraryError = (error: unknown): boolean =>
  !(error instanceof AppError || (error instanceof Error && 'syscall' in error));

function toReadError(error: unknown): unknown {
  if (!isLibraryError(error)) return error;
  // The message of a TypeError names variables of exceljs, not parts of the file.
  if (!(error instanceof Error) || error instanceof TypeError) return missingParts();
  if ('code' in error && String(error.code).startsWith('Z_')) return damaged();
  return unreadableFile(`cannot be read as an .xlsx workbook: ${error.message.slice(0, 120)}`);
}

/** The epoch of spreadsheets; a time without a date is on its first day or the day before. */
const FIRST_YEAR = 1900;

/** Converts a cell: formulas to their results, rich text to plain text, dates to ISO 8601 (without a time at midnight). */
function toSourceCell(value: ExcelJS.CellValue | undefined): SourceCell {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return formatDateTime(value);
  if ('richText' in value) return value.richText.map(({ text }) => text).join('') || null;
  if ('error' in value) return value.error;
  if ('hyperlink' in value) return textOf(value.text);
  if ('formula' in value || 'sharedFormula' in value) {
    const { result } = value;
    return result === undefined ? null : toSourceCell(result);
  }
  return null;
}

/** The text of a link may be rich text, although its type is string. */
function textOf(text: unknown): SourceCell {
  return typeof text === 'object' && text !== null ? toSourceCell(text as ExcelJS.CellValue) : String(text);
}

function formatDateTime(date: Date): string | null {
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString();
  if (date.getUTCFullYear() < FIRST_YEAR) return text.slice(11, 19);
  return text.slice(11, 23) === '00:00:00.000' ? text.slice(0, 10) : text.replace(/(\.000)?Z$/, '');
}
