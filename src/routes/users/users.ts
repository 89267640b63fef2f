import { z } from 'zod';
import {
  type Caller,
  inHomeOrganization,
  isAdmin,
  USER_ROLES,
  type UserRole,
  userTypeOf,
} from '../../domain/access/caller.ts';
import {
  roleFromType,
  type StatusAction,
  USER_STATUSES,
  type UserStatus,
} from '../../domain/access/users.ts';
import { admin, anyUser, userOn } from '../../http/access.ts';
import { idNumber, idParam, paginateItems, pagingQuery, sortParam } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import { forbidden } from '../../lib/errors.ts';
import type { GrantedDashboardRow } from '../../repositories/dashboard-shares.ts';
import type { UserRow } from '../../repositories/users.ts';
import type { UserScope } from '../../services/users/users.ts';
import { defineRoute } from '../define-route.ts';
import { readOnly } from '../guards.ts';
import {
  emailField,
  refuseCommonField,
  newPassword,
  passwordField,
  personName,
  requestedRole,
  roleWord,
  storedEmailField,
  typeNumber,
} from '../request-fields.ts';
import { organizationSchema } from './organizations.ts';

interface Context {
  caller: Caller;
  params: { id: number };
}

/** Access to the user with the :id of the path. Other callers are rejected before any query, so that they cannot find out whether the user exists. */
function onUser(
  resource: string,
  others: (caller: Caller) => boolean,
  credential: 'any' | 'session' = 'any',
) {
  return userOn(
    resource,
    ({ caller, params: { id: userId } }: Context): UserScope => {
      if (userId === caller.userId) return { userId, by: inHomeOrganization(caller), isSelf: true };
      if (!others(caller)) throw forbidden();
      return { userId, by: caller, isSelf: false };
    },
    credential,
  );
}

const MEMBERS: readonly UserRole[] = ['superadmin', 'admin', 'member'];

export const onSelfOrAdmin = onUser('user: own, or admin', isAdmin);
export const onSelfOrMember = onUser('user: own, or member or admin', ({ role }) => MEMBERS.includes(role));
export const onSelfInSession = onUser('user: own', () => false, 'session');

export const userSchema = z
  .strictObject({
    user_id: z.int(),
    user_email: z.string(),
    user_name: z.string(),
    user_type: z.literal([1, 2, 3]).describe('1 Admin, 2 Member, 3 Client'),
    user_role: z.enum(USER_ROLES),
    user_status: z.literal(USER_STATUSES).describe('1 Active, 2 Pending, 3 Suspended, 0 Deleted'),
    ai_access: z.boolean(),
    avatar_url: z.url().nullable().describe('Changes with every new picture; null: no picture'),
    last_login_at: z.iso.datetime().nullable(),
    email_confirmed: z
      .boolean()
      .describe('Whether the user, an admin or the operator of the server confirmed the email address'),
  })
  .meta({
    id: 'User',
    examples: [
      {
        user_id: 2,
        user_email: 'grace@meridian.example',
        user_name: 'Grace Okafor',
        user_type: 2,
        user_role: 'member',
        user_status: 1,
        ai_access: true,
        avatar_url: null,
        last_login_at: '2026-10-06T08:05:00.000Z',
        email_confirmed: true,
      },
    ],
  });

export function presentUser(row: UserRow, baseUrl: string): z.input<typeof userSchema> {
  const isThere = row.avatar_version !== null && row.user_status !== 0;
  return {
    user_id: row.user_id,
    user_email: row.user_email,
    user_name: row.user_name,
    user_type: userTypeOf(row.user_role),
    user_role: row.user_role,
    user_status: row.user_status,
    ai_access: row.ai_access,
    avatar_url: isThere ? `${baseUrl}/api/users/${row.user_id}/avatar?v=${row.avatar_version}` : null,
    last_login_at: row.last_login_at?.toISOString() ?? null,
    email_confirmed: row.email_confirmed_at !== null,
  };
}

const SORT_FIELDS = ['user_id', 'user_name', 'user_email', 'last_login_at'] as const;

