import type { SurveyScope } from '../../domain/access/scopes.ts';
import {
  type CatalogColumn,
  type ColumnCatalog,
  listQuestionCodes,
} from '../../domain/dataset/column-catalog.ts';
import type { Dataset } from '../../domain/dataset/dataset.ts';
import type { CompiledFilter } from '../../domain/dataset/filter/filter.ts';
import {
  type InclusionCounts,
  narrowToUpdateWindow,
  selectAndCountRows,
  type Selection,
  UPDATED_AT,
  type UpdateWindow,
} from '../../domain/dataset/filter/select-rows.ts';
import type { ColumnSpec } from '../../domain/columns/column-spec.ts';
import { hasExactCells } from '../../domain/dataset/read-cells.ts';
import type { ResponseRow } from '../../domain/responses/response-row.ts';
import { listResponseIds, sortResponseIds } from '../../domain/dataset/sort-rows.ts';
import { runYielding } from '../../lib/concurrency.ts';
import { concurrentChange } from '../../lib/error-messages.ts';
import { invalid, notFound, unavailable } from '../../lib/errors.ts';
import { requireItem, requireValue } from '../../lib/require-value.ts';
import { getTimeZone } from '../../lib/time-zone.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { OpenSnapshot, Store } from '../../repositories/store.ts';
import type { DatasetService, OpenDataset } from './datasets.ts';
import { openRange, readOrDiscardSnapshot, readSnapshot } from './snapshot-reader.ts';
import {
  collectLoadCodes,
  compileFilter,
  requireColumn,
  type ResponseSelection,
} from './requested-columns.ts';

/** Responses that one statement reads. A selection of fewer needs no snapshot. */
const CHUNK_ROWS = 250;
/**
 * Cells fetched and written at a time: few enough for the young-generation garbage collector to free them, and to leave the event loop free
 * when a survey has hundreds of columns.
 */
const CHUNK_CELLS = 50_000;
const MIN_CHUNK_ROWS = 20;
/** Less than this part (an eighth) of a range of the column snapshot is read faster from the responses. */
const LEAST_PART_OF_RANGE = 1 / 8;
/** How often rows are selected again because they changed before they were read. */
const MAX_SELECTIONS = 5;

/** Options of clients that synchronize a copy of the responses. */
export interface SyncSelection {
  /** Only responses changed within it; resolve it with `resolveWindow` before reading rows. */
  window?: UpdateWindow;
  /** Includes deleted responses, without their answers. */
  includeDeleted?: boolean;
}

interface RowsRequest extends ResponseSelection, SyncSelection {
  /** Columns of each row. May throw errors of the request. */
  columns: (catalog: ColumnCatalog) => readonly CatalogColumn[];
  sort: { column: string; descending: boolean } | null;
  /** Where the page starts; null: with the first response. */
  start: PageStart | null;
  /** null: no limit. */
  limit: number | null;
  /** The rows are only read with `createRowReader`: answers whose cells a column snapshot has are left out. */
  isCellsOnly?: boolean;
}

/** After a response, or at a position (from 0) in the order. */
type PageStart = { afterId: number } | { position: number };

/** Responses in order, read while they are consumed. */
export interface SelectedRows {
  columns: readonly CatalogColumn[];
  /** Source of the derived columns in cellGroups. */
  dataset: Dataset;
  /** Number of matching responses on all pages. */
  total: number;
  counted: InclusionCounts;
  /** Last response of this page; null if there are no further pages. */
  nextAfterId: number | null;
  /** Consistent as of one point in time, whatever is changed meanwhile. */
  chunks: AsyncIterable<RowChunk>;
}

export interface RowChunk {
  rows: ResponseRow[];
  /** Source of the derived columns of these rows in cellGroups. */
  dataset: Dataset;
  /** Has the cells of the answers that the rows leave out; null: they have all answers. */
  stored: Dataset | null;
}

/** Rows selected on a dataset. */
interface RowSelection {
  open: OpenDataset;
  columns: readonly CatalogColumn[];
  /** Ids of the page, in order. */
  ids: Float64Array;
  total: number;
  counted: InclusionCounts;
  hasMore: boolean;
}

