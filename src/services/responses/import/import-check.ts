import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredAnswers } from '../../../domain/questions/answers/codec.ts';
import { ImportReport, type RowError } from '../../../domain/import/import-report.ts';
import type { ColumnMatch } from '../../../domain/import/match-columns.ts';
import { isMissingMark } from '../../../domain/import/missing-marks.ts';
import { chooseDecimalMarks, NumberScan } from '../../../domain/import/number-scan.ts';
import type { ImportRowReader, ReadRow } from '../../../domain/import/row-reader.ts';
import {
  MAX_IMPORT_CELLS,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
  type SourceFile,
  type SourceRow,
  TOO_MANY_CELLS,
} from '../../../domain/import/source-file.ts';
import type { DecimalMark } from '../../../domain/numbers/read-number-text.ts';
import { byteFileFromHandle, type FileOnDisk } from '../../../importers/byte-file.ts';
import { alreadyUsed, duplicateOf, sizeAtMost } from '../../../lib/error-messages.ts';
import { type AppError, invalid, invalidFields, tooLarge } from '../../../lib/errors.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../lib/temporary-folder.ts';
import { isTimeZone, UTC } from '../../../lib/time-zone.ts';
import type { KnownResponse } from '../../../repositories/responses.ts';
import { checkTimes } from '../response-rows.ts';

/** Cells read before yielding to the event loop. */
const CELLS_PER_TURN = 4_000;

/** What happens to a row whose submission_id or response_id exists in the survey. */
export type OnExisting = 'skip' | 'update' | 'error';

export interface CheckedRows {
  report: ImportReport;
  created: number;
  /** Created responses that the file marks as tests. */
  tests: number;
  /** Created responses that the file marks as spam. */
  spam: number;
  existing: number;
  /** Existing responses that were deleted. */
  existingDeleted: number;
  /** Rows that may change an existing response. */
  updates: number;
}

export function checkWidth(file: SourceFile): void {
  if (file.columns.length > MAX_IMPORT_COLUMNS)
    throw invalid('file', sizeAtMost(MAX_IMPORT_COLUMNS, 'column', file.columns.length));
}

/** Zone of timestamps without an offset: that of the file, else of the survey, else UTC. */
export function resolveTimeZone({ layout, timeZone }: SourceFile, surveyZone = UTC): string {
  const ofFile = timeZone ?? layout?.timeZone ?? null;
  return ofFile !== null && isTimeZone(ofFile) ? ofFile : surveyZone;
}

/** Yields rows in batches limited by cells, and yields to the event loop in between. */
export async function* batchRows(file: SourceFile, maxRows = MAX_IMPORT_ROWS): AsyncGenerator<SourceRow[]> {
  let count = 0;
  let allCells = 0;
  let turn: SourceRow[] = [];
  let turnCells = 0;
  for await (const rows of file.rows()) {
    count += rows.length;
    if (count > maxRows) throw tooLarge(`file: ${sizeAtMost(maxRows, 'row')}`);
    for (const row of rows) {
      turn.push(row);
      turnCells += Math.max(file.columns.length, row.cells.length);
      if (turnCells < CELLS_PER_TURN) continue;
      allCells += turnCells;
      if (allCells > MAX_IMPORT_CELLS) throw tooLarge(TOO_MANY_CELLS);
      yield turn;
      turn = [];
      turnCells = 0;
      await nextTurn();
    }
  }
  if (turn.length > 0) yield turn;
}

/** How the texts of a file are read. */
export interface ReadingOptions {
  /** Texts that mean "missing" in every column. */
  missingValues: readonly string[];
  /** The mark before decimals; null: inferred from the columns. */
  decimalMark: DecimalMark | null;
}

/**
 * Infers the decimal mark of each column for an import into an existing survey, from all rows; null where it is unknown.
 *
 * @param hasNumbers whether the survey has a number question in the file
 */
export async function inferDecimalMarks(
  file: SourceFile,
  { decimalMark }: ReadingOptions,
  hasNumbers: boolean,
): Promise<{ decimalMarks: (DecimalMark | null)[]; columns: NumberScan[] }> {
  if (file.format === 'sav' || !hasNumbers || decimalMark !== null)
    return { decimalMarks: file.columns.map(() => decimalMark), columns: [] };
  const columns = file.columns.map(() => new NumberScan());
  for await (const rows of batchRows(file)) {
    for (const { cells } of rows) {
      columns.forEach((column, index) => {
        const cell = cells[index] ?? null;
        if (cell !== null && !isMissingMark(String(cell))) column.add(cell);
      });
    }
  }
  chooseDecimalMarks(columns, { declared: null, delimiter: file.delimiter });
  return { decimalMarks: columns.map((column) => column.decimalMark), columns };
}

