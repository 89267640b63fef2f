import type { Caller, UserRole } from '../domain/access/caller.ts';

/** Who may call an operation, and the check on what it touches; printed as a row of the permission table. */
export interface Access<Services, P, Q, B, Who extends Caller | null, Scope> {
  /** none: no credential is looked at. optional: the caller may be null. session: an API key is not enough. */
  credential: 'none' | 'optional' | 'any' | 'session';
  /** Roles that pass; null: all. */
  roles: readonly UserRole[] | null;
  /** What is needed on the object, in words: `survey: edit`. Null where there is none. */
  resource: string | null;
  /** Loads what the operation touches, or throws 404 or 403; its result reaches the handler as `scope`. */
  authorize(context: {
    services: Services;
    caller: Who;
    params: P;
    query: Q;
    body: B;
  }): Promise<Scope> | Scope;
}

type AccessTo<Who extends Caller | null> = Access<unknown, unknown, unknown, unknown, Who, null>;

/** The check of operations that work on nothing in particular. */
export const noScope = (): null => null;

function withRoles(roles: readonly UserRole[], credential: 'any' | 'session' = 'any'): AccessTo<Caller> {
  return { credential, roles, resource: null, authorize: noScope };
}

const ALL_ROLES: readonly UserRole[] = ['superadmin', 'admin', 'member', 'client'];
const MEMBERS: readonly UserRole[] = ['superadmin', 'admin', 'member'];
const ADMINS: readonly UserRole[] = ['superadmin', 'admin'];

/** No authentication. */
export const anyone: AccessTo<null> = { credential: 'none', roles: null, resource: null, authorize: noScope };
/** No authentication needed, but who is signed in is known. */
export const optionalCaller: AccessTo<Caller | null> = { ...anyone, credential: 'optional' };
/** The same, but only in a session: a key cannot. */
export const anyUserInSession = withRoles(ALL_ROLES, 'session');
/** Members and admins, but only in a session. */
export const memberInSession = withRoles(MEMBERS, 'session');
/** Members and admins. */
export const member = withRoles(MEMBERS);
/** Admins; refused before any look-up. */
export const admin = withRoles(ADMINS);

/** Superadmins; refused before any look-up. */
export const superadmin = withRoles(['superadmin']);
/** Every user, clients included. */
export const anyUser = withRoles(ALL_ROLES);

/** Members and admins who also have the needed role on what the operation touches. */
export function memberOn<Services, P, Q, B, Scope>(
  resource: string,
  authorize: Access<Services, P, Q, B, Caller, Scope>['authorize'],
): Access<Services, P, Q, B, Caller, Scope> {
  return { credential: 'any', roles: MEMBERS, resource, authorize };
}

/** Every user, on what the check says is theirs. */
export function userOn<Services, P, Q, B, Scope>(
  resource: string,
  authorize: Access<Services, P, Q, B, Caller, Scope>['authorize'],
  credential: 'any' | 'session' = 'any',
): Access<Services, P, Q, B, Caller, Scope> {
  return { credential, roles: ALL_ROLES, resource, authorize };
}
