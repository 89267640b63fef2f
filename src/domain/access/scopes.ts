import type { Origin } from './actor.ts';

/** What someone may do in a workspace and with everything in it; each includes the ones before. */
export const WORKSPACE_ROLES = ['viewer', 'editor', 'owner'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** What an operation needs: to see, to change, or to own. */
export type AccessLevel = 'view' | 'edit' | 'own';

const REQUIRED_ROLES: Record<AccessLevel, WorkspaceRole> = { view: 'viewer', edit: 'editor', own: 'owner' };

/** Whether a role is enough. */
export function hasAccess(role: WorkspaceRole, need: AccessLevel): boolean {
  return WORKSPACE_ROLES.indexOf(role) >= WORKSPACE_ROLES.indexOf(REQUIRED_ROLES[need]);
}

/**
 * Proof that access to a workspace was checked: services take it instead of a bare id, and repositories
 * put its organization and workspace into every statement.
 */
export interface WorkspaceScope {
  userId: number;
  organizationId: number;
  workspaceId: number;
  role: WorkspaceRole;
  /** Absent: not in a request, as in a job. */
  origin?: Origin;
}

/** The same for one survey. */
export interface SurveyScope extends WorkspaceScope {
  surveyId: number;
}

/** The same for one wave of a survey. */
export interface WaveScope extends SurveyScope {
  waveId: number;
}

/** The same for one respondent. */
export interface RespondentScope extends WorkspaceScope {
  respondentId: number;
}

/** The same for one report. */
export interface ReportScope extends WorkspaceScope {
  reportId: number;
}

/**
 * The same for one dashboard. A role of null: they were given this dashboard and see nothing of its workspace, nor of the
 * surveys behind it.
 */
export interface DashboardScope extends Omit<WorkspaceScope, 'role'> {
  dashboardId: number;
  role: WorkspaceRole | null;
}
