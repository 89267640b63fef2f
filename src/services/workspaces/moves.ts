import type { Caller } from '../../domain/access/caller.ts';
import { conflict, notFound, unprocessable } from '../../lib/errors.ts';
import type { AuditEntry, AuditRow } from '../../repositories/audit.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { MOVABLE_TYPES, type MovableType } from '../../repositories/workspaces.ts';

const PRIVATE = 1;

interface Move {
  objectType: MovableType;
  objectId: number;
  fromWorkspaceId: number;
  toWorkspaceId: number;
}

interface InWorkspace {
  workspace_id: number;
}

/**
 * Records a move between workspaces in the audit log, so that an admin can undo it; does nothing if the workspace is
 * unchanged. `seenBy`: the workspace whose members must keep seeing the object, from AccessService.checkMove.
 */
export async function recordMove(
  { audit }: Repositories,
  entry: (action: 'moved', details: Record<string, unknown>) => AuditEntry,
  { workspace_id: from }: InWorkspace,
  { workspace_id: to }: InWorkspace,
  seenBy: number | null,
): Promise<void> {
  if (from === to) return;
  await audit.record(
    entry('moved', {
      from_workspace_id: from,
      to_workspace_id: to,
      ...(seenBy !== null && { seen_by_workspace_id: seenBy }),
    }),
  );
}

/** Undoes moves of surveys, dashboards and reports, even between workspaces that the admin cannot see. */
export class MoveService {
  constructor(private readonly store: Store) {}

  /**
   * Undoes the move that an audit entry records. Throws 404 if the entry does not exist, 422 if it is not a move, 409
   * if the object has moved again or is deleted, or its former workspace is deleted or private.
   */
  undo(caller: Caller, auditId: number): Promise<Move> {
    const { organizationId } = caller;
    return this.store.transaction(async (repositories) => {
      const row = await repositories.audit.find(organizationId, auditId);
      if (row === null) throw notFound('audit entry');
      const move = parseMove(row);
      if (move === null)
        throw unprocessable(
          'not_a_move',
          `auditId: entry ${auditId} is "${row.action}"; accepted: ${MOVABLE_TYPES.map((type) => `${type}.moved`).join(', ')}`,
        );
      const { objectType, objectId, fromWorkspaceId, toWorkspaceId } = move;
      const source = await repositories.workspaces.lockOwner(organizationId, fromWorkspaceId);
      if (source === null)
        throw conflict(
          'workspace_deleted',
          `Workspace ${fromWorkspaceId}, which the ${objectType} was moved from, is deleted; restore it first`,
        );
      if (source.workspace_visibility === PRIVATE)
        throw conflict(
          'workspace_private',
          `Workspace ${fromWorkspaceId}, which the ${objectType} was moved from, is private; only its owner can add objects to it`,
        );
      const back = { ...move, fromWorkspaceId: toWorkspaceId, toWorkspaceId: fromWorkspaceId };
      if (!(await repositories.workspaces.moveObject(organizationId, back)))
        throw conflict(
          'moved_since',
          `The ${objectType} is deleted, or no longer in workspace ${toWorkspaceId}, which it was moved to`,
        );
      await recordMove(
        repositories,
        (action, details) => ({
          by: caller,
          action: `${objectType}.${action}`,
          objectType,
          objectId,
          details: { ...details, undoes_audit_id: auditId },
        }),
        { workspace_id: toWorkspaceId },
        { workspace_id: fromWorkspaceId },
        null,
      );
      return back;
    });
  }
}

function parseMove({ action, object_type: type, object_id: id, details }: AuditRow): Move | null {
  const objectType = MOVABLE_TYPES.find((one) => one === type);
  const [from, to] = [details?.['from_workspace_id'], details?.['to_workspace_id']];
  if (objectType === undefined || action !== `${objectType}.moved`) return null;
  if (typeof from !== 'number' || typeof to !== 'number') return null;
  return { objectType, objectId: Number(id), fromWorkspaceId: from, toWorkspaceId: to };
}
