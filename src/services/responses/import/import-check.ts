import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  MAX_IMPORT_CELLS,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
  type SourceFile,
  type SourceRow,
  TOO_MANY_CELLS,
} from '../../../domain/import/source-file.ts';
import { ImportReport } from '../../../domain/import/import-report.ts';
import type { ColumnMatch } from '../../../domain/import/match-columns.ts';
import type { ImportRowReader, ReadRow } from '../../../domain/import/row-reader.ts';
import { alreadyUsed, duplicateOf, sizeAtMost } from '../../../lib/error-messages.ts';
import { isTimeZone, UTC } from '../../../lib/time-zone.ts';
import { invalid, tooLarge } from '../../../lib/errors.ts';
import type { KnownResponse } from '../../../repositories/responses.ts';
import { checkTimes } from '../response-times.ts';
import type { RowSpool } from './row-spool.ts';

/** Cells read before yielding to the event loop. */
const CELLS_PER_TURN = 10_000;

/** What happens to a row whose submission_id or response_id exists in the survey. */
export type OnExisting = 'skip' | 'update' | 'error';

export interface CheckedRows {
  report: ImportReport;
  created: number;
  /** Created responses that the file marks as tests. */
  tests: number;
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
export function resolveTimeZone({ layout }: SourceFile, surveyZone = UTC): string {
  const ofFile = layout?.timeZone ?? null;
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
    existing: 0,
    existingDeleted: 0,
    updates: 0,
  };
  const seen = new Map<string | number, number>();
  for await (const rows of batchRows(file)) {
    const read = rows.map((row) => use.reader.read(row));
    const known = await findKnown(read, use);
    for (const [i, row] of read.entries()) {
      checkRow(row, seen, use);
      const response = row.problems.length > 0 ? null : known(row);
      if (response !== null && use.onExisting === 'error') {
        addProblem(
          row,
          use.matches,
          idColumn(row),
          alreadyUsed(undefined, `response ${response.response_id}`),
        );
      }
      const accepted = checked.report.add(row, rows[i]!);
      if (row.problems.length > 0) {
        checked.report.recordUnwrittenCells(accepted);
        continue;
      }
      if (response === null) {
        checked.created += 1;
        if (row.metadata.isTest === true) checked.tests += 1;
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
export function testNotes({ tests, created }: CheckedRows): string[] {
  if (tests === 0) return [];
  return [
    `${tests} of ${created} responses are tests or previews: figures exclude them once the survey has other responses`,
  ];
}

/** Checks across cells: contradictory times, and ids that occur twice in the file. */
function checkRow(row: ReadRow, seen: Map<string | number, number>, { matches, now }: CheckContext): void {
  for (const { field, message } of checkTimes(row.metadata, now)) addProblem(row, matches, field, message);
  const ids: [string, string | number | null][] = [
    ['submission_id', row.metadata.submissionId],
    ['response_id', row.responseId],
  ];
  for (const [column, id] of ids) {
    if (id === null) continue;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, row.row);
    else addProblem(row, matches, column, duplicateOf(`the ${column} of row ${first}`));
  }
}

function addProblem(
  row: ReadRow,
  matches: readonly ColumnMatch[],
  columnCode: string,
  message: string,
): void {
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
