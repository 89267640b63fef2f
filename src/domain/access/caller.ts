import { forbidden } from '../../lib/errors.ts';

export const USER_ROLES = ['superadmin', 'admin', 'member', 'client'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** The authenticated user of a request, as stored when the request arrived. */
export interface Caller {
  /** The session of a browser or API client, or an API key. */
  credential: 'session' | 'api_key';
  /** The session's id or the key's id. */
  credentialId: string;
  /** Whether the session came in the auth_token cookie. Only such requests can be forged by another site. */
  viaCookie: boolean;
  userId: number;
  /** The organization that the request acts in; a superadmin can act in another organization. */
  organizationId: number;
  /** The organization of the account, its sessions and its API keys. */
  homeOrganizationId: number;
  role: UserRole;
  aiAccess: boolean;
  /** Stored with the session or API key; null until a workspace is chosen or used. */
  currentWorkspaceId: number | null;
  origin: Origin;
}

/** Returns the caller in the home organization, for operations on the caller's own account. */
export const inHomeOrganization = (caller: Caller): Caller => ({
  ...caller,
  organizationId: caller.homeOrganizationId,
});

/** Whether the caller is an admin of the organization or a superadmin. */
export function isAdmin(caller: Pick<Caller, 'role'>): boolean {
  return caller.role === 'admin' || caller.role === 'superadmin';
}

/** Returns the API's number of a role: 1 Admin, 2 Member, 3 Client. A superadmin is 1. */
export function userTypeOf(role: UserRole): 1 | 2 | 3 {
  return role === 'client' ? 3 : role === 'member' ? 2 : 1;
}

/** The credential and the request of an action. */
export interface Origin {
  /** null: a link sent by email. */
  credential: 'session' | 'api_key' | null;
  /** The session's id or the key's id. */
  credentialId: string | null;
  requestId: string;
  address: string;
}

/** The user who performs an action, as recorded in the audit log. */
export interface Actor {
  organizationId: number;
  /** null: the installation itself, or the command line. */
  userId: number | null;
  /** Absent outside a request of the user, for example in a background job. */
  origin?: Origin;
}

/** Throws 403 `ai_disabled` if an admin switched AI off for the user. */
export function requireAiAccess({ aiAccess }: Pick<Caller, 'aiAccess'>): void {
  if (!aiAccess) throw forbidden('AI is switched off for you; an admin can switch it on', 'ai_disabled');
}
