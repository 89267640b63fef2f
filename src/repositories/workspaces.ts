import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import { ACTIVE, DELETED } from '../domain/access/users.ts';
import type { WorkspaceAudience } from '../domain/access/audience.ts';
import type { WorkspaceVisibility } from '../domain/access/scopes.ts';
import { requireRow } from '../lib/require-value.ts';
import { IS_GIVEN_TO } from './dashboards.ts';
import { splitKeys } from './list-queries.ts';
import { qualifyColumns } from './tables/table.ts';
import type { UserTable, WorkspaceMemberTable, WorkspaceTable } from './tables/users.ts';

const COLUMNS = [
  'workspace_id',
  'organization_id',
  'owner_id',
  'workspace_name',
  'workspace_color',
  'workspace_visibility',
  'workspace_look',
  'workspace_inserted',
] as const;
const ORPHANED_COLUMNS = [
  'workspace_id',
  'workspace_name',
  'workspace_visibility',
  'workspace_inserted',
  'owner_id',
] as const;

export type WorkspaceRow = Pick<WorkspaceTable, (typeof COLUMNS)[number]>;
export type MemberRole = WorkspaceMemberTable['role'];

/** A workspace with the role that one user was invited with. */
export type WorkspaceRowForUser = WorkspaceRow & { member_role: MemberRole | null };

export type OrphanedWorkspaceRow = Pick<WorkspaceTable, (typeof ORPHANED_COLUMNS)[number]> & {
  owner_name: UserTable['user_name'];
  owner_status: UserTable['user_status'];
};

export type WorkspaceMemberRow = Pick<UserTable, 'user_id' | 'user_name' | 'user_email'> &
  Pick<WorkspaceMemberTable, 'role'>;

/** What belongs to a workspace and can be moved to another. */
export const MOVABLE_TYPES = ['survey', 'dashboard', 'report'] as const;
export type MovableType = (typeof MOVABLE_TYPES)[number];

type WorkspaceOwnerRow = Pick<WorkspaceTable, 'owner_id' | 'workspace_visibility'> & { owner_left: boolean };

interface WorkspaceKey {
  organizationId: number;
  workspaceId: number;
}

const whereWorkspace = ({ organizationId, workspaceId }: WorkspaceKey) => ({
  organization_id: organizationId,
  workspace_id: workspaceId,
});

/** The owner is deleted, suspended or a client: a client has access to no workspace, not even their own. */
const OWNER_LEFT = `(users.user_status IN (0, 3) OR users.user_role = 'client')`;

/** Workspaces. Deleted ones are returned by no query; `restore` brings one back. */
export class WorkspaceRepository {
  constructor(private readonly db: Database) {}

  async create(workspace: {
    organizationId: number;
    ownerId: number;
    name: string;
    color: string | null;
    visibility: WorkspaceVisibility;
  }): Promise<WorkspaceRow> {
    const rows = await this.db('workspaces')
      .insert({
        organization_id: workspace.organizationId,
        owner_id: workspace.ownerId,
        workspace_name: workspace.name,
        ...(workspace.color !== null && { workspace_color: workspace.color }),
        workspace_visibility: workspace.visibility,
      })
      .returning(COLUMNS);
    return requireRow(rows, 'workspaces');
  }

  /** All workspaces of the organization with the user's role in each, oldest first. The caller decides which are visible. */
  async listForUser(organizationId: number, userId: number): Promise<WorkspaceRowForUser[]> {
    return this.selectForUser(userId)
      .where('workspaces.organization_id', organizationId)
      .orderBy('workspaces.workspace_id');
  }

  async find(
    organizationId: number,
    userId: number,
    workspaceId: number,
  ): Promise<WorkspaceRowForUser | null> {
    const [row] = await this.selectForUser(userId)
      .where('workspaces.organization_id', organizationId)
      .where('workspaces.workspace_id', workspaceId);
    return row ?? null;
  }