/** Consecutive responses of a selection, from `start` to before `end`, that are read in the same way. */
interface RowsPart extends Pick<RowChunk, 'stored'> {
  start: number;
  end: number;
  /** Of the answers that the rows have; null: all. */
  questionCodes: readonly string[] | null;
}

/** Reads in one database snapshot. When a replica fails, continues on the primary. */
class ConsistentReading {
  private last: Promise<unknown> = Promise.resolve();

  /** `reopen`: opens a snapshot on the primary in which the responses from a position on are unchanged. */
  constructor(
    private view: OpenSnapshot,
    private readonly reopen: (position: number) => Promise<OpenSnapshot>,
  ) {}

  /** Starts a read for the responses from a position on. Reads must not overlap. */
  start<T>(position: number, read: (repositories: Repositories) => Promise<T>): Promise<T> {
    const reading = this.readOrReopen(position, read);
    // Prevents an unhandled rejection; the caller gets the error when it awaits the result.
    this.last = reading.catch(() => undefined);
    return reading;
  }

  async end(): Promise<void> {
    await this.last;
    await this.view.end();
  }

  private async readOrReopen<T>(
    position: number,
    read: (repositories: Repositories) => Promise<T>,
  ): Promise<T> {
    const { view } = this;
    try {
      return await read(view.read);
    } catch (error) {
      if (!view.isReplicaFailure(error)) throw error;
    }
    await view.end();
    this.view = await this.reopen(position);
    return read(this.view.read);
  }
}

/** Selects responses on the dataset and reads them from the database. */
export class ResponseReader {
  constructor(
    private readonly store: Store,
    private readonly datasets: DatasetService,
  ) {}

  /** The end of the window is the time up to which later reads are complete. */
  resolveWindow(
    scope: SurveyScope,
    request: { sinceMs: number | null; untilMs: number | null },
  ): Promise<UpdateWindow> {
    return resolveUpdateWindow(this.store, scope.surveyId, request);
  }

  /** Selects and orders responses on the dataset, and reads the rows from the database in chunks. */
  async readRows(scope: SurveyScope, request: RowsRequest): Promise<SelectedRows> {
    const rowSelection = await this.selectRows(scope, request);
    const { columns, open, ids, total, counted, hasMore } = rowSelection;
    return {
      columns,
      dataset: open.dataset,
      total,
      counted,
      nextAfterId: hasMore ? requireItem(ids, -1, 'response id') : null,
      chunks: this.readChunks(scope, request, rowSelection),
    };
  }

  /** `earlier`: a previous selection whose columns and filter definitions are used again. */
  private async selectRows(
    scope: SurveyScope,
    request: RowsRequest,
    earlier: RowSelection | null = null,
  ): Promise<RowSelection> {
    const resolve = (catalog: ColumnCatalog) => {
      const filter = compileFilter(request.filter, catalog);
      const sortColumn = request.sort === null ? null : requireColumn(catalog, request.sort.column, 'sort');
      const columns = request.columns(catalog);
      // All other columns are read from the rows.
      const derivedColumns = columns.filter(({ origin }) => origin.kind === 'derived');
      const updatedAt = hasUpdateWindow(request) ? requireValue(catalog.find(UPDATED_AT), UPDATED_AT) : null;
      const loadCodes = collectLoadCodes([sortColumn, updatedAt, ...derivedColumns], filter);
      return { filter, sortColumn, columns, loadCodes };
    };
    const open = await this.datasets.openFor(scope.surveyId, resolve, earlier?.open);
    const { sort } = request;
    const { filter, sortColumn, columns } = open.resolved;
    const selection = { ...request, filter: withWindow(filter, request) };
    const { mask, counted } = selectAndCountRows(open.dataset, selection);
    const all =
      sortColumn === null || sort === null
        ? listResponseIds(open.dataset, mask)
        : await runYielding(
            sortResponseIds(open.dataset, mask, { column: sortColumn, descending: sort.descending }),
          );
    const start = findPageStart(all, request);
    const ids = all.subarray(start, request.limit === null ? undefined : start + request.limit);
    return { open, columns, ids, total: all.length, counted, hasMore: start + ids.length < all.length };
  }

