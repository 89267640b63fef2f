import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import {
  type ChangedCell,
  listChangedCells,
  stateAfterChange,
} from '../../../domain/dataset/changed-cells.ts';
import { countChangedCells } from '../../../domain/dataset/edit-cells.ts';
import {
  type AnswerStates,
  createEditPatch,
  type ResponsePatch,
} from '../../../domain/responses/response-row.ts';
import type { computedTransform } from '../../../domain/transforms/computed.ts';
import type { Transform } from '../../../domain/transforms/registry.ts';
import type { Clock } from '../../../lib/clock.ts';
import { KeyedMutex } from '../../../lib/concurrency.ts';
import { conflict, notFound } from '../../../lib/errors.ts';
import { requireValue } from '../../../lib/require-value.ts';
import type { DataChangeRow, EditableRow } from '../../../repositories/data-changes.ts';
import { catalogOf } from '../../../repositories/derived-columns.ts';
import type { IdPage } from '../../../repositories/list-queries.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import type { ColumnBefore, DerivedColumnFields } from '../../../repositories/tables/responses.ts';
import { QuotaRecount } from '../../field/quotas.ts';
import { lockSurvey, refuseRestoredClash } from '../../surveys/survey-lock.ts';

/** Recounts the quotas of the survey's waves after a change of data. Costs one query if the survey has no quotas. */
class QuotaRecounter {
  private waves: Promise<number[]> | null = null;
  private codes: ReadonlySet<string> | null = null;
  private recount: QuotaRecount | null = null;

  constructor(
    private readonly repositories: Repositories,
    private readonly surveyId: number,
    private readonly clock: Clock,
  ) {}

  /** Writes locked responses and reassigns them to their quota cells. */
  async recountAround(
    rows: readonly { responseId: number; after: ResponsePatch }[],
    write: () => Promise<void>,
  ): Promise<void> {
    const waves = await this.listWavesWithQuotas();
    if (waves.length === 0) return write();
    this.codes ??= await this.repositories.quotas.listQuestionCodes(this.surveyId);
    const { codes } = this;
    const affectedRows = rows.filter(({ after }) => affectsQuotas(after, codes));
    if (affectedRows.length === 0) return write();
    await this.recountResponses(
      affectedRows.map(({ responseId }) => responseId),
      write,
    );
  }

  /** Does the same for all responses restored by undoing a change. */
  async recountAroundUndo(changeId: number, write: () => Promise<void>): Promise<void> {
    if ((await this.listWavesWithQuotas()).length === 0) return write();
    const ids = await this.repositories.dataChanges.listResponseIds(this.surveyId, changeId);
    await this.repositories.quotas.lockCountedResponses(this.surveyId, ids);
    await this.recountResponses(ids, write);
  }

  private async recountResponses(responseIds: readonly number[], write: () => Promise<void>): Promise<void> {
    this.recount ??= await QuotaRecount.open({
      repositories: this.repositories,
      surveyId: this.surveyId,
      waveIds: await this.listWavesWithQuotas(),
      clock: this.clock,
    });
    await write();
    await this.recount.recountResponses(responseIds);
  }

  private listWavesWithQuotas(): Promise<number[]> {
    this.waves ??= this.repositories.quotas.listWavesWithQuotas(this.surveyId);
    return this.waves;
  }
}

function affectsQuotas(
  { status, deletedAt, answers = {} }: ResponsePatch,
  codes: ReadonlySet<string>,
): boolean {
  return (
    status !== undefined || deletedAt !== undefined || Object.keys(answers).some((code) => codes.has(code))
  );
}

/**
 * Locks all responses of a change in advance if the survey has quotas: a transaction that holds a wave must not wait for a response (see
 * repositories/reservations.ts).
 */
export async function lockForQuotas(
  { quotas }: Repositories,
  surveyId: number,
  responseIds: () => Promise<readonly number[]>,
): Promise<void> {
  if ((await quotas.listWavesWithQuotas(surveyId)).length === 0) return;
  await quotas.lockCountedResponses(surveyId, await responseIds());
}

/** Operations on collected data, as the change log names them. */
export type DataOperation =
  | 'edit'
  | 'bulk_delete'
  | 'bulk_status'
  | 'bulk_flag'
  | 'bulk_leave_out'
  | 'find_replace'
  | 'restore_originals'
  | Transform['kind']
  | (typeof computedTransform)['changeOperation']
  | 'column_changed'
  | 'column_deleted'
  | 'weighting'
  | 'weighting_refresh'
  | 'text_coding'
  | 'quality_check'
  | 'quality_review'
  | 'import';

interface ChangeRequest {
  operation: DataOperation;
  reason?: string | null | undefined;
  /** Affected columns; empty: responses as a whole. */
  columnCodes: readonly string[];
  /** Further details for the change log: counts and parameters, never answers. */
  details?: Record<string, unknown> | undefined;
  /** Runs everything, then rolls back; the result is what it would be. */
  dryRun: boolean;
}

