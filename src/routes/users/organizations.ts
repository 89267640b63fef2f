import { z } from 'zod';
import { admin, anyUser, superadmin } from '../../http/access.ts';
import { idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, listReply, emptyReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { userTypeOf } from '../../domain/access/caller.ts';
import { GRANTABLE_ROLES, INVITE_STATUSES, inviteStatusAt } from '../../domain/access/users.ts';
import { endTimestamp } from '../../http/timestamp-schemas.ts';
import type { InviteLinkRow } from '../../repositories/organizations.ts';
import { requestedRole, typeNumber } from '../request-fields.ts';

export const organizationSchema = z
  .strictObject({
    organization_id: z.int(),
    organization_name: z.string(),
    organization_slug: z.string().describe('Part of the addresses of public dashboards'),
  })
  .meta({
    id: 'Organization',
    examples: [
      { organization_id: 1, organization_name: 'Meridian Research', organization_slug: 'meridian-research' },
    ],
  });

const slug = z
  .string()
  .min(3)
  .max(63)
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    'must be lower-case letters, digits and single hyphens, such as acme-research',
  );

export const organizationRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/organization',
    operationId: 'getOrganization',
    summary: 'Get your organization',
    description: 'Returns the organization of the caller; for a superadmin, the current organization.',
    access: anyUser,
    reply: dataReply(organizationSchema),
    handler: ({ services, caller }) => services.organizations.get(caller),
  }),
  defineRoute({
    method: 'put',
    path: '/api/organization',
    operationId: 'updateOrganization',
    summary: 'Update your organization',
    description:
      'Changing the slug changes the addresses of public dashboards; the old addresses stop working.',
    access: admin,
    body: z.strictObject({
      organization_name: z.string().trim().min(1, 'is required').max(200).optional(),
      organization_slug: slug.optional(),
      organization_id: z.unknown().optional().describe('Read-only; ignored'),
    }),
    example: {
      organization_name: 'Meridian Research',
    },
    reply: dataReply(organizationSchema),
    errors: { 409: '`slug_taken`: the slug is already in use' },
    handler: ({ services, caller, body }) =>
      services.organizations.update(caller, { name: body.organization_name, slug: body.organization_slug }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/organizations',
    operationId: 'listOrganizations',
    summary: 'List organizations',
    description: 'Returns all organizations. Only for superadmins.',
    access: superadmin,
    query: z.strictObject(pagingQuery),
    reply: listReply(organizationSchema),
    handler: async ({ services, query }) =>
      paginateItems(await services.organizations.list(), (one) => one.organization_id, query),
  }),
  defineRoute({
    method: 'put',
    path: '/api/organizations/current/:id',
    operationId: 'setCurrentOrganization',
    summary: 'Set the current organization',
    description:
      'Makes the caller an admin of the organization for later requests of this session or API key. A superadmin cannot create ' +
      'workspaces there. Account, sessions and API keys of the caller remain in the home organization.',
    access: superadmin,
    params: z.strictObject({ id: idParam }),
    reply: dataReply(organizationSchema),
    handler: ({ services, caller, params }) => services.organizations.switchTo(caller, params.id),
  }),
];

const MAX_USES = 1_000_000;

const inviteLinkSchema = z
  .strictObject({
    invite_id: z.int(),
    invite_token: z.string(),
    invite_url: z.string().describe('Address to send to the people you invite'),
    invite_role: z.int().describe('Role of new users: 1 Admin, 2 Member, 3 Client'),
    user_role: z
      .enum(GRANTABLE_ROLES)
      .describe('Role of new users as a word. An alternative to `invite_role`'),
    invite_max_uses: z.int().nullable().describe('Maximum number of registrations; null: unlimited'),
    invite_uses: z.int(),
    expires_at: z.iso.datetime().nullable(),
    invite_status: z.enum(INVITE_STATUSES),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'InviteLink',
    examples: [
      {
        invite_id: 1,
        invite_token: '3dmtwnkjsoloI1RoyNsFsIq6',
        invite_url: 'https://canvass.example.org/join/3dmtwnkjsoloI1RoyNsFsIq6',
        invite_role: 2,
        user_role: 'member',
        invite_max_uses: 5,
        invite_uses: 1,
        expires_at: '2027-12-31T23:59:59.000Z',
        invite_status: 'active',
        created_at: '2026-10-01T08:00:00.000Z',
      },
    ],
  });

function presentInviteLink(row: InviteLinkRow, baseUrl: string, now: Date): z.input<typeof inviteLinkSchema> {
  return {
    invite_id: row.invite_id,
    invite_token: row.invite_token,
    invite_url: `${baseUrl}/join/${row.invite_token}`,
    invite_role: userTypeOf(row.invite_role),
    user_role: row.invite_role,
    invite_max_uses: row.invite_max_uses,
    invite_uses: row.invite_uses,
    expires_at: row.expires_at?.toISOString() ?? null,
    invite_status: inviteStatusAt(row, now),
    created_at: row.created_at.toISOString(),
  };
}

export const inviteLinkRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/invite-links',
    operationId: 'listInviteLinks',
    summary: 'List invite links',
    description: 'Returns the oldest link first, including expired and used-up links until they are revoked.',
    access: admin,
    query: z.strictObject(pagingQuery),
    reply: listReply(inviteLinkSchema),
    async handler({ services, caller, query, request }) {
      const links = await services.inviteLinks.list(caller);
      const now = services.inviteLinks.now();
      return paginateItems(
        links.map((link) => presentInviteLink(link, request.baseUrl, now)),
        (link) => link.invite_id,
        query,
      );
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/invite-links',
    operationId: 'createInviteLink',
    summary: 'Create an invite link',
    description:
      'Users who register through the link need the approval of an admin. `invite_role` is the role of new users; it cannot ' +
      'exceed the role of the caller.',
    access: admin,
    body: z.strictObject({
      invite_role: typeNumber
        .optional()
        .describe('Role of new users: 1 Admin, 2 Member (default), 3 Client; 6 is read as Client'),
      user_role: z
        .enum(GRANTABLE_ROLES, { error: 'must be admin, member or client' })
        .optional()
        .describe('Role of new users as a word. An alternative to `invite_role`'),
      invite_max_uses: z
        .int()
        .min(1)
        .max(MAX_USES)
        .nullish()
        .describe('Maximum number of registrations. Omitted or null: unlimited'),
      expires_at: endTimestamp
        .nullish()
        .describe(
          'A time in the future; a date without a time includes that day (UTC). Omitted or null: never expires',
        ),
    }),
    example: {
      user_role: 'member',
      invite_max_uses: 5,
      expires_at: '2027-12-31T23:59:59Z',
    },
    reply: dataReply(inviteLinkSchema),
    status: 201,
    async handler({ services, caller, body, request }) {
      const link = await services.inviteLinks.create(caller, {
        role: requestedRole('invite_role', body.invite_role, body.user_role) ?? 'member',
        maxUses: body.invite_max_uses ?? null,
        expiresAt: body.expires_at ?? null,
      });
      return presentInviteLink(link, request.baseUrl, services.inviteLinks.now());
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/invite-links/:id',
    operationId: 'revokeInviteLink',
    summary: 'Revoke an invite link',
    description: 'The link stops working immediately. Users who already registered remain.',
    access: admin,
    params: z.strictObject({ id: idParam }),
    reply: emptyReply,
    handler: ({ services, caller, params }) => services.inviteLinks.revoke(caller, params.id),
  }),
];