const meSchema = userSchema
  .extend({
    organization: organizationSchema.describe('The organization of this request'),
    can_publish_dashboards: z
      .boolean()
      .describe(
        'Whether you may make dashboards that you edit public; false: only admins may (setting `ADMINS_PUBLISH_DASHBOARDS`), or you are a client',
      ),
    deleted_retention_days: z
      .int()
      .describe(
        'How long deleted objects can be restored, before they are erased (setting `DELETED_RETENTION_DAYS`)',
      ),
    home_organization_id: z
      .int()
      .optional()
      .describe('Only for a superadmin whose current organization is another one: the home organization'),
  })
  .meta({ id: 'CurrentUser' });

const status = z
  .enum(['0', '1', '2', '3'], { error: 'must be 0 (Deleted), 1 (Active), 2 (Pending) or 3 (Suspended)' })
  .transform((value) => Number(value) as UserStatus)
  .describe('1 Active, 2 Pending, 3 Suspended, 0 Deleted. Default: all except deleted users')
  .meta({ override: { type: 'integer', enum: [0, 1, 2, 3] } });

const params = z.strictObject({ id: idParam });
const aiAccess = z.boolean().describe('Whether the user can use AI features');
const MAX_DASHBOARDS = 1_000;

const createSchema = z.strictObject({
  user_email: emailField.describe(
    'Unique in the organization, ignoring case; not an address that a user of another organization has confirmed',
  ),
  user_name: personName,
  user_password: newPassword,
  refuse_common_password: refuseCommonField,
  user_type: typeNumber.optional().describe('1 Admin, 2 Member (default), 3 Client; 6 is read as Client'),
  user_role: roleWord.optional(),
  ai_access: aiAccess.default(true),
  dashboard_ids: z
    .array(idNumber)
    .max(MAX_DASHBOARDS)
    .default([])
    .describe('Dashboards to share with the user, as in `PUT /api/users/:id/dashboards`'),
});

const updateSchema = z.strictObject({
  user_name: personName.optional(),
  user_email: storedEmailField
    .optional()
    .describe('Changing an email address requires `current_password`; for another user also a session'),
  current_password: passwordField.optional().describe('Your own password'),
  user_password: z
    .unknown()
    .refine(
      (value) => value === undefined,
      'cannot be set here: PUT /api/users/:id/change-password changes your own, POST /api/users/:id/password-link sends another user a link',
    )
    .optional()
    .describe('Always refused'),
  user_type: typeNumber
    .optional()
    .describe('Only for admins. 1 Admin, 2 Member, 3 Client; 6 is read as Client'),
  user_role: roleWord.optional(),
  ai_access: aiAccess.optional(),
  user_id: readOnly,
  user_status: readOnly,
  avatar_url: readOnly,
  last_login_at: readOnly,
  email_confirmed: readOnly,
});

