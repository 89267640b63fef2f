import { type Caller, isAdmin } from '../domain/access/caller.ts';
import {
  type Audience,
  audienceOf,
  NO_AUDIENCE,
  takesAccess,
  type WorkspaceAudience,
} from '../domain/access/audience.ts';
import type { DashboardScope } from '../domain/access/scopes.ts';
import { formatList } from '../lib/error-messages.ts';
import { conflict, forbidden, notFound } from '../lib/errors.ts';
import type { MoveState, WorkspaceObjectRow } from '../repositories/audit.ts';
import type { Repositories } from '../repositories/repositories.ts';
import type { MovableType } from '../repositories/workspaces.ts';

/*
 * Only an admin may take a survey, dashboard or report from the people who must keep seeing it:
 * - what an editor moved stays visible to everyone who sees the workspace that it came from, until that workspace's owner hides it;
 * - what another user created stays visible to that user, and in a Team workspace to everyone.
 * An admin who moves an object hands it over to the workspace that it comes to: then its owner decides. An object in the trash counts until
 * it is erased, since it could be restored after the change.
 */

const MAX_NAMED = 5;
const MAX_DETAILS = 50;

/**
 * Checks a change of who sees a workspace; `after` null: it is deleted. The caller of this function holds the lock of the workspace. Throws
 * 409 `visibility_needed` with the objects that would be hidden. Admins may hide them; then returns them for the audit log.
 */
export async function checkAudienceChange(
  repositories: Repositories,
  {
    caller,
    workspaceId,
    before,
    after,
    field,
  }: {
    caller: Pick<Caller, 'userId' | 'organizationId' | 'role'>;
    workspaceId: number;
    before: WorkspaceAudience;
    after: WorkspaceAudience | null;
    /** Of the request, to begin the message; null: none. */
    field: string | null;
  },
): Promise<{ hidden_objects?: { object_type: MovableType; object_id: number }[] }> {
  const change = {
    before: audienceOf(before),
    after: after === null ? NO_AUDIENCE : audienceOf(after),
    byUserId: caller.userId,
  };
  if (!takesAccess(change.before, change)) return {};
  const entitlements = new Entitlements(repositories, caller);
  const hidden: { object: WorkspaceObjectRow; reason: string }[] = [];
  for (const object of await repositories.audit.listWorkspaceObjects(caller.organizationId, workspaceId))
    for (const { entitled, reason } of await entitlements.list(object, change.before))
      if (takesAccess(entitled, change)) {
        hidden.push({ object, reason });
        break;
      }
  if (hidden.length === 0) return {};
  if (isAdmin(caller))
    return {
      hidden_objects: hidden.map(({ object: { object_type, object_id } }) => ({ object_type, object_id })),
    };
  const names = hidden.map(({ object, reason }) => `${describe(object)} (${reason})`);
  throw conflict(
    'visibility_needed',
    `${field === null ? '' : `${field}: `}this would hide ${formatList(names, MAX_NAMED, String)} from people who must keep seeing what is in this workspace; move it back or to a workspace that they see first, or ask an admin`,
    names.slice(0, MAX_DETAILS).map((message) => ({ field: field ?? 'workspace_id', message })),
  );
}

const describe = ({ object_type: type, object_id: id, object_name: name, is_deleted }: WorkspaceObjectRow) =>
  `${is_deleted ? 'deleted ' : ''}${type} ${id} "${name}"`;

/**
 * Checks a move of an object, which the caller of this function has locked. The user must own `source` or be an admin, unless everyone who
 * sees `source` sees the target too. Locks the target against changes of its audience. Throws 403, or 404 if the target is deleted. Returns
 * what the audit log records of the move.
 */
export async function checkMove(
  repositories: Repositories,
  {
    caller,
    source,
    workspaceId,
    object,
  }: {
    caller: Caller;
    source: Pick<DashboardScope, 'organizationId' | 'workspaceId' | 'role'>;
    workspaceId: number;
    object: { type: MovableType; id: number };
  },
): Promise<MoveState> {
  const { organizationId, userId } = caller;
  const { audit, workspaces } = repositories;
  const target = await workspaces.shareAudience(organizationId, workspaceId);
  const from = await workspaces.findAudience(organizationId, source.workspaceId);
  if (target === null || from === null) throw notFound('workspace');
  if (isAdmin(caller)) return { seenByWorkspaceId: null, isHandedOver: true };
  const change = { before: audienceOf(from), after: audienceOf(target), byUserId: userId };
  if (source.role !== 'owner' && takesAccess(change.before, change))
    throw forbidden(
      'workspace_id: not everyone who sees this workspace sees the other one; only its owner or an admin can move something there',
    );
  const row = await audit.findWorkspaceObject(organizationId, object.type, object.id);
  if (row === null) throw notFound(object.type);
  const entitlements = new Entitlements(repositories, caller);
  for (const { entitled, reason } of await entitlements.list(row, change.before))
    if (takesAccess(entitled, change))
      throw forbidden(
        `workspace_id: ${describe(row)} was ${reason}, and not everyone who must keep seeing it sees the other workspace; only an admin can move it there`,
      );
  const kept = await entitlements.requiredWorkspaceOf(row);
  const seenBy = kept ?? (source.role === 'owner' ? null : source.workspaceId);
  return {
    seenByWorkspaceId: seenBy === workspaceId ? null : seenBy,
    // What an admin handed over to the source stays with its owner, not with an editor's choice of another workspace.
    isHandedOver: row.is_handed_over && source.role === 'owner',
  };
}

/** Who must keep seeing the objects of a workspace, with the reasons. */
class Entitlements {
  private readonly audiences = new Map<number, Promise<(WorkspaceAudience & { id: number }) | null>>();

  constructor(
    private readonly repositories: Repositories,
    private readonly caller: Pick<Caller, 'userId' | 'organizationId'>,
  ) {}

  /** `seenBy`: who sees the object now. */
  async list(
    object: WorkspaceObjectRow,
    seenBy: Audience,
  ): Promise<{ entitled: Audience; reason: string }[]> {
    const found: { entitled: Audience; reason: string }[] = [];
    const required = await this.findRequired(object);
    if (required !== null)
      found.push({
        entitled: audienceOf(required),
        reason: `moved here by an editor from workspace ${required.id}`,
      });
    const { created_by: author, is_handed_over: isHandedOver } = object;
    if (!isHandedOver && author !== this.caller.userId)
      found.push({
        entitled: seenBy === 'team' ? seenBy : new Set(author === null ? [] : [author]),
        reason: author === null ? 'created by an unknown user' : `created by user ${author}`,
      });
    return found;
  }

  /** The workspace of another owner whose audience must keep seeing the object; null if there is none. */
  async requiredWorkspaceOf(object: WorkspaceObjectRow): Promise<number | null> {
    return (await this.findRequired(object))?.id ?? null;
  }

  private async findRequired({ seen_by_workspace_id: id }: WorkspaceObjectRow) {
    if (id === null) return null;
    const loaded = this.audiences.get(id) ?? this.load(id);
    this.audiences.set(id, loaded);
    const audience = await loaded;
    return audience === null || audience.ownerId === this.caller.userId ? null : audience;
  }

  private async load(id: number) {
    const audience = await this.repositories.workspaces.findAudience(this.caller.organizationId, id);
    return audience === null ? null : { ...audience, id };
  }
}
