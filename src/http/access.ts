import type { Caller, UserRole } from '../domain/access/caller.ts';

/** The permission of an operation: allowed callers and the check of the object. Printed as a row of the permission table. */
export interface Access<Services, P, Q, B, Who extends Caller | null, Scope> {
  /** none: credentials are ignored. optional: the caller may be null. session: API keys are refused. */
  credential: 'none' | 'optional' | 'any' | 'session';
  /** Allowed roles; null: all. */
  roles: readonly UserRole[] | null;
  /** The required permission on the object, such as `survey: edit`; null without an object. */
  resource: string | null;
  /** Loads the object of the operation, or throws 404 or 403. The handler receives the result as `scope`. */
  authorize(context: {
    services: Services;
    caller: Who;
    params: P;
    query: Q;
    body: B;
  }): Promise<Scope> | Scope;
}

type AccessTo<Who extends Caller | null> = Access<unknown, unknown, unknown, unknown, Who, null>;

/** The check of operations without an object. */
export const noScope = (): null => null;

function withRoles(roles: readonly UserRole[], credential: 'any' | 'session' = 'any'): AccessTo<Caller> {
  return { credential, roles, resource: null, authorize: noScope };
}

const ALL_ROLES: readonly UserRole[] = ['superadmin', 'admin', 'member', 'client'];
const MEMBERS: readonly UserRole[] = ['superadmin', 'admin', 'member'];
const ADMINS: readonly UserRole[] = ['superadmin', 'admin'];

/** No authentication. */
export const anyone: AccessTo<null> = { credential: 'none', roles: null, resource: null, authorize: noScope };
/** Authentication is optional: the handler gets the caller of a valid credential, and null without a credential. */
export const optionalCaller: AccessTo<Caller | null> = { ...anyone, credential: 'optional' };
/** Every user, clients included, in a session; API keys are refused. */
export const anyUserInSession = withRoles(ALL_ROLES, 'session');
/** Members and admins in a session; API keys are refused. */
export const memberInSession = withRoles(MEMBERS, 'session');
/** Members and admins. */
export const member = withRoles(MEMBERS);
/** Admins. Other callers are refused before any lookup. */
export const admin = withRoles(ADMINS);

/** Superadmins. Other callers are refused before any lookup. */
export const superadmin = withRoles(['superadmin']);
/** Every user, clients included. */
export const anyUser = withRoles(ALL_ROLES);

/** Members and admins with the required permission on the object. */
export function memberOn<Services, P, Q, B, Scope>(
  resource: string,
  authorize: Access<Services, P, Q, B, Caller, Scope>['authorize'],
): Access<Services, P, Q, B, Caller, Scope> {
  return { credential: 'any', roles: MEMBERS, resource, authorize };
}

/** Every user with the required permission on the object. */
export function userOn<Services, P, Q, B, Scope>(
  resource: string,
  authorize: Access<Services, P, Q, B, Caller, Scope>['authorize'],
  credential: 'any' | 'session' = 'any',
): Access<Services, P, Q, B, Caller, Scope> {
  return { credential, roles: ALL_ROLES, resource, authorize };
}
