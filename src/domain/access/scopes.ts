import { isAdmin, type Origin, type UserRole } from './caller.ts';

/** Roles in a workspace, in ascending order; each role includes the permissions of the previous ones. */
export const WORKSPACE_ROLES = ['viewer', 'editor', 'owner'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

/** The access that an operation requires. */
export type AccessLevel = 'view' | 'edit' | 'own';

const REQUIRED_ROLES: Record<AccessLevel, WorkspaceRole> = { view: 'viewer', edit: 'editor', own: 'owner' };

/** Whether a role has the required access. */
export function hasAccess(role: WorkspaceRole, need: AccessLevel): boolean {
  return WORKSPACE_ROLES.indexOf(role) >= WORKSPACE_ROLES.indexOf(REQUIRED_ROLES[need]);
}

/**
 * Proves that access to a workspace was checked. Services take a scope instead of an id, and repositories add its organization and
 * workspace to every statement.
 */
export interface WorkspaceScope {
  userId: number;
  organizationId: number;
  workspaceId: number;
  role: WorkspaceRole;
  /** Absent outside a request, for example in a background job. */
  origin?: Origin;
}

/** Proves that access to a survey was checked. */
export interface SurveyScope extends WorkspaceScope {
  surveyId: number;
}

/** Proves that access to a wave of a survey was checked. */
export interface WaveScope extends SurveyScope {
  waveId: number;
}

/** Proves that access to a respondent was checked. */
export interface RespondentScope extends WorkspaceScope {
  respondentId: number;
}

/** Proves that access to a report was checked. */
export interface ReportScope extends WorkspaceScope {
  reportId: number;
}

/**
 * Proves that access to a dashboard was checked. Role null: the dashboard is shared with the user, who has no access to its workspace and
 * surveys.
 */
export interface DashboardScope extends Omit<WorkspaceScope, 'role'> {
  dashboardId: number;
  role: WorkspaceRole | null;
}

/** Visibility in the API: 1 Private (owner only), 2 Team (all admins and members), 3 Shared (owner and invited members). */
export type WorkspaceVisibility = 1 | 2 | 3;

/**
 * Returns the role of a user in a workspace of their organization; null if the user cannot see the workspace. Only the owner sees a
 * private workspace, not even admins.
 */
export function workspaceRoleOf(
  person: { userId: number; role: UserRole },
  workspace: { ownerId: number; visibility: WorkspaceVisibility },
  memberRole: 'viewer' | 'editor' | null,
): WorkspaceRole | null {
  if (person.role === 'client') return null;
  if (workspace.ownerId === person.userId) return 'owner';
  if (workspace.visibility === 2) return isAdmin(person) ? 'owner' : 'editor';
  if (workspace.visibility === 3) return memberRole;
  return null;
}