export interface ChangedData<T> {
  /** null if nothing changed or for a dry run. */
  changeId: number | null;
  rowsChanged: number;
  cellsChanged: number;
  result: T;
}

export interface RowChange {
  responseId: number;
  before: ResponsePatch;
  after: ResponsePatch;
  /** Default 1. */
  cells?: number;
}

/** A change in progress. */
export class OpenChange {
  rowsChanged = 0;
  cellsChanged = 0;
  readonly columnsBefore: ColumnBefore[] = [];
  private readonly surveyId: number;
  private readonly userId: number;
  private readonly quotas: QuotaRecounter;

  constructor(
    scope: SurveyScope,
    private readonly repositories: Repositories,
    readonly changeId: number,
    clock: Clock,
  ) {
    this.surveyId = scope.surveyId;
    this.userId = scope.userId;
    this.quotas = new QuotaRecounter(repositories, scope.surveyId, clock);
  }

  /** Changes locked responses, up to a few thousand per call. Each response may occur only once per change. */
  async patchResponses(rows: readonly RowChange[]): Promise<void> {
    if (rows.length === 0) return;
    await this.quotas.recountAround(rows, () =>
      this.repositories.dataChanges.patch(this.surveyId, this.changeId, rows),
    );
    this.rowsChanged += rows.length;
    for (const { cells = 1 } of rows) this.cellsChanged += cells;
  }

  /** Records responses that this change has created; undoing it deletes them with `at` as their deletion time. */
  async recordCreated(responseIds: readonly number[], at: Date): Promise<void> {
    if (responseIds.length === 0) return;
    await this.repositories.dataChanges.recordCreated({
      surveyId: this.surveyId,
      changeId: this.changeId,
      responseIds,
      deletedAt: at,
    });
    this.rowsChanged += responseIds.length;
  }

  /** Creates, changes or (with deleted_at) deletes a derived column. */
  async putColumn(columnId: number, fields: DerivedColumnFields): Promise<void> {
    const { derivedColumns } = this.repositories;
    const before = await derivedColumns.findFields(this.surveyId, columnId);
    this.columnsBefore.push({ column_id: columnId, before });
    await derivedColumns.saveColumn({ surveyId: this.surveyId, columnId, userId: this.userId, fields });
  }

  get isEmpty(): boolean {
    return this.rowsChanged === 0 && this.columnsBefore.length === 0;
  }
}

/**
 * Runs every change of collected data, from an edited cell to a weight: in one transaction, one at a time per survey, with entries in the
 * change log and the audit log. Changes can be tried (`dryRun`) and undone.
 */
export class DataChangeService {
  /** Requests for a survey wait here, before they take a connection from the pool. */
  private readonly surveyMutex = new KeyedMutex<number>();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /**
   * `work` must use only the repositories that it receives: a second connection could cause a deadlock when the pool is exhausted. A change
   * without effect is not logged.
   */
  run<T>(
    scope: SurveyScope,
    request: ChangeRequest,
    work: (repositories: Repositories, change: OpenChange) => Promise<T>,
  ): Promise<ChangedData<T>> {
    return this.surveyMutex.run(scope.surveyId, () => this.runLocked(scope, request, work));
  }

  private async runLocked<T>(
    scope: SurveyScope,
    request: ChangeRequest,
    work: (repositories: Repositories, change: OpenChange) => Promise<T>,
  ): Promise<ChangedData<T>> {
    return this.store.transactionOrDryRun(request.dryRun, async (repositories) => {
      await lockSurvey(repositories, scope);
      const changeId = await repositories.dataChanges.reserveId();
      const change = new OpenChange(scope, repositories, changeId, this.clock);
      const result = await work(repositories, change);
      const { rowsChanged, cellsChanged, columnsBefore, isEmpty } = change;
      const outcome: ChangedData<T> = { changeId: null, rowsChanged, cellsChanged, result };
      if (request.dryRun || isEmpty) return outcome;
      const { operation, columnCodes, reason = null, details = {} } = request;
      const entry = {
        changeId,
        operation,
        userId: scope.userId,
        reason,
        columnCodes,
        rowsChanged,
        cellsChanged,
      };
      await repositories.dataChanges.add(scope.surveyId, { ...entry, details, columnsBefore });
      await recordAudit({
        repositories,
        scope,
        action: operation,
        details: {
          change_id: changeId,
          rows: rowsChanged,
          cells: cellsChanged,
          columns: columnCodes,
        },
      });
      return { ...outcome, changeId };
    });
  }

  /** Latest first. */
  async list(scope: SurveyScope, page: IdPage): Promise<{ found: DataChangeRow[]; total: number }> {
    return this.store.snapshot(async ({ dataChanges }) => {
      const found = await dataChanges.list(scope.surveyId, page);
      return { found, total: await dataChanges.count(scope.surveyId) };
    });
  }

