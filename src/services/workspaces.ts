import { isDeepStrictEqual } from 'node:util';
import { mergeSettings } from '../lib/settings.ts';
import { checkContrast } from './check-contrast.ts';
import { type Caller, isAdmin } from '../domain/access/caller.ts';
import type { WorkspaceAudience } from '../domain/access/audience.ts';
import type { WorkspaceRole, WorkspaceScope, WorkspaceVisibility } from '../domain/access/scopes.ts';
import { onlyPermittedTo, unknownObject } from '../lib/error-messages.ts';
import { conflict, invalid, notFound, unprocessable } from '../lib/errors.ts';
import type { AuditEntry, AuditRow, MoveState } from '../repositories/audit.ts';
import type { Repositories } from '../repositories/repositories.ts';
import type { Store } from '../repositories/store.ts';
import { reportLabelOf } from '../domain/survey/report-label.ts';
import type { FoundObjects, WorkspaceSearch } from '../repositories/workspace-search.ts';
import {
  type MemberRole,
  MOVABLE_TYPES,
  type MovableType,
  type OrphanedWorkspaceRow,
  type WorkspaceMemberRow,
  type WorkspaceRow,
} from '../repositories/workspaces.ts';
import type { AccessService } from './access.ts';
import type { DeletedRetention } from './deleted-retention.ts';
import { checkAudienceChange } from './object-audience.ts';

const PRIVATE = 1;

interface Move {
  objectType: MovableType;
  objectId: number;
  fromWorkspaceId: number;
  toWorkspaceId: number;
}

/** The state of an object that was never moved. */
export const NOT_MOVED: MoveState = { seenByWorkspaceId: null, isHandedOver: false };

/**
 * Records a move between workspaces in the audit log, so that an admin can undo it; does nothing if the workspace is
 * unchanged. `state`: from `checkMove`.
 */
export async function recordMove({
  repositories: { audit },
  entry,
  from,
  to,
  state,
}: {
  repositories: Repositories;
  entry: (action: 'moved', details: Record<string, unknown>) => AuditEntry;
  from: number;
  to: number;
  state: MoveState;
}): Promise<void> {
  if (from === to) return;
  await audit.record(
    entry('moved', {
      from_workspace_id: from,
      to_workspace_id: to,
      ...(state.seenByWorkspaceId !== null && { seen_by_workspace_id: state.seenByWorkspaceId }),
      ...(state.isHandedOver && { handed_over: true }),
    }),
  );
}

type FoundQuestion = FoundObjects['questions'][number];
type LabeledQuestion = Omit<FoundQuestion, 'report_label'> & { question_label: string };
type LabeledObjects = Omit<FoundObjects, 'questions'> & { questions: LabeledQuestion[] };

function labelQuestion({ report_label, ...question }: FoundQuestion): LabeledQuestion {
  const { question_code: code, question_text: text } = question;
  return { ...question, question_label: reportLabelOf({ code, text, settings: { report_label } }) };
}

/** Undoes moves of surveys, dashboards and reports, even between workspaces that the admin cannot see. */
export class MoveService {
  constructor(private readonly store: Store) {}

  /**
   * Undoes the move that an audit entry records; who must keep seeing the object is then as before that move. Throws 404 if the entry does not exist, 422 if it is not a move, 409
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
      const source = await repositories.workspaces.shareAudience(organizationId, fromWorkspaceId);
      if (source === null)
        throw conflict(
          'workspace_deleted',
          `Workspace ${fromWorkspaceId}, which the ${objectType} was moved from, is deleted; restore it first`,
        );
      if (source.visibility === PRIVATE)
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
      await recordMove({
        repositories,
        entry: (action, details) => ({
          by: caller,
          action: `${objectType}.${action}`,
          objectType,
          objectId,
          details: { ...details, undoes_audit_id: auditId },
        }),
        from: toWorkspaceId,
        to: fromWorkspaceId,
        state:
          (await repositories.audit.findMoveState(
            organizationId,
            { type: objectType, id: objectId },
            auditId,
          )) ?? NOT_MOVED,
      });
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

const DEFAULT_WORKSPACE_COLOR = '#6366f1';
const ACTIVE = 1;

/** A workspace with the caller's role in it. */
export type WorkspaceForCaller = WorkspaceRow & { my_role: WorkspaceRole };

interface WorkspaceListing {
  search: string | undefined;
  sort: { field: 'workspace_id' | 'workspace_name' | 'workspace_inserted'; descending: boolean } | undefined;
}

/** undefined: unchanged. Color null: the default. */
interface WorkspaceChanges {
  name?: string | undefined;
  color?: string | null | undefined;
  visibility?: WorkspaceVisibility | undefined;
  /** undefined values are unchanged, null restores the default. */
  look?: Readonly<Record<string, unknown>> | undefined;
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export class WorkspaceService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly retention: DeletedRetention,
  ) {}

