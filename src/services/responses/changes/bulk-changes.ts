import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import { NOT_SHOWN } from '../../../domain/columns/columns.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import {
  applyEdits,
  type ColumnReplacement,
  createColumnReplacement,
  findReplacements,
  type LiteralSearchInput,
  notEditableReason,
  replacementProblem,
  resolveRestoreTarget,
  restoreAllAnswers,
  type RestoreTarget,
  restoreTargets,
} from '../../../domain/dataset/edit-cells.ts';
import type { CompiledFilter } from '../../../domain/dataset/filter/filter.ts';
import { ALL_RESPONSES, selectRows } from '../../../domain/dataset/filter/select-rows.ts';
import type { ResponsePatch, ResponseStatus } from '../../../domain/responses/response-row.ts';
import { addManualFlag, leaveOut, removeManualFlag } from '../../../domain/responses/quality-flag.ts';
import type { Clock } from '../../../lib/clock.ts';
import { mutuallyExclusive, requiredField } from '../../../lib/error-messages.ts';
import { type ErrorDetail, invalid, invalidFields, unprocessableField } from '../../../lib/errors.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import type { DatasetService, OpenDataset } from '../../datasets/datasets.ts';
import { compileFilter, requireColumn } from '../../datasets/requested-columns.ts';
import {
  type DataChangeService,
  type DataOperation,
  lockInChunks,
  readCatalog,
  type RowChange,
  toRowChange,
} from './data-changes.ts';
import { type EditOutcome, toSelectionOutcome } from './response-edits.ts';

/** Selects responses by id or by filter, in any status except deleted. */
interface SelectionCriteria {
  responseIds: readonly number[] | null;
  /** As sent by the client; undefined: no filter. */
  filter: unknown;
  /** Rejects requests without a condition, which would otherwise mean all responses. */
  requiresCondition: boolean;
}

/** The selected responses of a change. */
export interface SelectedResponses {
  /** Responses that the predicate accepts, ascending. */
  ids: number[];
  /** Number of selected responses, including those that the predicate rejects. */
  count: number;
  /** Given ids that do not exist in this survey or are deleted. */
  missing: number[];
}

/** Whether the change has to process this row. Other requests may run between calls. */
type RowPredicate = (dataset: Dataset, row: number) => boolean;

const SELECTED_ROWS_PER_TURN = 5_000;

/** Selects in memory the responses that a change must lock. */
export class ResponseSelector {
  constructor(private readonly datasets: DatasetService) {}

  /** `prepare` returns the load codes. It may throw errors of the request. */
  async select({
    scope,
    criteria,
    prepare,
    isOfInterest,
  }: {
    scope: SurveyScope;
    criteria: SelectionCriteria;
    prepare: (catalog: ColumnCatalog) => Iterable<string>;
    isOfInterest: RowPredicate;
  }): Promise<SelectedResponses> {
    const open = await this.datasets.openFor(scope.surveyId, (catalog) => {
      const filter = compileCriteria(criteria, catalog);
      return { filter, loadCodes: [...prepare(catalog), ...(filter?.loadCodes ?? [])] };
    });
    const { mask, missing } = resolveMask(open, criteria, open.resolved.filter);
    const selected: SelectedResponses = { ids: [], count: 0, missing };
    const { dataset } = open;
    for (let row = 0; row < mask.length; row++) {
      if (row > 0 && row % SELECTED_ROWS_PER_TURN === 0) await nextTurn();
      if (mask[row] !== 1) continue;
      selected.count++;
      if (isOfInterest(dataset, row)) selected.ids.push(dataset.responseIds[row] ?? NaN);
    }
    selected.ids.sort((a, b) => a - b);
    return selected;
  }
}

