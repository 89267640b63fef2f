import { z } from 'zod';
import { userTypeOf } from '../../domain/access/caller.ts';
import { GRANTABLE_ROLES, INVITE_STATUSES, inviteStatusAt } from '../../domain/access/users.ts';
import { admin } from '../../http/access.ts';
import { endTimestamp } from '../../http/timestamp-schemas.ts';
import { idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import type { InviteLinkRow } from '../../repositories/organizations.ts';
import { defineRoute } from '../define-route.ts';
import { requestedRole, typeNumber } from '../request-fields.ts';

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
  .meta({ id: 'InviteLink' });

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
