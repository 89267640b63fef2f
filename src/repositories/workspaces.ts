import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { WorkspaceVisibility } from '../domain/access/workspace-role.ts';
import { IS_GIVEN_TO } from './dashboards.ts';

export interface WorkspaceRow {
  workspace_id: number;
  organization_id: number;
  owner_id: number;
  workspace_name: string;
  workspace_color: string;
  workspace_visibility: WorkspaceVisibility;
  workspace_inserted: Date;
}

/** A workspace with the role that one user was invited with. */
export type WorkspaceRowForUser = WorkspaceRow & { member_role: MemberRole | null };

export type OrphanedWorkspaceRow = Pick<
  WorkspaceRow,
  'workspace_id' | 'workspace_name' | 'workspace_visibility' | 'workspace_inserted' | 'owner_id'
> & { owner_name: string; owner_status: number };

export type MemberRole = 'viewer' | 'editor';

export interface WorkspaceMemberRow {
  user_id: number;
  user_name: string;
  user_email: string;
  role: MemberRole;
}

/** What lies in a workspace and can be moved to another. */
export const MOVABLE_TYPES = ['survey', 'dashboard', 'report'] as const;
export type MovableType = (typeof MOVABLE_TYPES)[number];

const MOVES: Record<MovableType, string> = {
  survey: `UPDATE surveys SET workspace_id = ?, survey_updated = now()
    WHERE organization_id = ? AND survey_id = ? AND workspace_id = ? AND survey_status <> 0`,
  dashboard: `UPDATE dashboards SET workspace_id = ?, revision = revision + 1, updated_at = now()
    WHERE organization_id = ? AND dashboard_id = ? AND workspace_id = ? AND deleted_at IS NULL`,
  report: `UPDATE reports SET workspace_id = ?, revision = revision + 1, updated_at = now()
    WHERE organization_id = ? AND report_id = ? AND workspace_id = ? AND deleted_at IS NULL`,
};

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

const COLUMNS =
  'w.workspace_id, w.organization_id, w.owner_id, w.workspace_name, w.workspace_color, w.workspace_visibility, w.workspace_inserted';

/** A client reaches no workspace, their own neither. */
const OWNER_LEFT = `(u.user_status IN (0, 3) OR u.user_role = 'client')`;

