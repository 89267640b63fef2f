import type { WorkspaceVisibility } from './scopes.ts';

/** The users who see a workspace: all admins and members of the organization, or these. */
export type Audience = 'team' | ReadonlySet<number>;

/** Of a deleted workspace. */
export const NO_AUDIENCE: Audience = new Set<number>();

export interface WorkspaceAudience {
  ownerId: number;
  visibility: WorkspaceVisibility;
  /** The invited members who can sign in; only used in a Shared workspace. */
  memberIds: readonly number[];
}

export function audienceOf({ ownerId, visibility, memberIds }: WorkspaceAudience): Audience {
  if (visibility === 2) return 'team';
  return new Set(visibility === 3 ? [ownerId, ...memberIds] : [ownerId]);
}

/**
 * Whether a change takes an object from a user who must keep seeing it: one of `entitled` who saw it before and does not see it after. The
 * user who makes the change may give up their own access.
 */
export function takesAccess(
  entitled: Audience,
  { before, after, byUserId }: { before: Audience; after: Audience; byUserId: number },
): boolean {
  if (after === 'team') return false;
  const seenBefore = intersect(entitled, before);
  if (seenBefore === 'team') return true;
  return [...seenBefore].some((userId) => userId !== byUserId && !after.has(userId));
}

function intersect(one: Audience, other: Audience): Audience {
  if (one === 'team') return other;
  return other === 'team' ? one : new Set([...one].filter((userId) => other.has(userId)));
}
