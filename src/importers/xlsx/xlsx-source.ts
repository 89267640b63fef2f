import type { LayoutName, SourceFile } from '../../domain/import/source-file.ts';
import { type FileOnDisk, unreadableFile } from '../byte-file.ts';
import { questionnaireError, openTable } from '../table-source.ts';
import { readRowFile } from './row-file.ts';
import { notesOnCells } from './workbook-notes.ts';
import { tooManyConcurrent } from '../../lib/error-messages.ts';
import { AppError, unavailable, unprocessable } from '../../lib/errors.ts';
import { Semaphore } from '../../lib/concurrency.ts';
import { ThreadPool } from '../../lib/thread-pool.ts';
import type { WorkbookSummary, WorkbookRequest } from './read-workbook.ts';

/**
 * A workbook: its sheet "Data", else its first with a value; the first rows hold the names of the columns. It is read once, into a file
 * beside the workbook.
 */
export async function openXlsx(
  { path }: FileOnDisk,
  layout: LayoutName | null,
  workbooks: WorkbookReaderPool,
): Promise<SourceFile> {
  const rowsPath = `${path}.rows`;
  const workbook = await workbooks.read({ path, rowsPath, detectForm: layout === null });
  const { sheetName, sheetCount, rowCount, columns } = workbook;
  if (workbook.isXlsForm) throw questionnaireError('an XLSForm');
  if (rowCount === 0)
    throw unreadableFile(
      `its sheet "${sheetName}" is empty: the first row must hold the names of the columns`,
    );
  const notes = sheetCount > 1 ? [`The sheet "${sheetName}" of ${sheetCount} was read`] : [];
  const lengthColumns = new Set(columns.filter(({ lengths }) => lengths > 0).map(({ column }) => column));
  const timeColumns = new Set(columns.filter(({ times }) => times > 0).map(({ column }) => column));
  const records = () => readRowFile(rowsPath, lengthColumns);
  const notesOnColumns = (headers: readonly string[]) => notesOnCells(columns, headers);
  const table = await openTable(
    { format: 'xlsx', delimiter: null, notes, notesOnColumns, records, unescapeFormulas: false },
    layout,
  );
  return {
    ...table,
    columns: table.columns.map((column, index) =>
      timeColumns.has(index) ? { ...column, times: lengthColumns.has(index) ? 'lengths' : 'clocks' } : column,
    ),
  };
}

/** Workbooks that are read at a time. */
const MAX_CONCURRENT = 2;
/** More than the limits of workbook-limits.ts allow a workbook to take, so that it is never reached. */
const MAX_HEAP_MB = 512;
const IDLE_MS = 60_000;

export type WorkbookReply =
  { read: WorkbookSummary } | { refusal: Pick<AppError, 'kind' | 'code' | 'message' | 'details'> };

interface Limits {
  /** Of one workbook. */
  timeoutMs: number;
  /** How long an upload waits while others are read. */
  waitMs: number;
}

/** Reads .xlsx workbooks on worker threads: their memory and time are bounded, and other requests are served meanwhile. */
export class WorkbookReaderPool {
  private readonly slots = new Semaphore(MAX_CONCURRENT);
  private readonly threads = new ThreadPool('workbook-thread', {
    maxHeapMb: MAX_HEAP_MB,
    idleMs: IDLE_MS,
  });

  constructor(private readonly limits: Limits = { timeoutMs: 60_000, waitMs: 30_000 }) {}

  /** 400, 413 and 422 as `readWorkbook`; 422 beyond the time limit too; 503 when others are read for too long. */
  async read(request: WorkbookRequest): Promise<WorkbookSummary> {
    const { timeoutMs, waitMs } = this.limits;
    const release = await this.slots.acquireWithin(waitMs);
    if (release === null)
      throw unavailable(`${tooManyConcurrent('workbooks')}, or send CSV`, Math.ceil(waitMs / 1000), 'busy');
    const timeout = AbortSignal.timeout(timeoutMs);
    let reply: WorkbookReply;
    try {
      reply = await this.threads.request<WorkbookReply>(request, timeout);
    } catch (error) {
      if (timeout.aborted) throw workbookTooComplex(`takes more than ${timeoutMs / 1000} s to read`);
      if (isOutOfMemory(error))
        throw workbookTooComplex(`takes more than ${MAX_HEAP_MB} MB of memory to read`);
      if (error instanceof Error && 'syscall' in error) throw error;
      // A fault of the reader.
      throw workbookTooComplex(
        `cannot be read (${error instanceof Error ? error.message.slice(0, 120) : 'unknown error'})`,
      );
    } finally {
      release();
    }
    if ('read' in reply) return reply.read;
    const { kind, code, message, details } = reply.refusal;
    throw new AppError(kind, code, message, details);
  }
}

function workbookTooComplex(reason: string): AppError {
  const message = `${reason}; send fewer rows, or CSV`;
  return unprocessable('workbook_too_complex', `file: ${message}`, [{ field: 'file', message }]);
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