  /** The workspaces of surveys, each as one user sees it; keys are `userId:surveyId`. */
  async findForSurveys(keys: string[]): Promise<Map<string, WorkspaceRowForUser & { survey_id: number }>> {
    const [userIds, surveyIds] = splitKeys(keys, ':');
    const columns = COLUMNS.map((column) => `w.${column}`).join(', ');
    // Raw SQL: pairs of users and surveys from two arrays, for the access check of nearly every request.
    const rows = await queryRows<WorkspaceRowForUser & { survey_id: number; user_id: number }>(
      this.db,
      `SELECT ${columns}, m.role AS member_role, s.survey_id, k.user_id
       FROM unnest(?::bigint[], ?::bigint[]) AS k (user_id, survey_id)
       JOIN surveys s ON s.survey_id = k.survey_id AND s.survey_status <> 0
       JOIN workspaces w ON w.workspace_id = s.workspace_id AND w.deleted_at IS NULL
       LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = k.user_id`,
      [userIds, surveyIds],
    );
    return new Map(rows.map((row) => [`${row.user_id}:${row.survey_id}`, row]));
  }

  /** The workspace of a survey, dashboard or report, deleted or not, as one user sees it. */
  async findForAnyObject(
    { organizationId, userId }: { organizationId: number; userId: number },
    { type, id }: { type: MovableType; id: number },
  ): Promise<WorkspaceRowForUser | null> {
    const table = `${type}s`;
    const [row] = await this.selectForUser(userId)
      .join(table, `${table}.workspace_id`, 'workspaces.workspace_id')
      .where(`${table}.organization_id`, organizationId)
      .where(`${table}.${type}_id`, id);
    return row ?? null;
  }

  /** The workspace of a wave's survey, as one user sees it. */
  async findForWave(
    organizationId: number,
    userId: number,
    waveId: number,
  ): Promise<(WorkspaceRowForUser & { survey_id: number }) | null> {
    const [row] = await this.selectForUser(userId)
      .join('surveys', 'surveys.workspace_id', 'workspaces.workspace_id')
      .join('waves', 'waves.survey_id', 'surveys.survey_id')
      .select<(WorkspaceRowForUser & { survey_id: number })[]>('surveys.survey_id')
      .where('waves.organization_id', organizationId)
      .where('waves.wave_id', waveId)
      .whereNull('waves.deleted_at')
      .whereNot('surveys.survey_status', 0);
    return row ?? null;
  }

  /** The workspace of a respondent, as one user sees it. */
  async findForRespondent(
    organizationId: number,
    userId: number,
    respondentId: number,
  ): Promise<WorkspaceRowForUser | null> {
    const [row] = await this.selectForUser(userId)
      .join('respondents', 'respondents.workspace_id', 'workspaces.workspace_id')
      .where('respondents.organization_id', organizationId)
      .where('respondents.respondent_id', respondentId)
      .whereNull('respondents.erased_at');
    return row ?? null;
  }

  /** The workspace of a dashboard, as one user sees it, and whether the dashboard is shared with the user. */
  async findForDashboard(
    organizationId: number,
    userId: number,
    dashboardId: number,
  ): Promise<(WorkspaceRowForUser & { is_given: boolean }) | null> {
    const [row] = await this.selectForUser(userId)
      .join('dashboards as d', 'd.workspace_id', 'workspaces.workspace_id')
      .select<(WorkspaceRowForUser & { is_given: boolean })[]>(
        this.db.raw(`${IS_GIVEN_TO} AS is_given`, [userId, userId]),
      )
      .where('d.organization_id', organizationId)
      .where('d.dashboard_id', dashboardId)
      .whereNull('d.deleted_at');
    return row ?? null;
  }

  /** The workspace of a report, as one user sees it. */
  async findForReport(
    organizationId: number,
    userId: number,
    reportId: number,
  ): Promise<WorkspaceRowForUser | null> {
    const [row] = await this.selectForUser(userId)
      .join('reports', 'reports.workspace_id', 'workspaces.workspace_id')
      .where('reports.organization_id', organizationId)
      .where('reports.report_id', reportId)
      .whereNull('reports.deleted_at');
    return row ?? null;
  }

  /** Locks the workspace until the transaction ends; null: it does not exist any more. */
  async lock(key: WorkspaceKey): Promise<WorkspaceRow | null> {
    const row = await this.db('workspaces')
      .first(...COLUMNS)
      .where({ ...whereWorkspace(key), deleted_at: null })
      .forUpdate();
    return row ?? null;
  }

