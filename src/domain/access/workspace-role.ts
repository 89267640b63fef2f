import { isAdmin, type UserRole } from './caller.ts';
import type { WorkspaceRole } from './scopes.ts';

/** Visibility on the wire: 1 Private (the owner alone), 2 Team (every admin and member), 3 Shared (owner and invited members). */
export type WorkspaceVisibility = 1 | 2 | 3;

interface WorkspaceAudience {
  ownerId: number;
  visibility: WorkspaceVisibility;
  /** Who was invited; counts in a Shared workspace only. */
  memberIds: readonly number[];
}

/** Whether everyone who sees one workspace also sees the other. */
export function includesAudience(source: WorkspaceAudience, target: WorkspaceAudience): boolean {
  if (target.visibility === 2) return true;
  if (source.visibility === 2) return false;
  const targetAudience = new Set(audienceOf(target));
  return audienceOf(source).every((userId) => targetAudience.has(userId));
}

const audienceOf = ({ ownerId, visibility, memberIds }: WorkspaceAudience): number[] =>
  visibility === 3 ? [ownerId, ...memberIds] : [ownerId];

/**
 * The role that a person has in a workspace of their organization, or null when it is invisible to them.
 * A private workspace is its owner's alone, admins excluded too.
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
