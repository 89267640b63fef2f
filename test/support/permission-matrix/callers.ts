import type { UserRole } from '../../../src/domain/access/caller.ts';
import type { Route } from '../../../src/http/define-route.ts';
import type { Services } from '../../../src/services/services.ts';

/** All kinds of callers that permissions distinguish. All but `foreign` and `nobody` belong to one organization. */
export const KINDS = [
  'nobody',
  'suspended',
  'foreign',
  'client',
  'stranger',
  'viewer',
  'editor',
  'owner',
  'admin',
  'superadmin',
] as const;
export type Kind = (typeof KINDS)[number];

/** Their roles in the organization; null: no credential that counts. `foreign` is the admin of another organization. */
export const ROLES: Readonly<Record<Kind, UserRole | null>> = {
  nobody: null,
  suspended: null,
  foreign: 'admin',
  client: 'client',
  stranger: 'member',
  viewer: 'member',
  editor: 'member',
  owner: 'member',
  admin: 'admin',
  superadmin: 'superadmin',
};

/** A workspace of each visibility, all of the same owner, into each of which the viewer and the editor were invited. */
export const PLACES = { private: 1, team: 2, shared: 3 } as const;
export type Place = keyof typeof PLACES;

type WorkspaceRole = 'viewer' | 'editor' | 'owner';

/** Each kind's role by the rules of workspaces; absent: the workspace is invisible. */
const WORKSPACE_ROLES: Readonly<Record<Place, Partial<Record<Kind, WorkspaceRole>>>> = {
  private: { owner: 'owner' },
  team: {
    stranger: 'editor',
    viewer: 'editor',
    editor: 'editor',
    owner: 'owner',
    admin: 'owner',
    superadmin: 'owner',
  },
  shared: { viewer: 'viewer', editor: 'editor', owner: 'owner' },
};

export const sees = (kind: Kind, place: Place): boolean => WORKSPACE_ROLES[place][kind] !== undefined;

/** `may`, or the status of the refusal. */
export type Verdict = 'may' | 401 | 403 | 404;

const RANKS: Readonly<Record<WorkspaceRole, number>> = { viewer: 0, editor: 1, owner: 2 };
const inWorkspace =
  (needed: WorkspaceRole) =>
  (kind: Kind, place: Place): Verdict => {
    const role = WORKSPACE_ROLES[place][kind];
    if (role === undefined) return 404;
    return RANKS[role] >= RANKS[needed] ? 'may' : 403;
  };

/** Whose things the paths of requests name where it is neither a survey nor a workspace. */
const SELF: Kind = 'viewer';
const HOLDER: Kind = 'owner';

const isAdmin = (kind: Kind): boolean => ROLES[kind] === 'admin' || ROLES[kind] === 'superadmin';
const own = (kind: Kind): Verdict => (kind === HOLDER ? 'may' : 404);
const person =
  (others: (kind: Kind) => boolean) =>
  (kind: Kind): Verdict => {
    if (kind === SELF) return 'may';
    if (!others(kind)) return 403;
    return kind === 'foreign' ? 404 : 'may';
  };

/** What each `resource` that a route declares means. */
const RESOURCES: ReadonlyMap<string, (kind: Kind, place: Place) => Verdict> = new Map([
  ['survey: view', inWorkspace('viewer')],
  ['survey: view; AI access', inWorkspace('viewer')],
  ['survey: edit', inWorkspace('editor')],
  ['dashboard: edit', inWorkspace('editor')],
  ['dashboard: view, or shared', inWorkspace('viewer')],
  ['workspace: view; clients: dashboards shared with them', inWorkspace('viewer')],
  ['report: view', inWorkspace('viewer')],
  ['report: edit', inWorkspace('editor')],
  ['workspace: edit; dashboard: view, or shared', inWorkspace('editor')],
  ['workspace: view', inWorkspace('viewer')],
  ['workspace: edit', inWorkspace('editor')],
  ['workspace: own', inWorkspace('owner')],
  ['job: own; its survey or report: view', own],
  ['chat session: own; its survey: view; AI access', own],
  ['survey: view (if given); chat session: own (if given); AI access', inWorkspace('viewer')],
  ['AI access', () => 'may'],
  ['API key: own', own],
  ['session: own', own],
  ['user: own, or admin', person(isAdmin)],
  ['user: own, or member or admin', person((kind) => ROLES[kind] !== 'client')],
  ['user: own', person(() => false)],
  [
    'survey: view; comment: own, or admin',
    (kind, place) => {
      const seen = inWorkspace('viewer')(kind, place);
      return seen !== 'may' || kind === HOLDER || isAdmin(kind) ? seen : 403;
    },
  ],
  [
    'workspace: owner, or admin if the owner is suspended, deleted or a client',
    (kind, place) => (kind === HOLDER ? 'may' : sees(kind, place) ? 403 : 404),
  ],
]);

/** Whether what a caller may do with the object of a route differs from place to place. */
export const dependsOnPlace = ({ access }: Route<Services>): boolean =>
  access.resource !== null && /^(survey|workspace|dashboard|report):/.test(access.resource);

/** Returns the expected outcome, derived only from the declaration of a route. */
export function verdict(
  { operationId, path, access }: Route<Services>,
  kind: Kind,
  via: 'key' | 'session',
  place: Place,
): Verdict {
  if (access.credential === 'none' || access.credential === 'optional') return 'may';
  const role = ROLES[kind];
  if (role === null) return 401;
  if (access.credential === 'session' && via === 'key') return 403;
  if (access.roles !== null && !access.roles.includes(role)) return 403;
  if (access.resource === null) return kind === 'foreign' && path.includes('/:') ? 404 : 'may';
  const means = RESOURCES.get(access.resource);
  if (means === undefined)
    throw new Error(`${operationId}: nobody here knows what "${access.resource}" means`);
  return means(kind, place);
}