interface CheckContext {
  matches: readonly ColumnMatch[];
  reader: ImportRowReader;
  onExisting: OnExisting;
  now: Date;
  /** Finds the existing responses with these ids. */
  known: (submissionIds: string[], responseIds: number[]) => Promise<KnownResponse[]>;
  /** Receives the valid rows; null: discard them. */
  spool: RowSpool | null;
}

/** Reads every row of a file and collects all problems before anything is written. */
export async function checkRows(file: SourceFile, use: CheckContext): Promise<CheckedRows> {
  const checked: CheckedRows = {
    report: new ImportReport(use.matches),
    created: 0,
    tests: 0,
    spam: 0,
    existing: 0,
    existingDeleted: 0,
    updates: 0,
  };
  const seen = new Map<string | number, number>();
  for await (const rows of batchRows(file)) {
    const read = rows.map((source) => ({ source, row: use.reader.read(source) }));
    const known = await findKnown(
      read.map(({ row }) => row),
      use,
    );
    for (const { source, row } of read) {
      checkRow(row, seen, use);
      const response = row.problems.length > 0 ? null : known(row);
      if (response !== null && use.onExisting === 'error') {
        addProblem({
          row,
          matches: use.matches,
          columnCode: idColumn(row),
          message: alreadyUsed(undefined, `response ${response.response_id}`),
        });
      }
      const accepted = checked.report.add(row, source);
      if (row.problems.length > 0) {
        checked.report.recordUnwrittenCells(accepted);
        continue;
      }
      if (response === null) {
        checked.created += 1;
        if (row.metadata.isTest === true) checked.tests += 1;
        if (row.metadata.isSpam) checked.spam += 1;
      } else if (use.onExisting === 'update') checked.updates += 1;
      else {
        checked.existing += 1;
        checked.report.recordUnwrittenCells(accepted);
        if (response.is_deleted) checked.existingDeleted += 1;
        continue;
      }
      await use.spool?.add(toSpooledRow(row, response?.response_id ?? null));
    }
  }
  return checked;
}

const idColumn = (row: ReadRow) => (row.metadata.submissionId === null ? 'response_id' : 'submission_id');

/** Notes for the reply about responses that figures may exclude. */
export function testNotes({ tests, spam, created }: CheckedRows): string[] {
  const notes: string[] = [];
  if (tests > 0)
    notes.push(
      `${tests} of ${created} responses are tests or previews: figures exclude them once the survey has other responses`,
    );
  if (spam > 0)
    notes.push(`${spam} of ${created} responses are marked as spam: they are screened out (quality)`);
  return notes;
}

/** Checks across cells: contradictory times, and ids that occur twice in the file. */
function checkRow(
  row: ReadRow,
  seen: Map<string | number, number>,
  { matches, now, reader }: CheckContext,
): void {
  for (const { field, message } of checkTimes(row.metadata, now)) {
    const index = matches.findIndex((match) => match.columnCode === field);
    if (index < 0 || !reader.options.leavesInvalidEmpty)
      addProblem({ row, matches, columnCode: field, message });
    else {
      if (field === 'started_at') row.metadata.startedAt = null;
      else row.metadata.completedAt = null;
      row.outcomes.set(index, { kind: 'unreadable', reason: message });
    }
  }
  const ids: [string, string | number | null][] = [
    ['submission_id', row.metadata.submissionId],
    ['response_id', row.responseId],
  ];
  for (const [column, id] of ids) {
    if (id === null) continue;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, row.row);
    else
      addProblem({ row, matches, columnCode: column, message: duplicateOf(`the ${column} of row ${first}`) });
  }
}

function addProblem({
  row,
  matches,
  columnCode,
  message,
}: {
  row: ReadRow;
  matches: readonly ColumnMatch[];
  columnCode: string;
  message: string;
}): void {
  const index = matches.findIndex((match) => match.columnCode === columnCode);
  row.problems.push({ index, value: null, message });
}

