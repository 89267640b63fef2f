import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';
import type { WorkspaceVisibility } from '../domain/access/workspace-role.ts';

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
export type WorkspaceRowForUser = WorkspaceRow & { member_role: 'viewer' | 'editor' | null };

const COLUMNS =
  'w.workspace_id, w.organization_id, w.owner_id, w.workspace_name, w.workspace_color, w.workspace_visibility, w.workspace_inserted';

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
}