  /** Returns the workspaces that the caller sees, oldest first by default. */
  async list(caller: Caller, { search, sort }: WorkspaceListing): Promise<WorkspaceForCaller[]> {
    const visible = await this.access.listVisibleWorkspaces(caller);
    const searchText = search?.normalize().toLowerCase() ?? '';
    const found = visible
      .filter(({ row }) => row.workspace_name.normalize().toLowerCase().includes(searchText))
      .map(({ row, scope }) => ({ ...row, my_role: scope.role }));
    if (sort === undefined) return found;
    return found.sort((a, b) => compare(sort.field, a, b) * (sort.descending ? -1 : 1));
  }

  /** Finds surveys, questions, dashboards and reports by a part of their texts. */
  async search(scope: WorkspaceScope, search: WorkspaceSearch): Promise<LabeledObjects> {
    const found = await this.store.read.workspaceSearch.find(scope, search);
    return { ...found, questions: found.questions.map(labelQuestion) };
  }

  async get(scope: WorkspaceScope): Promise<WorkspaceForCaller> {
    return { ...(await this.findRow(scope)), my_role: scope.role };
  }

  async create(
    caller: Caller,
    input: { name: string; color: string | null; visibility: WorkspaceVisibility | undefined },
  ): Promise<WorkspaceForCaller> {
    if (caller.organizationId !== caller.homeOrganizationId) {
      throw conflict('acting_elsewhere', 'Workspaces can only be created in your home organization');
    }
    return this.store.transaction(async (repositories) => {
      const row = await repositories.workspaces.create({
        organizationId: caller.organizationId,
        ownerId: caller.userId,
        name: input.name,
        color: input.color ?? DEFAULT_WORKSPACE_COLOR,
        visibility: input.visibility ?? PRIVATE,
      });
      await repositories.audit.record(
        workspaceAuditEntry({ ...caller, workspaceId: row.workspace_id }, 'created'),
      );
      return { ...row, my_role: 'owner' };
    });
  }

  /**
   * Updates a workspace. Only the owner may change the visibility: an admin has access only to team workspaces, and
   * could lose it by the change.
   */
  async update(
    caller: Caller,
    scope: WorkspaceScope,
    changes: WorkspaceChanges,
  ): Promise<WorkspaceForCaller> {
    return this.store.transaction(async (repositories) => {
      const before = await repositories.workspaces.lock(scope);
      if (before === null) throw notFound('workspace');
      const after = {
        name: changes.name ?? before.workspace_name,
        color:
          changes.color === undefined ? before.workspace_color : (changes.color ?? DEFAULT_WORKSPACE_COLOR),
        visibility: changes.visibility ?? before.workspace_visibility,
        look: mergeSettings(before.workspace_look, changes.look ?? {}),
      };
      const changesLook = !isDeepStrictEqual(after.look, before.workspace_look);
      if (changesLook) checkContrast(after.look, { before: before.workspace_look, path: 'workspace_look' });
      const changesVisibility = after.visibility !== before.workspace_visibility;
      if (changesVisibility && before.owner_id !== scope.userId)
        throw onlyPermittedTo('its owner', 'change the visibility of a workspace');
      const hidden = await this.checkAudience(repositories, {
        caller,
        scope,
        field: 'workspace_visibility',
        change: (audience) => ({ ...audience, visibility: after.visibility }),
      });
      const changed = [
        ...(after.name === before.workspace_name ? [] : ['workspace_name']),
        ...(after.color === before.workspace_color ? [] : ['workspace_color']),
        ...(changesVisibility ? ['workspace_visibility'] : []),
        ...(changesLook ? ['workspace_look'] : []),
      ];
      if (changed.length === 0) return { ...before, my_role: scope.role };
      const row = await repositories.workspaces.update(scope, after);
      if (row === null) throw notFound('workspace');
      const visibilities = {
        from_visibility: before.workspace_visibility,
        to_visibility: after.visibility,
        ...hidden,
      };
      await repositories.audit.record(
        workspaceAuditEntry(scope, 'updated', {
          fields: changed,
          ...(changesVisibility && visibilities),
        }),
      );
      return { ...row, my_role: scope.role };
    });
  }

