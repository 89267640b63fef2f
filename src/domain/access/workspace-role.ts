import { isAdmin, type UserRole } from './caller.ts';
import type { WorkspaceRole } from './scopes.ts';

/** Visibility in the API: 1 Private (owner only), 2 Team (all admins and members), 3 Shared (owner and invited members). */
export type WorkspaceVisibility = 1 | 2 | 3;

interface WorkspaceAudience {
  ownerId: number;
  visibility: WorkspaceVisibility;
  /** The invited members; only used in a Shared workspace. */
  memberIds: readonly number[];
}

/** Whether every user who sees the target workspace also sees the source workspace. */
export function includesAudience(source: WorkspaceAudience, target: WorkspaceAudience): boolean {
  if (target.visibility === 2) return true;
  if (source.visibility === 2) return false;
  const targetAudience = new Set(audienceOf(target));
  return audienceOf(source).every((userId) => targetAudience.has(userId));
}

const audienceOf = ({ ownerId, visibility, memberIds }: WorkspaceAudience): number[] =>
  visibility === 3 ? [ownerId, ...memberIds] : [ownerId];

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
