import type { Router } from 'express';
import { z } from 'zod';
import { userTypeOf } from '../../domain/access/caller.ts';
import { GRANTABLE_ROLES } from '../../domain/access/users.ts';
import { anyone } from '../../http/access.ts';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import { dataReply, withReply } from '../../http/reply.ts';
import type { Services } from '../../services/services.ts';
import { defineRoute } from '../define-route.ts';
import { publicDashboardRoutes } from './dashboards.ts';
import { respondentFileRoutes } from './respondent-survey.ts';
import { respondentRoutes } from './respondent-responses.ts';

const invitationSchema = z
  .strictObject({
    organization_name: z.string(),
    invite_role: z.int().describe('The role of new users: 1 Admin, 2 Member, 3 Client'),
    user_role: z.enum(GRANTABLE_ROLES).describe('The role as a word'),
    expires_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'InviteLinkDetails' });

export const invitationRoute = defineRoute({
  method: 'get',
  path: '/api/public/invites/:token',
  operationId: 'getInvitation',
  summary: 'Get an invite',
  description:
    'Returns the organization and the role of an invite link. `POST /api/auth` with the action `register` uses the link.',
  access: anyone,
  rateLimit: 'public',
  params: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9]{8,64}$/, 'is not an invite token') }),
  reply: dataReply(invitationSchema),
  errors: { 410: 'The link has expired, is used up or was revoked' },
  async handler({ services, params }) {
    const link = await services.registration.findInvitation(params.token);
    const invitation = {
      organization_name: link.organization_name,
      invite_role: userTypeOf(link.invite_role),
      user_role: link.invite_role,
      expires_at: link.expires_at?.toISOString() ?? null,
    };
    return withReply(invitation, { headers: { 'Cache-Control': 'no-store' } });
  },
});

/** Answering a survey through a link. */
export const collectionRoutes = [...respondentRoutes, ...respondentFileRoutes];

/** Routes that need no account. */
export const publicRoutes = [...collectionRoutes, ...publicDashboardRoutes, invitationRoute];

export const publicRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/public', publicRoutes, dependencies);