function compileCriteria(criteria: SelectionCriteria, catalog: ColumnCatalog): CompiledFilter | undefined {
  const hasFilter = criteria.filter !== undefined;
  if (criteria.responseIds !== null) {
    if (hasFilter) throw mutuallyExclusive('filter', 'response_ids');
    return undefined;
  }
  if (!hasFilter) {
    if (criteria.requiresCondition) throw invalid('response_ids', requiredField('unless filter is given'));
    return undefined;
  }
  const filter = compileFilter(criteria.filter, catalog);
  if (criteria.requiresCondition && filter.codes.length === 0)
    throw invalid('filter', 'must not be empty: it would select every response');
  return filter;
}

function resolveMask(
  { dataset }: OpenDataset,
  { responseIds }: SelectionCriteria,
  filter: CompiledFilter | undefined,
): { mask: Uint8Array; missing: number[] } {
  const existing = selectRows(dataset, { ...ALL_RESPONSES, filter });
  if (responseIds === null) return { mask: existing, missing: [] };
  const mask = new Uint8Array(existing.length);
  const missing = new Set<number>();
  for (const id of responseIds) {
    const row = dataset.rowOf(id);
    if (row >= 0 && existing[row] === 1) mask[row] = 1;
    else missing.add(id);
  }
  return { mask, missing: [...missing] };
}

export type BulkAction =
  | { action: 'delete' }
  | { action: 'set_status'; status: ResponseStatus }
  | { action: 'flag' }
  | { action: 'leave_out' }
  | { action: 'unflag' };

interface BulkRequest {
  action: BulkAction;
  responseIds: readonly number[] | null;
  filter: unknown;
  reason: string | null;
  dryRun: boolean;
}

const OPERATIONS: Record<BulkAction['action'], DataOperation> = {
  delete: 'bulk_delete',
  set_status: 'bulk_status',
  flag: 'bulk_flag',
  leave_out: 'bulk_leave_out',
  unflag: 'bulk_flag',
};

/** Applies one action to many responses. */
export class ResponseBulkService {
  constructor(
    private readonly dataChanges: DataChangeService,
    private readonly selector: ResponseSelector,
    private readonly clock: Clock,
  ) {}

  /** Reports unknown ids and changes the other responses. */
  async run(scope: SurveyScope, request: BulkRequest): Promise<EditOutcome> {
    const { action, responseIds, filter, reason, dryRun } = request;
    const selected = await this.selector.select({
      scope,
      criteria: { responseIds, filter, requiresCondition: true },
      prepare: () => [],
      isOfInterest: () => true,
    });
    const now = this.clock.now();
    const changed = await this.dataChanges.run(
      scope,
      { operation: OPERATIONS[action.action], columnCodes: [], details: { ...action }, reason, dryRun },
      async (repositories, change) => {
        for await (const rows of lockInChunks(repositories, scope.surveyId, selected.ids)) {
          const changes = rows.flatMap((row): RowChange[] => {
            const patch = buildPatch({ row, action, now, reason, userId: scope.userId });
            return patch === null ? [] : [{ responseId: row.response_id, ...patch, cells: 0 }];
          });
          await change.patchResponses(changes);
        }
      },
    );
    return toSelectionOutcome(changed, selected);
  }
}

/** Returns null if the response already has this state. */
function buildPatch({
  row,
  action,
  now,
  reason,
  userId,
}: {
  row: EditableRow;
  action: BulkAction;
  now: Date;
  reason: string | null;
  userId: number;
}): { before: ResponsePatch; after: ResponsePatch } | null {
  switch (action.action) {
    case 'delete':
      return { before: { deletedAt: null }, after: { deletedAt: now.toISOString() } };
    case 'set_status':
      return row.response_status === action.status
        ? null
        : buildStatusPatch(row, action.status, now.toISOString());
    case 'flag': {
      const quality = addManualFlag(row.quality, reason);
      return quality && { before: { quality: row.quality }, after: { quality } };
    }
    case 'leave_out': {
      const quality = leaveOut(row.quality, reason, { userId, at: now });
      return quality && { before: { quality: row.quality }, after: { quality } };
    }
    case 'unflag': {
      const quality = removeManualFlag(row.quality);
      return quality === undefined ? null : { before: { quality: row.quality }, after: { quality } };
    }
  }
}