  /** Deletes a workspace: its contents are hidden, so that it can be restored completely until they are erased. */
  async delete(caller: Caller, scope: WorkspaceScope): Promise<void> {
    await this.store.transaction(async (repositories) => {
      const hidden = await this.checkAudience(repositories, {
        caller,
        scope,
        field: null,
        change: () => null,
      });
      if (!(await repositories.workspaces.delete(scope, this.retention.now()))) throw notFound('workspace');
      await repositories.audit.record(workspaceAuditEntry(scope, 'deleted', hidden));
    });
  }

  /** Restores a workspace, for admins, who may not see it afterwards. Throws 404 if it is not deleted, or was deleted too long ago. */
  async restore(caller: Caller, workspaceId: number): Promise<void> {
    const target = { ...caller, workspaceId };
    await this.store.transaction(async (repositories) => {
      const isRestored = await repositories.workspaces.restore(target, this.retention.restorableSince());
      if (!isRestored) throw notFound('deleted workspace');
      await repositories.audit.record(workspaceAuditEntry(target, 'restored'));
    });
  }

  /**
   * Returns the workspaces whose owner is suspended, deleted or a client, for admins, who may not see their contents.
   */
  listOrphaned({ organizationId }: Pick<Caller, 'organizationId'>): Promise<OrphanedWorkspaceRow[]> {
    return this.store.read.workspaces.listOrphaned(organizationId);
  }

  /**
   * Transfers a workspace to another owner. Allowed for its owner, and for admins if the owner is suspended, deleted
   * or a client. Throws 404 or 403 otherwise.
   */
  async transfer(caller: Caller, workspaceId: number, userId: number): Promise<void> {
    const { organizationId } = caller;
    const isTheirs = await this.store.transaction(async (repositories) => {
      const workspace = await repositories.workspaces.lockOwner(organizationId, workspaceId);
      if (workspace === null) return false;
      const isOwner = workspace.owner_id === caller.userId;
      if (!isOwner && !(isAdmin(caller) && workspace.owner_left)) return false;
      const newOwner = await repositories.users.findById(organizationId, userId);
      if (newOwner === null)
        throw invalid(
          'user_id',
          unknownObject({ kind: 'user', idOrCode: userId, scope: 'in this organization' }),
        );
      if (newOwner.user_status !== ACTIVE || newOwner.user_role === 'client')
        throw conflict(
          'cannot_own',
          `user_id: user ${userId} is ${newOwner.user_role === 'client' ? 'a client' : 'not active'}`,
        );
      const hidden = await this.checkAudience(repositories, {
        caller,
        scope: { organizationId, workspaceId },
        field: 'user_id',
        change: (audience) => ({
          ...audience,
          ownerId: userId,
          memberIds: audience.memberIds.filter((memberId) => memberId !== userId),
        }),
      });
      await repositories.workspaces.setOwner(organizationId, workspaceId, userId);
      await repositories.audit.record(
        workspaceAuditEntry({ ...caller, workspaceId }, 'transferred', {
          from_user_id: workspace.owner_id,
          to_user_id: userId,
          ...hidden,
        }),
      );
      return true;
    });
    if (isTheirs) return;
    // Only now: inside the transaction it would wait for a second connection while holding one.
    await this.access.workspace(caller, workspaceId, 'view');
    throw onlyPermittedTo(
      'its owner',
      'transfer a workspace; an admin can if the owner is suspended, deleted or a client',
    );
  }