  /** null: the workspace does not exist any more. */
  async update(
    key: WorkspaceKey,
    workspace: {
      name: string;
      color: string;
      visibility: WorkspaceVisibility;
      look: Readonly<Record<string, unknown>>;
    },
  ): Promise<WorkspaceRow | null> {
    const [row] = await this.db('workspaces')
      .where(whereWorkspace(key))
      .whereNull('deleted_at')
      .update({
        workspace_name: workspace.name,
        workspace_color: workspace.color,
        workspace_visibility: workspace.visibility,
        workspace_look: JSON.stringify(workspace.look),
      })
      .returning(COLUMNS);
    return row ?? null;
  }

  /** Returns the stored look of a workspace, also of a deleted one. */
  async readLook(workspaceId: number): Promise<Record<string, unknown>> {
    const row = await this.db('workspaces').where({ workspace_id: workspaceId }).first('workspace_look');
    return row?.workspace_look ?? {};
  }

  /** Workspaces whose owner left, oldest first. */
  async listOrphaned(organizationId: number): Promise<OrphanedWorkspaceRow[]> {
    return this.db('workspaces')
      .join('users', 'users.user_id', 'workspaces.owner_id')
      .select<OrphanedWorkspaceRow[]>(
        ...qualifyColumns('workspaces', ORPHANED_COLUMNS),
        'users.user_name as owner_name',
        'users.user_status as owner_status',
      )
      .where('workspaces.organization_id', organizationId)
      .whereNull('workspaces.deleted_at')
      .whereRaw(OWNER_LEFT)
      .orderBy('workspaces.workspace_id');
  }

  /** Locks the workspace until the transaction ends and returns its owner. null: no such workspace. */
  async lockOwner(organizationId: number, workspaceId: number): Promise<WorkspaceOwnerRow | null> {
    const [row] = await this.db('workspaces')
      .join('users', 'users.user_id', 'workspaces.owner_id')
      .select<WorkspaceOwnerRow[]>(
        ...qualifyColumns('workspaces', ['owner_id', 'workspace_visibility']),
        this.db.raw(`${OWNER_LEFT} AS owner_left`),
      )
      .where('workspaces.organization_id', organizationId)
      .where('workspaces.workspace_id', workspaceId)
      .whereNull('workspaces.deleted_at')
      .forUpdate('workspaces');
    return row ?? null;
  }

  /** Who sees a workspace; null: it is deleted. */
  async findAudience(organizationId: number, workspaceId: number): Promise<WorkspaceAudience | null> {
    return this.withMembers(await this.selectAudience(organizationId, workspaceId), workspaceId);
  }

  /** As `findAudience`. Locks the workspace until the transaction ends, also against new and moved contents. */
  async lockAudience(organizationId: number, workspaceId: number): Promise<WorkspaceAudience | null> {
    const row = await this.selectAudience(organizationId, workspaceId).forUpdate();
    return this.withMembers(row, workspaceId);
  }

  /** As `findAudience`. Keeps it unchanged until the transaction ends; others can do the same at the same time. */
  async shareAudience(organizationId: number, workspaceId: number): Promise<WorkspaceAudience | null> {
    const row = await this.selectAudience(organizationId, workspaceId).forShare();
    return this.withMembers(row, workspaceId);
  }

  private selectAudience(organizationId: number, workspaceId: number) {
    return this.db('workspaces')
      .first('owner_id', 'workspace_visibility')
      .where({ ...whereWorkspace({ organizationId, workspaceId }), deleted_at: null });
  }

  private async withMembers(
    row: Pick<WorkspaceTable, 'owner_id' | 'workspace_visibility'> | undefined,
    workspaceId: number,
  ): Promise<WorkspaceAudience | null> {
    if (row === undefined) return null;
    const memberIds = await this.db('workspace_members')
      .join('users', 'users.user_id', 'workspace_members.user_id')
      .where('workspace_members.workspace_id', workspaceId)
      .where('users.user_status', ACTIVE)
      .whereNot('users.user_role', 'client')
      .pluck<number[]>('workspace_members.user_id');
    return { ownerId: row.owner_id, visibility: row.workspace_visibility, memberIds };
  }