  /** Ids of the selected responses, in order. */
  async listIds(
    scope: SurveyScope,
    request: ResponseSelection,
  ): Promise<{ ids: Float64Array; counted: InclusionCounts }> {
    const { dataset, resolved: resolvedFilter } = await this.datasets.openFor(scope.surveyId, (catalog) =>
      compileFilter(request.filter, catalog),
    );
    const { mask, counted } = selectAndCountRows(dataset, { ...request, filter: resolvedFilter });
    return { ids: listResponseIds(dataset, mask), counted };
  }

  private async *readChunks(
    scope: SurveyScope,
    request: RowsRequest,
    first: RowSelection,
  ): AsyncGenerator<RowChunk> {
    const { surveyId } = scope;
    if (first.ids.length === 0) return;
    if (first.ids.length <= CHUNK_ROWS) {
      // A single statement is consistent.
      const { dayZone } = first.open;
      const rows = await this.store.read.responseData.listByIds({
        surveyId,
        dayZone,
        responseIds: Array.from(first.ids),
      });
      yield { rows, dataset: first.open.dataset, stored: null };
      return;
    }
    const { chosen, view } = await this.openConsistentView(scope, request, first);
    const { ids, open, columns } = chosen;
    const { dataset, dayZone } = open;
    const reading = new ConsistentReading(view, (start) =>
      this.reopenOnPrimary(surveyId, open, ids.subarray(start)),
    );
    const chunkRows = rowsOfChunk(columns.length);
    try {
      for await (const part of this.splitByStorage(reading, { surveyId, request, selection: chosen })) {
        if (part.start === part.end) continue;
        const { stored, questionCodes } = part;
        const read = (start: number) => {
          const responseIds = Array.from(ids.subarray(start, Math.min(start + chunkRows, part.end)));
          return reading.start(start, ({ responseData }) =>
            responseData.listByIds({ surveyId, dayZone, responseIds, questionCodes }),
          );
        };
        let next = read(part.start);
        for (let start = part.start; start < part.end; start += chunkRows) {
          const rows = await next;
          // Prefetches the next rows while these are written.
          if (start + chunkRows < part.end) next = read(start + chunkRows);
          yield { rows, dataset, stored };
        }
      }
    } finally {
      await reading.end();
    }
  }

  /** Splits a selection into the responses of each range of the column snapshot that can be read from it, and the others. */
  private async *splitByStorage(
    reading: ConsistentReading,
    {
      surveyId,
      request,
      selection: { ids, open, columns },
    }: { surveyId: number; request: RowsRequest; selection: RowSelection },
  ): AsyncGenerator<RowsPart> {
    const { catalog, dayZone } = open;
    const answers = columns.filter(({ origin }) => origin.kind === 'question');
    const loadCodes = answers
      .filter(({ spec }) => !FROM_RESPONSES.has(spec.type))
      .flatMap((column) => column.loadCodes);
    const usesSnapshot = request.isCellsOnly === true && request.sort === null && loadCodes.length > 0;
    const snapshot = usesSnapshot
      ? await reading.start(0, (read) => readSnapshot(read, surveyId, dayZone, { isOfRanges: true }))
      : null;
    let start = 0;
    for (const range of snapshot?.ranges ?? []) {
      const end = countUpTo(ids, range.last_id);
      const isWorthReading = end - start >= range.rows * LEAST_PART_OF_RANGE;
      const stored =
        snapshot === null || !isWorthReading
          ? null
          : await readOrDiscardSnapshot(this.store, surveyId, () =>
              reading.start(start, (read) =>
                openRange({ read, surveyId, catalog, snapshot, range, loadCodes }),
              ),
            );
      const inRows = stored === null ? null : answers.filter((column) => !hasExactCells(stored, column));
      yield { start, end, stored, questionCodes: inRows === null ? null : listQuestionCodes(inRows) };
      start = end;
    }
    yield { start, end: ids.length, stored: null, questionCodes: null };
  }

  /** Continues on the primary after a replica failed. Throws 503 if a remaining row has changed since it was selected. */
  private async reopenOnPrimary(
    surveyId: number,
    { watermark }: OpenDataset,
    ids: Float64Array,
  ): Promise<OpenSnapshot> {
    const view = await this.store.openSnapshot({ preferReplica: false });
    try {
      if (!(await view.read.responseData.filterChanged(surveyId, watermark, ids))) return view;
    } catch (error) {
      await view.end();
      throw error;
    }
    await view.end();
    throw unavailable(concurrentChange('The responses'), 1, 'try_again');
  }