/** Finds the existing response of a row, by submission_id first, then by response_id. */
async function findKnown(
  rows: readonly ReadRow[],
  use: CheckContext,
): Promise<(row: ReadRow) => KnownResponse | null> {
  const submissionIds = rows.flatMap(({ metadata }) => metadata.submissionId ?? []);
  const responseIds = rows.flatMap(({ responseId }) => responseId ?? []);
  if (submissionIds.length === 0 && responseIds.length === 0) return () => null;
  const found = await use.known(submissionIds, responseIds);
  const bySubmission = new Map(found.map((one) => [one.submission_id, one]));
  const byId = new Map(found.map((one) => [one.response_id, one]));
  return ({ metadata: { submissionId }, responseId }) =>
    (submissionId === null ? undefined : bySubmission.get(submissionId)) ??
    (responseId === null ? undefined : byId.get(responseId)) ??
    null;
}

function toSpooledRow(row: ReadRow, responseId: number | null): Parameters<RowSpool['add']>[0] {
  const { startedAt, completedAt, ...metadata } = row.metadata;
  return {
    row: row.row,
    responseId,
    metadata: {
      ...metadata,
      startedAt: startedAt?.toISOString() ?? null,
      completedAt: completedAt?.toISOString() ?? null,
    },
    answers: row.answers,
    endReason: row.end?.reason ?? null,
  };
}

const MAX_DETAILS = 100;

/** A 400 error that lists the invalid rows because of which nothing is written. */
export function invalidRowsError(errors: readonly RowError[]): AppError {
  return invalidFields(
    errors
      .flatMap(({ row, details }) =>
        details.map(({ column, message }) => ({
          field: `rows[${row}]${column === '' ? '' : `.${column}`}`,
          message,
        })),
      )
      .slice(0, MAX_DETAILS),
  );
}

/** A checked row that waits to be written. */
export interface SpooledRow {
  row: number;
  /** The existing response to update; null: create one. */
  responseId: number | null;
  metadata: Omit<ReadRow['metadata'], 'startedAt' | 'completedAt'> & {
    startedAt: string | null;
    completedAt: string | null;
  };
  answers: StoredAnswers;
  endReason: string | null;
}

const MAX_ROWS_AT_ONCE = 1_000;
const MAX_CHARACTERS_AT_ONCE = 4_000_000;

/** Stores rows on disk between checking and writing, so that memory does not grow with the file. */
export class RowSpool<Row = SpooledRow> {
  count = 0;
  private readonly filePath: string;
  private readonly stream: WriteStream;

  constructor(folder: string) {
    this.filePath = path.join(folder, 'rows');
    this.stream = createWriteStream(this.filePath, { mode: 0o600 });
  }

  async add(row: Row): Promise<void> {
    this.count += 1;
    if (!this.stream.write(`${JSON.stringify(row)}\n`)) await once(this.stream, 'drain');
  }

  async close(): Promise<void> {
    if (this.stream.closed) return;
    this.stream.end();
    await once(this.stream, 'close');
  }

  /** Yields rows in chunks of one statement each. Call `close` first. */
  async *chunks(): AsyncGenerator<Row[]> {
    const lines = createInterface({ input: createReadStream(this.filePath), crlfDelay: Infinity });
    let rows: Row[] = [];
    let characters = 0;
    for await (const line of lines) {
      rows.push(JSON.parse(line) as Row);
      characters += line.length;
      if (rows.length < MAX_ROWS_AT_ONCE && characters < MAX_CHARACTERS_AT_ONCE) continue;
      yield rows;
      rows = [];
      characters = 0;
    }
    if (rows.length > 0) yield rows;
  }
}

/** Stores an uploaded file in a temporary folder and removes it when `work` has ended. */
export async function withUploadedFile<T>(
  chunks: AsyncIterable<Buffer>,
  work: (file: FileOnDisk, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await createTemporaryFolder('import');
  try {
    const file = path.join(folder, 'upload');
    const handle = await open(file, 'wx+', 0o600);
    try {
      let sizeBytes = 0;
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
        sizeBytes += chunk.length;
      }
      return await work(byteFileFromHandle(handle, file, sizeBytes), folder);
    } finally {
      await handle.close();
    }
  } finally {
    await removeTemporaryFolder(folder);
  }
}