  /** Removes the new owner from the members: an owner needs no invitation. */
  async setOwner(organizationId: number, workspaceId: number, userId: number): Promise<void> {
    await this.db('workspaces')
      .where(whereWorkspace({ organizationId, workspaceId }))
      .update({ owner_id: userId });
    await this.db('workspace_members').where({ workspace_id: workspaceId, user_id: userId }).delete();
  }

  /** False: the object is deleted or not in that workspace. */
  async moveObject(
    organizationId: number,
    move: { objectType: MovableType; objectId: number; fromWorkspaceId: number; toWorkspaceId: number },
  ): Promise<boolean> {
    const from = { organization_id: organizationId, workspace_id: move.fromWorkspaceId };
    const moved = {
      workspace_id: move.toWorkspaceId,
      revision: this.db.raw('revision + 1'),
      updated_at: this.db.fn.now(),
    };
    switch (move.objectType) {
      case 'survey': {
        const updated = await this.db('surveys')
          .where({ ...from, survey_id: move.objectId })
          .whereNot({ survey_status: 0 })
          .update({ workspace_id: move.toWorkspaceId, survey_updated: this.db.fn.now() });
        return updated > 0;
      }
      case 'dashboard': {
        const updated = await this.db('dashboards')
          .where({ ...from, dashboard_id: move.objectId })
          .whereNull('deleted_at')
          .update(moved);
        return updated > 0;
      }
      case 'report': {
        const updated = await this.db('reports')
          .where({ ...from, report_id: move.objectId })
          .whereNull('deleted_at')
          .update(moved);
        return updated > 0;
      }
    }
  }

  /** False: the workspace was deleted already. */
  async delete(key: WorkspaceKey, now: Date): Promise<boolean> {
    const updated = await this.db('workspaces')
      .where(whereWorkspace(key))
      .whereNull('deleted_at')
      .update({ deleted_at: now });
    return updated > 0;
  }

  /** False: the organization has no workspace with this id that was deleted after this time. */
  async restore(key: WorkspaceKey, deletedSince: Date): Promise<boolean> {
    const updated = await this.db('workspaces')
      .where({ ...whereWorkspace(key), erased_at: null })
      .where('deleted_at', '>', deletedSince)
      .update({ deleted_at: null });
    return updated > 0;
  }

  /** In the order in which they were invited, without deleted users. */
  async listMembers({ organizationId, workspaceId }: WorkspaceKey): Promise<WorkspaceMemberRow[]> {
    return this.db('workspace_members')
      .join('users', 'users.user_id', 'workspace_members.user_id')
      .select<WorkspaceMemberRow[]>(
        ...qualifyColumns('users', ['user_id', 'user_name', 'user_email']),
        'workspace_members.role',
      )
      .where('workspace_members.organization_id', organizationId)
      .where('workspace_members.workspace_id', workspaceId)
      .whereNot('users.user_status', DELETED)
      .orderBy(['workspace_members.added_at', 'workspace_members.user_id']);
  }

  /** Invites a user, or changes the role of a member. True: the user is a new member. */
  async saveMember(key: WorkspaceKey, userId: number, role: MemberRole): Promise<boolean> {
    const rows = await this.db('workspace_members')
      .insert({ ...whereWorkspace(key), user_id: userId, role })
      .onConflict(['workspace_id', 'user_id'])
      .merge(['role'])
      // xmax is 0 only in a row that this statement inserted.
      .returning<{ is_new: boolean }[]>(this.db.raw('xmax = 0 AS is_new'));
    return requireRow(rows, 'workspace_members').is_new;
  }

  /** False: the user is not a member. */
  async removeMember(key: WorkspaceKey, userId: number): Promise<boolean> {
    const deleted = await this.db('workspace_members')
      .where({ ...whereWorkspace(key), user_id: userId })
      .delete();
    return deleted > 0;
  }

  /** Workspaces that are not deleted, with the role that the user was invited with. */
  private selectForUser(userId: number) {
    return this.db('workspaces')
      .leftJoin('workspace_members', (join) =>
        join
          .on('workspace_members.workspace_id', 'workspaces.workspace_id')
          .andOnVal('workspace_members.user_id', userId),
      )
      .select<WorkspaceRowForUser[]>(
        ...qualifyColumns('workspaces', COLUMNS),
        'workspace_members.role as member_role',
      )
      .whereNull('workspaces.deleted_at');
  }
}
