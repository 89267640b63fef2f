import type { UserRole } from '../../../src/domain/access/caller.ts';
import type { Route } from '../../../src/http/define-route.ts';
import type { Services } from '../../../src/services/services.ts';

/** All kinds of callers that permissions distinguish. All but `foreign` and `anonymous` belong to one organization. */
export const KINDS = [
  'anonymous',
  'suspended',
  'foreign',
  'client',
  'otherMember',
  'viewer',
  'editor',
  'owner',
  'admin',
  'superadmin',
] as const;
export type Kind = (typeof KINDS)[number];

/** Their roles in the organization; null: no credential that counts. `foreign` is the admin of another organization. */
export const ROLES: Readonly<Record<Kind, UserRole | null>> = {
  anonymous: null,
  suspended: null,
  foreign: 'admin',
  client: 'client',
  otherMember: 'member',
  viewer: 'member',
  editor: 'member',
  owner: 'member',
  admin: 'admin',
  superadmin: 'superadmin',
};

/** A workspace of each visibility, all of the same owner, into each of which the viewer and the editor were invited. */
export const VISIBILITIES = { private: 1, team: 2, shared: 3 } as const;
export type Visibility = keyof typeof VISIBILITIES;

type WorkspaceRole = 'viewer' | 'editor' | 'owner';

/** Each kind's role by the rules of workspaces; absent: the workspace is invisible. */
const WORKSPACE_ROLES: Readonly<Record<Visibility, Partial<Record<Kind, WorkspaceRole>>>> = {
  private: { owner: 'owner' },
  team: {
    otherMember: 'editor',
    viewer: 'editor',
    editor: 'editor',
    owner: 'owner',
    admin: 'owner',
    superadmin: 'owner',
  },
  shared: { viewer: 'viewer', editor: 'editor', owner: 'owner' },
};

export const canSee = (kind: Kind, visibility: Visibility): boolean =>
  WORKSPACE_ROLES[visibility][kind] !== undefined;

/** `allowed`, or the status of the refusal. */
export type ExpectedResult = 'allowed' | 401 | 403 | 404;

const RANKS: Readonly<Record<WorkspaceRole, number>> = { viewer: 0, editor: 1, owner: 2 };
const inWorkspace =
  (needed: WorkspaceRole) =>
  (kind: Kind, visibility: Visibility): ExpectedResult => {
    const role = WORKSPACE_ROLES[visibility][kind];
    if (role === undefined) return 404;
    return RANKS[role] >= RANKS[needed] ? 'allowed' : 403;
  };

/** The owners of the objects in the paths of requests that name neither a survey nor a workspace. */
const SELF: Kind = 'viewer';
const OBJECT_OWNER: Kind = 'owner';

const isAdmin = (kind: Kind): boolean => ROLES[kind] === 'admin' || ROLES[kind] === 'superadmin';
const ownOnly = (kind: Kind): ExpectedResult => (kind === OBJECT_OWNER ? 'allowed' : 404);
const userAccess =
  (others: (kind: Kind) => boolean) =>
  (kind: Kind): ExpectedResult => {
    if (kind === SELF) return 'allowed';
    if (!others(kind)) return 403;
    return kind === 'foreign' ? 404 : 'allowed';
  };

/** The expected result for each `resource` that a route can declare. */
const RESOURCES: ReadonlyMap<string, (kind: Kind, visibility: Visibility) => ExpectedResult> = new Map([
  ['survey: view', inWorkspace('viewer')],
  ['survey: view; AI access', inWorkspace('viewer')],
  ['survey: edit', inWorkspace('editor')],
  ['deleted survey: edit', inWorkspace('editor')],
  ['deleted dashboard: edit', inWorkspace('editor')],
  ['deleted report: edit', inWorkspace('editor')],
  ['dashboard: edit', inWorkspace('editor')],
  ['dashboard: view, or shared', inWorkspace('viewer')],
  ['workspace: view; clients: dashboards shared with them', inWorkspace('viewer')],
  ['report: view', inWorkspace('viewer')],
  ['report: edit', inWorkspace('editor')],
  ['workspace: edit; dashboard: view, or shared', inWorkspace('editor')],
  ['workspace: view', inWorkspace('viewer')],
  ['workspace: edit', inWorkspace('editor')],
  ['workspace: own', inWorkspace('owner')],
  ['job: own; its survey or report: view', ownOnly],
  ['chat session: own; its survey: view; AI access', ownOnly],
  ['survey: view (if given); chat session: own (if given); AI access', inWorkspace('viewer')],
  ['AI access', () => 'allowed'],
  ['API key: own', ownOnly],
  ['session: own', ownOnly],
  ['user: own, or admin', userAccess(isAdmin)],
  ['user: own, or member or admin', userAccess((kind) => ROLES[kind] !== 'client')],
  ['user: own', userAccess(() => false)],
  [
    'survey: view; comment: own, or admin',
    (kind, visibility) => {
      const viewResult = inWorkspace('viewer')(kind, visibility);
      return viewResult !== 'allowed' || kind === OBJECT_OWNER || isAdmin(kind) ? viewResult : 403;
    },
  ],
  [
    'workspace: owner, or admin if the owner is suspended, deleted or a client',
    (kind, visibility) => (kind === OBJECT_OWNER ? 'allowed' : canSee(kind, visibility) ? 403 : 404),
  ],
]);

/** Whether permissions on the object of a route depend on the visibility of its workspace. */
export const dependsOnVisibility = ({ access }: Route<Services>): boolean =>
  access.resource !== null && /^(survey|workspace|dashboard|report):/.test(access.resource);

/** Returns the expected outcome, derived only from the declaration of a route. */
export function expectedResult(
  { operationId, path, access }: Route<Services>,
  kind: Kind,
  via: 'key' | 'session',
  visibility: Visibility,
): ExpectedResult {
  if (access.credential === 'none' || access.credential === 'optional') return 'allowed';
  const role = ROLES[kind];
  if (role === null) return 401;
  if (access.credential === 'session' && via === 'key') return 403;
  if (access.roles !== null && !access.roles.includes(role)) return 403;
  if (access.resource === null) return kind === 'foreign' && path.includes('/:') ? 404 : 'allowed';
  const rule = RESOURCES.get(access.resource);
  if (rule === undefined) throw new Error(`${operationId}: no rule for the resource "${access.resource}"`);
  return rule(kind, visibility);
}