  /** The cells that a change set, by response_id. Throws 404. */
  async listRows(
    scope: SurveyScope,
    changeId: number,
    page: IdPage,
  ): Promise<{ found: { responseId: number; cells: ChangedCell[] }[]; total: number }> {
    return this.store.snapshot(async (repositories) => {
      const { dataChanges } = repositories;
      const change = await dataChanges.find(scope.surveyId, changeId);
      if (change === null) throw notFound('change');
      const { found, total } = await dataChanges.listChangedRows(scope.surveyId, changeId, page);
      const catalog = await readCatalog(repositories, scope.surveyId);
      const rows = found.map(({ responseId, before, later, current }) => {
        const after = change.undone_at === null ? stateAfterChange(before, later, current) : null;
        return { responseId, cells: listChangedCells(catalog, before, after) };
      });
      return { found: rows, total };
    });
  }

  /** Restores responses and columns to their state before the change. Throws 409 if later changes have not been undone. */
  undo(scope: SurveyScope, changeId: number): Promise<DataChangeRow> {
    return this.surveyMutex.run(scope.surveyId, () => this.undoLocked(scope, changeId));
  }

  private undoLocked(scope: SurveyScope, changeId: number): Promise<DataChangeRow> {
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const { dataChanges, derivedColumns } = repositories;
      const change = await dataChanges.find(scope.surveyId, changeId);
      if (change === null) throw notFound('change');
      if (change.undone_at !== null) throw conflict('already_undone', 'This change has been undone already');
      if (change.columns_before.some(({ erased }) => erased === true)) {
        throw conflict(
          'column_erased',
          `Change ${changeId} cannot be undone: it concerns a derived column (${change.column_codes.join(', ')}) that was deleted and is erased since`,
        );
      }
      const later = await dataChanges.listLaterNotUndone(scope.surveyId, changeId);
      if (later.length > 0) {
        throw conflict(
          'later_changes',
          `Changes are undone latest first: undo ${later.join(', ')} before ${changeId}`,
        );
      }
      const quotas = new QuotaRecounter(repositories, scope.surveyId, this.clock);
      await quotas.recountAroundUndo(changeId, () => dataChanges.restoreRows(scope.surveyId, changeId));
      for (const { column_id: columnId, before } of change.columns_before.toReversed()) {
        const now = await derivedColumns.findFields(scope.surveyId, columnId);
        const fields = before ?? {
          ...requireValue(now, 'column of a change'),
          deleted_at: new Date().toISOString(),
        };
        await derivedColumns.saveColumn({ surveyId: scope.surveyId, columnId, userId: null, fields });
      }
      const restored = change.columns_before.flatMap(({ before }) => before?.column_code ?? []);
      await refuseRestoredClash(repositories, scope, restored);
      await dataChanges.markUndone(scope.surveyId, changeId, scope.userId);
      await recordAudit({
        repositories,
        scope,
        action: 'undone',
        details: { change_id: changeId, operation: change.operation },
      });
      return requireValue(await dataChanges.find(scope.surveyId, changeId), 'change');
    });
  }
}

function recordAudit({
  repositories,
  scope,
  action,
  details,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  action: string;
  details: Record<string, unknown>;
}): Promise<void> {
  return repositories.audit.record({
    by: scope,
    action: `data.${action}`,
    objectType: 'survey',
    objectId: scope.surveyId,
    details,
  });
}

/** Large enough for efficient statements, small enough not to block the event loop. */
const ROWS_PER_CHUNK = 2_000;

/**
 * Locks responses until the end of the transaction and yields them in chunks, without deleted ones. The ids must ascend: all transactions
 * lock in this order, which prevents deadlocks.
 */
export async function* lockInChunks(
  repositories: Repositories,
  surveyId: number,
  ids: readonly number[],
): AsyncGenerator<EditableRow[]> {
  if (ids.length > ROWS_PER_CHUNK) await lockForQuotas(repositories, surveyId, () => Promise.resolve(ids));
  for (let start = 0; start < ids.length; start += ROWS_PER_CHUNK) {
    if (start > 0) await nextTurn();
    const rows = await repositories.dataChanges.lockRows(surveyId, ids.slice(start, start + ROWS_PER_CHUNK));
    yield rows.filter((row) => row.deleted_at === null);
  }
}

/** Reads the columns in this transaction. The survey is locked, so no question changes meanwhile. */
export async function readCatalog(
  { definitions, derivedColumns }: Repositories,
  surveyId: number,
): Promise<ColumnCatalog> {
  const definition = await definitions.loadDraft(surveyId);
  return catalogOf(definition, await derivedColumns.loadCurrent(surveyId));
}

/** The change that gives a response these answers; null if it already has them. */
export function toRowChange(
  catalog: ColumnCatalog,
  row: EditableRow,
  wanted: AnswerStates,
): RowChange | null {
  const patch = createEditPatch(row, wanted);
  if (patch === null) return null;
  const cells = countChangedCells(catalog, patch.before.answers, patch.after.answers);
  return { responseId: row.response_id, ...patch, cells };
}
