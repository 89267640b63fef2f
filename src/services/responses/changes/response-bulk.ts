import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ResponsePatch } from '../../../domain/dataset/response-patch.ts';
import type { ResponseStatus } from '../../../domain/dataset/response-row.ts';
import { addManualFlag, removeManualFlag } from '../../../domain/quality/quality-flag.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import type { DataChangeService, DataOperation, RowChange } from './data-changes.ts';
import { type EditOutcome, toSelectionOutcome } from './edit-outcome.ts';
import { lockInChunks } from './lock-in-chunks.ts';
import type { ResponseSelector } from './response-selector.ts';

export type BulkAction =
  | { action: 'delete' }
  | { action: 'set_status'; status: ResponseStatus }
  | { action: 'flag' }
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
    const selected = await this.selector.select(
      scope,
      { responseIds, filter, requiresCondition: true },
      () => [],
      () => true,
    );
    const now = this.clock.now().toISOString();
    const changed = await this.dataChanges.run(
      scope,
      { operation: OPERATIONS[action.action], columnCodes: [], details: { ...action }, reason, dryRun },
      async (repositories, change) => {
        for await (const rows of lockInChunks(repositories, scope.surveyId, selected.ids)) {
          const changes = rows.flatMap((row): RowChange[] => {
            const patch = buildPatch(row, action, now, reason);
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
function buildPatch(
  row: EditableRow,
  action: BulkAction,
  now: string,
  reason: string | null,
): { before: ResponsePatch; after: ResponsePatch } | null {
  switch (action.action) {
    case 'delete':
      return { before: { deletedAt: null }, after: { deletedAt: now } };
    case 'set_status':
      return row.response_status === action.status ? null : buildStatusPatch(row, action.status, now);
    case 'flag': {
      const quality = addManualFlag(row.quality, reason);
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
