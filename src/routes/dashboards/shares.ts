import { z } from 'zod';
import { idNumber, idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply, withReply } from '../../http/reply.ts';
import { notAllowedFor, requiredField } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import { type DashboardShareRow, SHARE_TYPES } from '../../repositories/dashboard-shares.ts';
import type { ShareInput } from '../../services/dashboards/dashboard-shares.ts';
import { dashboardQuery, onDashboard } from '../guards.ts';
import { passwordField } from '../request-fields.ts';
import { defineRoute } from '../define-route.ts';
import { dashboardParams } from './dashboards.ts';

const MIN_CHARACTERS = 4;

const shareSchema = z
  .strictObject({
    share_id: z.int(),
    share_type: z.enum(SHARE_TYPES),
    user_id: z.int().nullable(),
    user_name: z.string().nullable(),
    group_id: z.int().nullable(),
    group_name: z.string().nullable(),
    public_url: z
      .string()
      .nullable()
      .describe('Public address of the dashboard; null for user and group shares'),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'DashboardShare',
    description: 'A share of a dashboard. Passwords are never returned',
    examples: [
      {
        share_id: 1,
        share_type: 'password',
        user_id: null,
        user_name: null,
        group_id: null,
        group_name: null,
        public_url: 'https://canvass.example.org/d/meridian-research/coffee-at-work',
        created_at: '2026-10-01T08:00:00.000Z',
      },
    ],
  });

const presentShare = (row: DashboardShareRow, url: string | null): z.input<typeof shareSchema> => ({
  share_id: row.share_id,
  share_type: row.share_type,
  user_id: row.user_id,
  user_name: row.user_name,
  group_id: row.group_id,
  group_name: row.group_name,
  public_url: row.share_type === 'public' || row.share_type === 'password' ? url : null,
  created_at: row.created_at.toISOString(),
});

const newShare = z.strictObject({
  share_type: z.enum(SHARE_TYPES),
  share_password: passwordField
    .refine((value) => Array.from(value.normalize('NFKC')).length >= MIN_CHARACTERS, {
      error: `must be at least ${MIN_CHARACTERS} characters`,
    })
    .optional()
    .describe(`Required for \`password\`: at least ${MIN_CHARACTERS} characters`),
  user_id: idNumber.optional().describe('Required for `user`'),
  group_id: idNumber.optional().describe('Required for `group`'),
});

const SHARE_FIELDS = ['share_password', 'user_id', 'group_id'] as const;
type ShareField = (typeof SHARE_FIELDS)[number];

type NewShare = z.output<typeof newShare>;

function readShare(body: NewShare): ShareInput {
  const { share_type: type } = body;
  switch (type) {
    case 'public':
      checkFields(body, null);
      return { type };
    case 'password':
      return { type, password: requireOnly(body, 'share_password') };
    case 'user':
      return { type, userId: requireOnly(body, 'user_id') };
    case 'group':
      return { type, groupId: requireOnly(body, 'group_id') };
  }
}

/** Returns the field that the type of the share requires; others are rejected. */
function requireOnly<Name extends ShareField>(body: NewShare, name: Name): NonNullable<NewShare[Name]> {
  checkFields(body, name);
  const value = body[name];
  if (value == null) throw new Error(`${name} was not checked`);
  return value;
}

function checkFields(body: NewShare, needed: ShareField | null): void {
  for (const name of SHARE_FIELDS) {
    if (name === needed && body[name] === undefined)
      throw invalid(name, requiredField(`for a share of type ${body.share_type}`));
    if (name !== needed && body[name] !== undefined)
      throw invalid(name, notAllowedFor(`a share of type ${body.share_type}`));
  }
}

export const shareRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/dashboards/:id/shares',
    operationId: 'listDashboardShares',
    summary: 'List shares of a dashboard',
    description: 'Returns shares oldest first, including those created by admins for users and groups.',
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery.extend(pagingQuery),
    reply: listReply(shareSchema),
    async handler({ services, scope, query }) {
      const url = services.dashboards.publicUrl(await services.dashboards.get(scope));
      const shares = (await services.dashboardShares.list(scope)).map((share) => presentShare(share, url));
      return paginateItems(shares, (share) => share.share_id, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/dashboards/:id/shares',
    operationId: 'createDashboardShare',
    summary: 'Share a dashboard',
    description:
      'Shares the dashboard publicly, with a password, with a user or with a group. A dashboard cannot be both public and ' +
      'password-protected: delete one share first. Sharing with a password again changes the password (200); viewers then need ' +
      'the new one. With the setting `ADMINS_PUBLISH_DASHBOARDS` only admins share publicly or with a password.',
    access: onDashboard('edit'),
    params: dashboardParams,
    query: dashboardQuery,
    body: newShare,
    examples: {
      password: { share_type: 'password', share_password: 'open-the-coffee-figures' },
      user: { share_type: 'user', user_id: 2 },
      group: { share_type: 'group', group_id: 1 },
    },
    reply: dataReply(shareSchema),
    status: 201,
    alternateStatuses: { 200: 'The password share already existed; its password is changed' },
    errors: {
      403: '`admins_publish_dashboards`: only admins share dashboards publicly or with a password here',
      409: 'The dashboard is already shared in this way, or public and password shares would conflict',
    },
    async handler({ services, caller, scope, body }) {
      const { share, isNew } = await services.dashboardShares.create(caller, scope, readShare(body));
      const url = services.dashboards.publicUrl(await services.dashboards.get(scope));
      return withReply(presentShare(share, url), { status: isNew ? 201 : 200 });
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/dashboards/:id/shares/:shareId',
    operationId: 'deleteDashboardShare',
    summary: 'Delete a dashboard share',
    description: 'Viewers lose access with their next request.',
    access: onDashboard('edit'),
    params: dashboardParams.extend({ shareId: idParam }),
    query: dashboardQuery,
    reply: emptyReply,
    handler: ({ services, scope, params }) => services.dashboardShares.delete(scope, params.shareId),
  }),
];