/** A partial response has no end. A response that ended keeps its time, otherwise it ends now, but never before its start. */
function buildStatusPatch(row: EditableRow, status: ResponseStatus, now: string) {
  const before: ResponsePatch = {
    status: row.response_status,
    statusReason: row.status_reason,
    completedAt: row.completed_at,
  };
  const end = new Date(row.started_at) > new Date(now) ? row.started_at : now;
  const completedAt = status === 'partial' ? null : (row.completed_at ?? end);
  return { before, after: { status, statusReason: null, completedAt } };
}

const SEARCHED_ROWS_PER_TURN = 200;
const MAX_DETAILS = 100;

interface FindReplaceRequest extends LiteralSearchInput {
  columnCodes: readonly string[];
  /** The client named one column rather than a list. */
  isSingleColumn: boolean;
  responseIds: readonly number[] | null;
  filter: unknown;
  reason: string | null;
  dryRun: boolean;
}

/** Replaces a text in some columns, in all matching responses or in none. */
export class FindReplaceService {
  constructor(
    private readonly dataChanges: DataChangeService,
    private readonly selector: ResponseSelector,
  ) {}

  async run(scope: SurveyScope, request: FindReplaceRequest): Promise<EditOutcome> {
    let columns: ColumnReplacement[] = [];
    const { responseIds, filter, reason, dryRun, matchCase, matchEntireCell } = request;
    // Searches in memory first: only responses with a match are locked and read.
    const selected = await this.selector.select({
      scope,
      criteria: { responseIds, filter, requiresCondition: false },
      prepare: (catalog) => {
        columns = planReplacements(catalog, request);
        return columns.flatMap(({ entry }) => entry.loadCodes);
      },
      isOfInterest: (dataset, row) =>
        columns.some(({ entry, matches }) => {
          const column = dataset.column(entry);
          return matches(column.cell(row), column.missing(row) !== NOT_SHOWN);
        }),
    });
    const changed = await this.dataChanges.run(
      scope,
      {
        operation: 'find_replace',
        columnCodes: columns.map(({ entry }) => entry.spec.columnCode),
        // The search text may be a respondent's name and must not be logged.
        details: { match_case: matchCase, match_entire_cell: matchEntireCell },
        reason,
        dryRun,
      },
      async (repositories, change) => {
        const catalog = await readCatalog(repositories, scope.surveyId);
        const replacements = planReplacements(catalog, request);
        const problems: ErrorDetail[] = [];
        for await (const rows of lockInChunks(repositories, scope.surveyId, selected.ids)) {
          const changes: RowChange[] = [];
          for (const [index, row] of rows.entries()) {
            if (index > 0 && index % SEARCHED_ROWS_PER_TURN === 0) await nextTurn();
            const patch = replaceInRow({ catalog, row, columns: replacements, problems });
            if (patch !== null) changes.push(patch);
          }
          if (problems.length >= MAX_DETAILS) break;
          if (problems.length === 0) await change.patchResponses(changes);
        }
        if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_DETAILS));
      },
    );
    return toSelectionOutcome(changed, selected);
  }
}

function replaceInRow({
  catalog,
  row,
  columns,
  problems,
}: {
  catalog: ColumnCatalog;
  row: EditableRow;
  columns: readonly ColumnReplacement[];
  problems: ErrorDetail[];
}): RowChange | null {
  const refuse = (message: string) =>
    problems.push({ field: 'replace', message: `response ${row.response_id}, ${message}` });
  const found = findReplacements(row, columns);
  found.problems.forEach(refuse);
  if (found.problems.length > 0 || found.edits.length === 0) return null;
  const result = applyEdits(row, found.edits);
  if (!result.ok) {
    for (const { field, message } of result.problems) refuse(`${field}: ${message}`);
    return null;
  }
  return toRowChange(catalog, row, result.states);
}

