import { isDeepStrictEqual } from 'node:util';
import type { Actor, Caller } from '../domain/access/caller.ts';
import type { DashboardScope, WorkspaceScope } from '../domain/access/scopes.ts';
import { notFound } from '../lib/errors.ts';
import { mergeSettings } from '../lib/settings.ts';
import type { AuditEntry } from '../repositories/audit.ts';
import type { Repositories } from '../repositories/repositories.ts';
import type { Store } from '../repositories/store.ts';
import type { MovableType } from '../repositories/workspaces.ts';
import type { AccessService } from './access.ts';
import { checkMove } from './object-audience.ts';
import { NOT_MOVED, recordMove } from './workspaces.ts';

interface InWorkspace {
  workspace_id: number;
}

type ScopeOf<Key> = Key & Pick<DashboardScope, keyof WorkspaceScope>;

interface ObjectKind<Key, Row extends InWorkspace> {
  type: MovableType;
  idOf: (key: Key) => number;
  repositoryOf: (repositories: Repositories) => {
    /** Returns null for a deleted object. */
    lock(key: Key & { organizationId: number }): Promise<Row | null>;
    /** Returns the new revision, if the kind tells others of it. */
    incrementRevision(key: Key & { organizationId: number; userId: number }): Promise<number | void>;
  };
  /** Tells others of a change, in its transaction. `revision`: undefined if only fields of the object changed. */
  onChange?: (
    repositories: Repositories,
    change: {
      scope: ScopeOf<Key>;
      action: string;
      details: Record<string, unknown>;
      revision: number | undefined;
    },
  ) => Promise<void>;
}

/** What a change of an object's content returns. `action`: for the audit log; null: nothing changed. */
interface ContentChange<T> {
  result: T;
  action: string | null;
  details?: Record<string, unknown> | undefined;
}

interface ObjectUpdate<Key, Row, Fields extends InWorkspace> {
  store: Store;
  access: AccessService;
  caller: Caller;
  scope: ScopeOf<Key>;
  /** The workspace to move the object to; undefined: it is not moved. */
  workspaceId: number | undefined;
  /** Returns the changed fields. Throws if a change is invalid. */
  apply: (before: Row, repositories: Repositories) => Fields | Promise<Fields>;
  /** Writes the fields of which `changed` lists those that differ. Returns further details for the audit log. */
  save: (
    repositories: Repositories,
    change: { before: Row; after: Fields; changed: readonly string[] },
  ) => Promise<Record<string, unknown> | void>;
}

/** Functions for objects of one kind, which belong to a workspace, have a revision and are changed under a lock. */
export function defineWorkspaceObject<Key, Row extends InWorkspace>({
  type,
  idOf,
  repositoryOf,
  onChange,
}: ObjectKind<Key, Row>) {
  /** An audit log entry of the object; contains ids and field names only. */
  function auditEntry(by: Actor & Key, action: string, details?: Record<string, unknown>): AuditEntry {
    return {
      by,
      action: `${type}.${action}`,
      objectType: type,
      objectId: idOf(by),
      ...(details === undefined ? {} : { details }),
    };
  }

  /** Locks the object until the transaction ends, so that changes of it and its content are serialized. Throws 404 if it was moved. */
  async function lock(repositories: Repositories, scope: ScopeOf<Key>): Promise<Row> {
    const row = await repositoryOf(repositories).lock(scope);
    // Moved to another workspace after the access check: the caller may have no access there.
    if (row?.workspace_id !== scope.workspaceId) throw notFound(type);
    return row;
  }

  /** Runs `work` with the object locked, then raises its revision and records the action in the audit log. */
  function change<T>(
    store: Store,
    scope: ScopeOf<Key>,
    work: (repositories: Repositories, row: Row) => Promise<ContentChange<T>>,
  ): Promise<T> {
    return store.transaction(async (repositories) => {
      const row = await lock(repositories, scope);
      const { result, action, details } = await work(repositories, row);
      if (action !== null) {
        const revision = (await repositoryOf(repositories).incrementRevision(scope)) ?? undefined;
        await repositories.audit.record(auditEntry(scope, action, details));
        await onChange?.(repositories, { scope, action, details: details ?? {}, revision });
      }
      return result;
    });
  }

  /** Changes fields of the object. Returns the row as it was if no field differs. */
  async function update<Fields extends InWorkspace>({
    store,
    access,
    caller,
    scope,
    workspaceId,
    apply,
    save,
  }: ObjectUpdate<Key, Row, Fields>): Promise<Row> {
    const isMoved = workspaceId !== undefined && workspaceId !== scope.workspaceId;
    if (isMoved) await access.workspace(caller, workspaceId, 'edit');
    return store.transaction(async (repositories) => {
      const before = await lock(repositories, scope);
      const state = isMoved
        ? await checkMove(repositories, {
            caller,
            source: scope,
            workspaceId,
            object: { type, id: idOf(scope) },
          })
        : NOT_MOVED;
      const after = await apply(before, repositories);
      const stored = new Map<string, unknown>(Object.entries(before));
      const changed = Object.entries(after).flatMap(([name, value]) =>
        isDeepStrictEqual(value, stored.get(name)) ? [] : [name],
      );
      if (changed.length === 0) return before;
      const details = await save(repositories, { before, after, changed });
      await repositories.audit.record(auditEntry(scope, 'updated', { fields: changed, ...details }));
      await onChange?.(repositories, {
        scope,
        action: 'updated',
        details: { fields: changed },
        revision: undefined,
      });
      await recordMove({
        repositories,
        entry: (action, moved) => auditEntry(scope, action, moved),
        from: before.workspace_id,
        to: after.workspace_id,
        state,
      });
      const updated = await repositoryOf(repositories).lock(scope);
      if (updated === null) throw notFound(type);
      return updated;
    });
  }

  return { auditEntry, lock, change, update };
}

/**
 * Returns stored settings after a change; null removes all. `current`: the settings as clients read them, with defaults. Ignores settings
 * that are sent back as they were read, so that defaults are not stored.
 */
export function changeSettings(
  stored: Readonly<Record<string, unknown>>,
  current: object,
  changes: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, unknown> {
  if (changes === null) return {};
  const known = new Map<string, unknown>(Object.entries(current));
  const differing = Object.entries(changes ?? {}).filter(
    ([key, value]) => !isDeepStrictEqual(known.get(key), value),
  );
  return mergeSettings(stored, Object.fromEntries(differing));
}