export class WorkspaceRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async create(workspace: {
    organizationId: number;
    ownerId: number;
    name: string;
    color: string | null;
    visibility: WorkspaceVisibility;
  }): Promise<WorkspaceRow> {
    const row = await rowOf<WorkspaceRow>(
      this.db,
      `INSERT INTO workspaces AS w (organization_id, owner_id, workspace_name, workspace_color, workspace_visibility)
       VALUES (?, ?, ?, coalesce(?, '#6366f1'), ?) RETURNING ${COLUMNS}`,
      [workspace.organizationId, workspace.ownerId, workspace.name, workspace.color, workspace.visibility],
    );
    return row!;
  }

  /** All live workspaces of the organization as one user meets them, oldest first; which of them are visible, the caller judges. */
  forUser(organizationId: number, userId: number): Promise<WorkspaceRowForUser[]> {
    return rowsOf(
      this.db,
      `SELECT ${COLUMNS}, m.role AS member_role
       FROM workspaces w LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ?
       WHERE w.organization_id = ? AND w.deleted_at IS NULL ORDER BY w.workspace_id`,
      [userId, organizationId],
    );
  }

  one(organizationId: number, userId: number, workspaceId: number): Promise<WorkspaceRowForUser | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS}, m.role AS member_role
       FROM workspaces w LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ?
       WHERE w.organization_id = ? AND w.workspace_id = ? AND w.deleted_at IS NULL`,
      [userId, organizationId, workspaceId],
    );
  }

  /** Surveys as their workspace lets one user meet them; keys are `userId:surveyId`. */
  async aroundSurveys(keys: string[]): Promise<Map<string, WorkspaceRowForUser & { survey_id: number }>> {
    const pairs = keys.map((key) => key.split(':'));
    const rows = await rowsOf<WorkspaceRowForUser & { survey_id: number; user_id: number }>(
      this.db,
      `SELECT ${COLUMNS}, m.role AS member_role, s.survey_id, k.user_id
       FROM unnest(?::bigint[], ?::bigint[]) AS k (user_id, survey_id)
       JOIN surveys s ON s.survey_id = k.survey_id AND s.survey_status <> 0
       JOIN workspaces w ON w.workspace_id = s.workspace_id AND w.deleted_at IS NULL
       LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = k.user_id`,
      [pairs.map((pair) => pair[0]!), pairs.map((pair) => pair[1]!)],
    );
    return new Map(rows.map((row) => [`${row.user_id}:${row.survey_id}`, row]));
  }

  /** The workspace of a wave's survey, as one user meets it. */
  aroundWave(
    organizationId: number,
    userId: number,
    waveId: number,
  ): Promise<(WorkspaceRowForUser & { survey_id: number }) | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS}, m.role AS member_role, s.survey_id
       FROM waves v JOIN surveys s ON s.survey_id = v.survey_id AND s.survey_status <> 0
       JOIN workspaces w ON w.workspace_id = s.workspace_id AND w.deleted_at IS NULL
       LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ?
       WHERE v.organization_id = ? AND v.wave_id = ? AND v.deleted_at IS NULL`,
      [userId, organizationId, waveId],
    );
  }

  /** The workspace of a respondent, as one user meets it. */
  aroundRespondent(
    organizationId: number,
    userId: number,
    respondentId: number,
  ): Promise<WorkspaceRowForUser | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS}, m.role AS member_role
       FROM respondents r JOIN workspaces w ON w.workspace_id = r.workspace_id AND w.deleted_at IS NULL
       LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ?
       WHERE r.organization_id = ? AND r.respondent_id = ? AND r.erased_at IS NULL`,
      [userId, organizationId, respondentId],
    );
  }

  /** The workspace of a dashboard, as one user meets it, and whether they were given the dashboard. */
  aroundDashboard(
    organizationId: number,
    userId: number,
    dashboardId: number,
  ): Promise<(WorkspaceRowForUser & { is_given: boolean }) | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS}, m.role AS member_role, ${IS_GIVEN_TO} AS is_given
       FROM dashboards d JOIN workspaces w ON w.workspace_id = d.workspace_id AND w.deleted_at IS NULL
       LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ?
       WHERE d.organization_id = ? AND d.dashboard_id = ? AND d.deleted_at IS NULL`,
      [userId, userId, userId, organizationId, dashboardId],
    );
  }

  /** The workspace of a report, as one user meets it. */
  aroundReport(
    organizationId: number,
    userId: number,
    reportId: number,
  ): Promise<WorkspaceRowForUser | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS}, m.role AS member_role
       FROM reports r JOIN workspaces w ON w.workspace_id = r.workspace_id AND w.deleted_at IS NULL
       LEFT JOIN workspace_members m ON m.workspace_id = w.workspace_id AND m.user_id = ?
       WHERE r.organization_id = ? AND r.report_id = ? AND r.deleted_at IS NULL`,
      [userId, organizationId, reportId],
    );
  }

  /** null: it is not there any more. */
  update(
    { organizationId, workspaceId }: InWorkspace,
    workspace: { name: string; color: string; visibility: WorkspaceVisibility },
  ): Promise<WorkspaceRow | null> {
    return rowOf(
      this.db,
      `UPDATE workspaces AS w SET workspace_name = ?, workspace_color = ?, workspace_visibility = ?
       WHERE organization_id = ? AND workspace_id = ? AND deleted_at IS NULL RETURNING ${COLUMNS}`,
      [workspace.name, workspace.color, workspace.visibility, organizationId, workspaceId],
    );
  }

  /** Live ones whose owner is suspended or gone, oldest first. */
  orphaned(organizationId: number): Promise<OrphanedWorkspaceRow[]> {
    return rowsOf(
      this.db,
      `SELECT w.workspace_id, w.workspace_name, w.workspace_visibility, w.workspace_inserted,
              w.owner_id, u.user_name AS owner_name, u.user_status AS owner_status
       FROM workspaces w JOIN users u ON u.user_id = w.owner_id
       WHERE w.organization_id = ? AND w.deleted_at IS NULL AND ${OWNER_LEFT} ORDER BY w.workspace_id`,
      [organizationId],
    );
  }

  /** Who owns it, whoever asks; null: there is no such live workspace. Held until the transaction ends. */
  lockOwner(
    organizationId: number,
    workspaceId: number,
  ): Promise<{ owner_id: number; owner_left: boolean; workspace_visibility: WorkspaceVisibility } | null> {
    return rowOf(
      this.db,
      `SELECT w.owner_id, w.workspace_visibility, ${OWNER_LEFT} AS owner_left FROM workspaces w JOIN users u ON u.user_id = w.owner_id
       WHERE w.organization_id = ? AND w.workspace_id = ? AND w.deleted_at IS NULL FOR UPDATE OF w`,
      [organizationId, workspaceId],
    );
  }

  /** Who owns it needs no invitation. */
  async setOwner(organizationId: number, workspaceId: number, userId: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE workspaces SET owner_id = ? WHERE organization_id = ? AND workspace_id = ?`,
      [userId, organizationId, workspaceId],
    );
    await countOf(this.db, `DELETE FROM workspace_members WHERE workspace_id = ? AND user_id = ?`, [
      workspaceId,
      userId,
    ]);
  }

  /** False: the object is deleted or not in that workspace. */
  async moveObject(
    organizationId: number,
    move: { objectType: MovableType; objectId: number; fromWorkspaceId: number; toWorkspaceId: number },
  ): Promise<boolean> {
    const { objectType, objectId, fromWorkspaceId, toWorkspaceId } = move;
    const bindings = [toWorkspaceId, organizationId, objectId, fromWorkspaceId];
    return (await countOf(this.db, MOVES[objectType], bindings)) > 0;
  }

  /** False: it was deleted already. */
  async delete({ organizationId, workspaceId }: InWorkspace): Promise<boolean> {
    const count = await countOf(
      this.db,
      `UPDATE workspaces SET deleted_at = now() WHERE organization_id = ? AND workspace_id = ? AND deleted_at IS NULL`,
      [organizationId, workspaceId],
    );
    return count > 0;
  }

  /** False: no deleted workspace of the organization has this id. */
  async restore({ organizationId, workspaceId }: InWorkspace): Promise<boolean> {
    const count = await countOf(
      this.db,
      `UPDATE workspaces SET deleted_at = NULL WHERE organization_id = ? AND workspace_id = ? AND deleted_at IS NOT NULL`,
      [organizationId, workspaceId],
    );
    return count > 0;
  }

  /** Who was invited, in the order they were; deleted users are left out. */
  members({ organizationId, workspaceId }: InWorkspace): Promise<WorkspaceMemberRow[]> {
    return rowsOf(
      this.db,
      `SELECT m.user_id, u.user_name, u.user_email, m.role
       FROM workspace_members m JOIN users u ON u.user_id = m.user_id AND u.user_status <> 0
       WHERE m.organization_id = ? AND m.workspace_id = ? ORDER BY m.added_at, m.user_id`,
      [organizationId, workspaceId],
    );
  }

  /** Invites a user, or changes the role of one who is invited already. True: a new member. */
  async putMember(
    { organizationId, workspaceId }: InWorkspace,
    userId: number,
    role: MemberRole,
  ): Promise<boolean> {
    const row = await rowOf<{ is_new: boolean }>(
      this.db,
      // xmax is 0 only in a row that this statement inserted.
      `INSERT INTO workspace_members (organization_id, workspace_id, user_id, role) VALUES (?, ?, ?, ?)
       ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = excluded.role RETURNING xmax = 0 AS is_new`,
      [organizationId, workspaceId, userId, role],
    );
    return row!.is_new;
  }

  /** False: this user is no member. */
  async removeMember({ organizationId, workspaceId }: InWorkspace, userId: number): Promise<boolean> {
    const count = await countOf(
      this.db,
      `DELETE FROM workspace_members WHERE organization_id = ? AND workspace_id = ? AND user_id = ?`,
      [organizationId, workspaceId, userId],
    );
    return count > 0;
  }
}