export const userRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/users/me',
    operationId: 'getMe',
    summary: 'Get your own user',
    description: 'Returns the user of the session or API key.',
    access: anyUser,
    reply: dataReply(meSchema),
    async handler({ services, caller, request }) {
      const { user, organization } = await services.users.getOwnAccount(caller);
      const isAway = caller.organizationId !== caller.homeOrganizationId;
      return {
        ...presentUser(user, request.baseUrl),
        organization,
        can_publish_dashboards: caller.role !== 'client' && services.dashboardShares.canPublish(caller),
        deleted_retention_days: services.deletedRetention.days,
        ...(isAway ? { home_organization_id: caller.homeOrganizationId } : {}),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/users',
    operationId: 'listUsers',
    summary: 'List users',
    description: 'Returns the oldest user first unless `sort` is given.',
    access: admin,
    query: z.strictObject({
      ...pagingQuery,
      search: z.string().max(200).optional().describe('Part of the name or email address, ignoring case'),
      user_status: status.optional(),
      user_role: roleWord.optional(),
      sort: sortParam(SORT_FIELDS)
        .optional()
        .describe('Field to sort by; `-` before it sorts in descending order'),
    }),
    reply: listReply(userSchema),
    async handler({ services, caller, query, request }) {
      const users = await services.users.list(caller, {
        status: query.user_status,
        role: query.user_role,
        search: query.search,
        sort: query.sort,
      });
      const page = paginateItems(users, (user) => user.user_id, query);
      return { ...page, items: page.items.map((user) => presentUser(user, request.baseUrl)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/users/:id',
    operationId: 'getUser',
    summary: 'Get a user',
    description: 'Users can get themselves; admins all users of the organization.',
    access: onSelfOrAdmin,
    params,
    reply: dataReply(userSchema),
    handler: async ({ services, scope, request }) =>
      presentUser(await services.users.get(scope), request.baseUrl),
  }),
  defineRoute({
    method: 'post',
    path: '/api/users',
    operationId: 'createUser',
    summary: 'Create a user',
    description:
      'Creates an active user, and emails them a link that confirms their address. `user_type` or `user_role` sets the role; superadmins can only be created on the command line. ' +
      '`dashboard_ids` shares dashboards in the same transaction: if one is unknown, of another organization or invisible to ' +
      'the caller, the reply is 400 and no user is created.',
    access: admin,
    body: createSchema,
    example: {
      user_email: 'grace@meridian.example',
      user_name: 'Grace Okafor',
      user_password: 'Harbour-lantern-42',
      user_type: 2,
    },
    reply: dataReply(userSchema),
    status: 201,
    errors: { 409: '`email_taken`: the email address cannot be used' },
    async handler({ services, caller, body, request }) {
      const user = await services.users.create(caller, {
        email: body.user_email,
        name: body.user_name,
        password: body.user_password,
        refuseCommonPassword: body.refuse_common_password,
        role: requestedRole('user_type', body.user_type, body.user_role) ?? 'member',
        aiAccess: body.ai_access,
        dashboardIds: body.dashboard_ids,
      });
      return presentUser(user, request.baseUrl);
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/users/:id',
    operationId: 'updateUser',
    summary: 'Update a user',
    description:
      'Omitted fields keep their values. Users can change their own name, and their own email address with `current_password`. ' +
      'Admins can change names, roles and AI access of every user except superadmins; to change the email address of another user, ' +
      'an admin needs a session and their own password as `current_password`. A changed address is not confirmed: the user gets an ' +
      'email at the former and the new one. Changing the role ends all sessions of the user. Passwords are not set here. The reply ' +
      'of the GET can be sent back.',
    access: onSelfOrAdmin,
    params,
    body: updateSchema,
    example: {
      user_name: 'Grace Okafor-Lind',
    },
    reply: dataReply(userSchema),
    errors: {
      409: '`email_taken`: the email address cannot be used. `last_admin`: the organization would have no active admin',
    },
    async handler({ services, scope, body, request }) {
      const byType = body.user_type === undefined ? undefined : (roleFromType(body.user_type) ?? undefined);
      const user = await services.users.update(scope, {
        name: body.user_name,
        email: body.user_email,
        currentPassword: body.current_password,
        role: { byType, byWord: body.user_role },
        aiAccess: body.ai_access,
      });
      return presentUser(user, request.baseUrl);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/users/:id',
    operationId: 'deleteUser',
    summary: 'Delete a user',
    description:
      'Ends the sessions and revokes the API keys of the user immediately. The email address can be used for another account. ' +
      'Objects created by the user remain.',
    access: admin,
    params,
    reply: emptyReply,
    errors: { 409: '`last_admin`: the organization would have no active admin' },
    handler: ({ services, caller, params: { id } }) => services.userStatus.delete(caller, id),
  }),
];

export const grantedDashboardSchema = z
  .strictObject({ dashboard_id: z.int(), dashboard_name: z.string(), workspace_id: z.int() })
  .meta({ id: 'SharedDashboard' });

export const presentGrantedDashboard = (row: GrantedDashboardRow) => ({
  dashboard_id: row.dashboard_id,
  dashboard_name: row.dashboard_name,
  workspace_id: row.workspace_id,
});

const dashboardSchema = grantedDashboardSchema
  .extend({
    granted_directly: z.boolean().describe('Whether the dashboard is shared with the user directly'),
    group_ids: z.array(z.int()).describe('Groups of the user that the dashboard is shared with'),
  })
  .meta({
    id: 'UserDashboard',
    examples: [
      {
        dashboard_id: 1,
        dashboard_name: 'Coffee at work',
        workspace_id: 1,
        granted_directly: true,
        group_ids: [1],
      },
    ],
  });

const MAX_IDS = 1_000;

export const userDashboardRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/users/:id/dashboards',
    operationId: 'listUserDashboards',
    summary: 'List dashboards of a user',
    description:
      'Returns dashboards shared with the user directly or through groups. Users see all of their own; admins only those in ' +
      'workspaces they can view.',
    access: onSelfOrAdmin,
    params,
    query: z.strictObject(pagingQuery),
    reply: listReply(dashboardSchema),
    async handler({ services, scope, query }) {
      return paginateItems(await services.userDashboards.list(scope), (one) => one.dashboard_id, query);
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/users/:id/dashboards',
    operationId: 'setUserDashboards',
    summary: 'Replace the dashboards of a user',
    description:
      'Replaces the directly shared dashboards that the caller can view; shares in workspaces invisible to the caller are kept. ' +
      'Removed dashboards are inaccessible immediately, unless a group shares them. Returns the dashboards the user can view ' +
      'afterwards.',
    access: admin,
    params,
    body: z.strictObject({ dashboard_ids: z.array(idNumber).max(MAX_IDS) }),
    example: {
      dashboard_ids: [1],
    },
    reply: listReply(dashboardSchema),
    async handler({ services, caller, params: { id }, body }) {
      const dashboards = await services.userDashboards.set(caller, id, body.dashboard_ids);
      return paginateItems(dashboards, (one) => one.dashboard_id, {});
    },
  }),
];

const ILLEGAL = '`illegal_transition`: the user has another status';

const statusRoute = ({
  action,
  summary,
  description,
  alsoRefused = '',
}: {
  action: Exclude<StatusAction, 'suspend'>;
  summary: string;
  description: string;
  alsoRefused?: string | undefined;
}) =>
  defineRoute({
    method: 'post',
    path: `/api/users/:id/${action}`,
    operationId: `${action}User`,
    summary,
    description,
    access: admin,
    params,
    reply: dataReply(userSchema),
    errors: { 409: ILLEGAL + alsoRefused },
    handler: async ({ services, caller, params: { id }, request }) =>
      presentUser(
        await services.userStatus.change({ by: caller, userId: id, action, revokeApiKeys: false }),
        request.baseUrl,
      ),
  });

export const userStatusRoutes = [
  statusRoute({
    action: 'approve',
    summary: 'Approve a user',
    description:
      'Activates a user who registered through an invite link: status 2 (Pending) becomes 1 (Active).',
    alsoRefused: '. `email_taken`: the email address cannot be used; change it first',
  }),
  statusRoute({
    action: 'reject',
    summary: 'Reject a user',
    description:
      'Rejects a user who registered through an invite link: status 2 (Pending) becomes 0 (Deleted). The email address can be used again.',
  }),
  defineRoute({
    method: 'post',
    path: '/api/users/:id/suspend',
    operationId: 'suspendUser',
    summary: 'Suspend a user',
    description:
      'Status 1 (Active) becomes 3 (Suspended). Sessions end immediately and API keys are revoked. With `revoke_api_keys` ' +
      'false, keys are disabled only until the user is reactivated.',
    access: admin,
    params,
    body: z.strictObject({
      revoke_api_keys: z.boolean().default(true).describe('Revokes all API keys of the user'),
    }),
    example: {
      revoke_api_keys: true,
    },
    reply: dataReply(userSchema),
    errors: {
      409: '`illegal_transition`: the user has another status. `last_admin`: the organization would have no active admin',
    },
    handler: async ({ services, caller, params: { id }, body, request }) =>
      presentUser(
        await services.userStatus.change({
          by: caller,
          userId: id,
          action: 'suspend',
          revokeApiKeys: body.revoke_api_keys,
        }),
        request.baseUrl,
      ),
  }),
  statusRoute({
    action: 'reactivate',
    summary: 'Reactivate a user',
    description:
      'Status 3 (Suspended) becomes 1 (Active). The user has to sign in again and create new API keys; keys that were not revoked work again.',
  }),
  defineRoute({
    method: 'patch',
    path: '/api/users/:id/ai-access',
    operationId: 'setUserAiAccess',
    summary: "Set a user's AI access",
    description: 'Allows or forbids AI features for the user.',
    access: admin,
    params,
    body: z.strictObject({ ai_access: z.boolean() }),
    example: {
      ai_access: true,
    },
    reply: dataReply(userSchema),
    handler: async ({ services, caller, params: { id }, body, request }) =>
      presentUser(await services.users.setAiAccess(caller, id, body.ai_access), request.baseUrl),
  }),
];