/** Resolves each column once. Throws the problems of all columns together. */
function planReplacements(catalog: ColumnCatalog, request: FindReplaceRequest): ColumnReplacement[] {
  if (request.find === '' && !request.matchEntireCell) {
    throw invalid('find', 'must not be empty without match_entire_cell');
  }
  const entries = new Set<CatalogColumn>();
  for (const [index, code] of request.columnCodes.entries()) {
    const field = request.isSingleColumn ? 'column_code' : `column_codes[${index}]`;
    const entry = requireColumn(catalog, code, field);
    const reason = notEditableReason(entry);
    if (reason !== null) throw unprocessableField('not_editable', field, reason);
    entries.add(entry);
  }
  const problems = [...entries].flatMap((entry) => {
    const message = replacementProblem(entry, request.replace);
    return message === null ? [] : [{ field: 'replace', message }];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return [...entries].map((entry) => createColumnReplacement(entry, request));
}

const EDITED = 'edited';
const RESTORED_ROWS_PER_TURN = 500;

interface RestoreRequest {
  responseIds: readonly number[] | null;
  filter: unknown;
  /** null: every column. */
  columnCodes: readonly string[] | null;
  reason: string | null;
  dryRun: boolean;
}

/** Restores the original answers of respondents, regardless of the number of edits. */
export class RestoreOriginalsService {
  constructor(
    private readonly dataChanges: DataChangeService,
    private readonly selector: ResponseSelector,
  ) {}

  async restore(scope: SurveyScope, request: RestoreRequest): Promise<EditOutcome> {
    const { responseIds, filter, columnCodes, reason, dryRun } = request;
    const selected = await this.selector.select({
      scope,
      criteria: { responseIds, filter, requiresCondition: false },
      prepare: (catalog) => {
        resolveParts(catalog, columnCodes);
        return [EDITED];
      },
      isOfInterest: (dataset, row) => dataset.column(EDITED).cell(row) === 1,
    });
    const changed = await this.dataChanges.run(
      scope,
      { operation: 'restore_originals', columnCodes: columnCodes ?? [], reason, dryRun },
      async (repositories, change) => {
        const catalog = await readCatalog(repositories, scope.surveyId);
        const parts = resolveParts(catalog, columnCodes);
        const problems: ErrorDetail[] = [];
        for await (const rows of lockInChunks(repositories, scope.surveyId, selected.ids)) {
          const changes: RowChange[] = [];
          for (const [index, row] of rows.entries()) {
            if (index > 0 && index % RESTORED_ROWS_PER_TURN === 0) await nextTurn();
            const result = parts === null ? restoreAllAnswers(row) : restoreTargets(row, parts, catalog);
            if (!result.ok) {
              for (const { field, message } of result.problems)
                problems.push({ field, message: `response ${row.response_id}: ${message}` });
              continue;
            }
            const restored = toRowChange(catalog, row, result.states);
            if (restored !== null) changes.push(restored);
          }
          if (problems.length >= MAX_DETAILS) break;
          await change.patchResponses(changes);
        }
        if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_DETAILS));
      },
    );
    return toSelectionOutcome(changed, selected);
  }
}

/** Parts of each question to restore; null: everything. */
function resolveParts(catalog: ColumnCatalog, columnCodes: readonly string[] | null): RestoreTarget[] | null {
  if (columnCodes === null) return null;
  const parts = new Map<unknown, RestoreTarget>();
  for (const [index, code] of columnCodes.entries()) {
    const field = `column_codes[${index}]`;
    const part = resolveRestoreTarget(catalog, code);
    if (part === null) {
      const message = notEditableReason(requireColumn(catalog, code, field)) ?? 'holds no answers';
      throw unprocessableField('not_editable', field, message);
    }
    const before = parts.get(part.columns);
    const isWhole = before?.columnCodes === null || part.columnCodes === null;
    const partCodes = [...(before?.columnCodes ?? []), ...(part.columnCodes ?? [])];
    parts.set(part.columns, { columns: part.columns, columnCodes: isWhole ? null : new Set(partCodes) });
  }
  return [...parts.values()];
}