  /** Stored with the session or key, so that switching in a browser does not affect integrations. */
  async makeCurrent(caller: Caller, scope: WorkspaceScope): Promise<WorkspaceForCaller> {
    const { sessions, apiKeys } = this.store.read;
    const credentialRepository = caller.credential === 'session' ? sessions : apiKeys;
    await credentialRepository.setCurrentWorkspace(caller.userId, caller.credentialId, scope.workspaceId);
    return this.get(scope);
  }

  listMembers(scope: WorkspaceScope): Promise<WorkspaceMemberRow[]> {
    return this.store.read.workspaces.listMembers(scope);
  }

  /** Adds a member, or changes the role of an existing one. */
  async addMember(
    scope: WorkspaceScope,
    userId: number,
    role: MemberRole,
  ): Promise<{ member: WorkspaceMemberRow; isNew: boolean }> {
    const user = await this.store.read.users.findById(scope.organizationId, userId);
    if (user === null) throw notFound('user');
    if (user.user_status !== ACTIVE) {
      throw conflict(
        'user_not_active',
        `user_id: user ${userId} is not active; approve or reactivate them first`,
      );
    }
    if (user.user_role === 'client') {
      throw invalid('user_id', `user ${userId} is a client; only admins and members work in workspaces`);
    }
    if ((await this.findRow(scope)).owner_id === userId) {
      throw conflict('already_owner', `user_id: user ${userId} already owns this workspace`);
    }
    const isNew = await this.store.transaction(async (repositories) => {
      const added = await repositories.workspaces.saveMember(scope, userId, role);
      await repositories.audit.record(workspaceAuditEntry(scope, 'member_set', { user_id: userId, role }));
      return added;
    });
    const { user_name, user_email } = user;
    return { member: { user_id: userId, user_name, user_email, role }, isNew };
  }

  async removeMember(caller: Caller, scope: WorkspaceScope, userId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      const hidden = await this.checkAudience(repositories, {
        caller,
        scope,
        field: 'userId',
        change: (audience) => ({
          ...audience,
          memberIds: audience.memberIds.filter((memberId) => memberId !== userId),
        }),
      });
      if (!(await repositories.workspaces.removeMember(scope, userId))) throw notFound('member');
      await repositories.audit.record(
        workspaceAuditEntry(scope, 'member_removed', { user_id: userId, ...hidden }),
      );
    });
  }

  /** Locks the workspace and checks a change of who sees it; see `checkAudienceChange`. `change` returns null for a deletion. */
  private async checkAudience(
    repositories: Repositories,
    {
      caller,
      scope: { organizationId, workspaceId },
      field,
      change,
    }: {
      caller: Caller;
      scope: Pick<WorkspaceScope, 'organizationId' | 'workspaceId'>;
      field: string | null;
      change: (audience: WorkspaceAudience) => WorkspaceAudience | null;
    },
  ) {
    const before = await repositories.workspaces.lockAudience(organizationId, workspaceId);
    if (before === null) throw notFound('workspace');
    const after = change(before);
    return checkAudienceChange(repositories, { caller, workspaceId, before, after, field });
  }

  private async findRow(scope: WorkspaceScope): Promise<WorkspaceRow> {
    const row = await this.store.read.workspaces.find(scope.organizationId, scope.userId, scope.workspaceId);
    if (row === null) throw notFound('workspace');
    return row;
  }
}

function compare(
  field: NonNullable<WorkspaceListing['sort']>['field'],
  a: WorkspaceRow,
  b: WorkspaceRow,
): number {
  const idDifference = a.workspace_id - b.workspace_id;
  switch (field) {
    case 'workspace_id':
      return idDifference;
    case 'workspace_name':
      return byName.compare(a.workspace_name, b.workspace_name) || idDifference;
    case 'workspace_inserted':
      return a.workspace_inserted.getTime() - b.workspace_inserted.getTime() || idDifference;
  }
}

function workspaceAuditEntry(
  by: { organizationId: number; userId: number; workspaceId: number },
  action: string,
  details?: Record<string, unknown>,
) {
  return {
    by: by,
    action: `workspace.${action}`,
    objectType: 'workspace',
    objectId: by.workspaceId,
    ...(details === undefined ? {} : { details }),
  };
}