  /** Opens a database snapshot in which the selected rows are unchanged; selects them again if they have changed. */
  private async openConsistentView(
    scope: SurveyScope,
    request: RowsRequest,
    first: RowSelection,
  ): Promise<{ chosen: RowSelection; view: OpenSnapshot }> {
    let rowSelection = first;
    let preferReplica = true;
    for (let attempt = 0; attempt < MAX_SELECTIONS; attempt += 1) {
      const view = await this.store.openSnapshot({ preferReplica });
      const { watermark } = rowSelection.open;
      try {
        const { responseData } = view.read;
        if (!(await responseData.filterChanged(scope.surveyId, watermark, rowSelection.ids)))
          return { chosen: rowSelection, view };
      } catch (error) {
        preferReplica = !view.isReplicaFailure(error);
        await view.end();
        if (preferReplica) throw error;
        continue;
      }
      await view.end();
      // Keeps the definitions, because the head of the reply may already be written.
      rowSelection = await this.selectRows(scope, request, first);
    }
    throw unavailable(concurrentChange('The responses'), 1, 'try_again');
  }
}

const rowsOfChunk = (columns: number): number =>
  Math.min(CHUNK_ROWS, Math.max(MIN_CHUNK_ROWS, Math.floor(CHUNK_CELLS / Math.max(1, columns))));

/**
 * Columns that are always read from the responses: texts would need much memory for a whole range, and dates are not stored as they were
 * written. The texts beside options are few, and are loaded with their questions.
 */
const FROM_RESPONSES: ReadonlySet<ColumnSpec['type']> = new Set(['text', 'file', 'date']);

/** How many of the ascending ids are at most `lastId`. */
function countUpTo(ids: Float64Array, lastId: number): number {
  const index = ids.findIndex((id) => id > lastId);
  return index < 0 ? ids.length : index;
}

const hasUpdateWindow = ({ window }: SyncSelection): boolean =>
  window !== undefined && window.sinceMs !== null;

function withWindow(filter: CompiledFilter | undefined, request: SyncSelection): Selection['filter'] {
  const { window } = request;
  if (window === undefined || window.sinceMs === null) return filter;
  return {
    narrow(dataset, mask) {
      filter?.narrow(dataset, mask);
      narrowToUpdateWindow(dataset, mask, window);
    },
  };
}

/** Without a sort, a page continues after `afterId` even if that response is no longer selected, for example because it was changed. */
function findPageStart(
  ids: Float64Array,
  { start: pageStart, sort }: Pick<RowsRequest, 'start' | 'sort'>,
): number {
  if (pageStart === null) return 0;
  if ('position' in pageStart) return Math.min(pageStart.position, ids.length);
  const { afterId } = pageStart;
  const index = sort === null ? ids.findIndex((id) => id > afterId) : ids.indexOf(afterId) + 1;
  if (sort === null) return index < 0 ? ids.length : index;
  if (index === 0)
    throw invalid('cursor', 'its response is no longer selected; start again without a cursor');
  return index;
}

/**
 * Resolves the window of changes that a client requests. Call it before reading the responses: everything written before the end of the
 * window is then visible. `untilMs` null: the latest possible end; else the end that the first page of the same window had. Response times
 * of an anonymous survey are shown as days (in its time zone), so its windows are whole days: today's changes appear tomorrow.
 */
async function resolveUpdateWindow(
  store: Store,
  surveyId: number,
  { sinceMs, untilMs }: { sinceMs: number | null; untilMs: number | null },
): Promise<UpdateWindow> {
  const watermark = await store.read.responseSegments.findCommitWatermark(surveyId);
  if (watermark === null) throw notFound('survey');
  const { day_zone: zone } = watermark;
  const rounded = (ms: number) => (zone === null ? ms : getTimeZone(zone).startOfDayMs(ms));
  const since = sinceMs === null ? null : rounded(sinceMs);
  const until = rounded(untilMs ?? watermark.until_ms);
  // A long-running transaction may move the end before the start: the window is then empty, and the next one contains its changes.
  return { sinceMs: since, untilMs: Math.max(until, since ?? until) };
}
