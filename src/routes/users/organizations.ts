import { z } from 'zod';
import { admin, anyUser, superadmin } from '../../http/access.ts';
import { idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, listReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';

export const organizationSchema = z
  .strictObject({
    organization_id: z.int(),
    organization_name: z.string(),
    organization_slug: z.string().describe('Part of the addresses of public dashboards'),
  })
  .meta({ id: 'Organization' });

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
