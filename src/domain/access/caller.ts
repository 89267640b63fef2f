import type { Origin } from './actor.ts';

export type UserRole = 'superadmin' | 'admin' | 'member' | 'client';

/** Who makes a request, as the database knew them when it arrived. */
export interface Caller {
  /** A browser's or client's login, or an integration's key. */
  credential: 'session' | 'api_key';
  /** The session's id or the key's id. */
  credentialId: string;
  /** Through the auth_token cookie: only then can another site's page have sent the request. */
  viaCookie: boolean;
  userId: number;
  /** Where they act: a superadmin's may be another than their own. */
  organizationId: number;
  /** Where their account, sessions and keys are. */
  homeOrganizationId: number;
  role: UserRole;
  aiAccess: boolean;
  /** Belongs to the session or key; null until one is chosen or used. */
  currentWorkspaceId: number | null;
  origin: Origin;
}

/** As somebody of their own organization: for what is their account's, wherever they act. */
export const inHomeOrganization = (caller: Caller): Caller => ({
  ...caller,
  organizationId: caller.homeOrganizationId,
});

/** Admins of the organization, and superadmins. */
export function isAdmin(caller: Pick<Caller, 'role'>): boolean {
  return caller.role === 'admin' || caller.role === 'superadmin';
}

/** The one numbering on the wire: 1 Admin, 2 Member, 3 Client. A superadmin shows 1. */
export function userTypeOf(role: UserRole): 1 | 2 | 3 {
  return role === 'client' ? 3 : role === 'member' ? 2 : 1;
}
