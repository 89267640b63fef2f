import { z } from 'zod';
import { admin, anyUser, superadmin } from '../../http/access.ts';
import { idText, pageOf, pagingQuery } from '../../http/paging.ts';
import { data, list } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { organizationSchema } from './organization-reply.ts';

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
    description: 'For a superadmin: the one they act in.',
    access: anyUser,
    reply: data(organizationSchema),
    handler: ({ services, caller }) => services.organizations.get(caller),
  }),
  defineRoute({
    method: 'put',
    path: '/api/organization',
    operationId: 'updateOrganization',
    summary: 'Update your organization',
    description: 'Public dashboards are found under the slug: with a new one, their old addresses end.',
    access: admin,
    body: z.strictObject({
      organization_name: z.string().trim().min(1, 'is required').max(200).optional(),
      organization_slug: slug.optional(),
      organization_id: z.unknown().optional().describe('Accepted as read, and ignored'),
    }),
    example: {
      organization_name: 'Meridian Research',
    },
    reply: data(organizationSchema),
    errors: { 409: 'The slug is taken' },
    handler: ({ services, caller, body }) =>
      services.organizations.update(caller, { name: body.organization_name, slug: body.organization_slug }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/organizations',
    operationId: 'listOrganizations',
    summary: 'List organizations',
    access: superadmin,
    query: z.strictObject(pagingQuery),
    reply: list(organizationSchema),
    handler: async ({ services, query }) =>
      pageOf(await services.organizations.list(), (one) => one.organization_id, query),
  }),
  defineRoute({
    method: 'put',
    path: '/api/organizations/current/:id',
    operationId: 'setCurrentOrganization',
    summary: 'Set the current organization',
    description:
      'As its administrator, from the next request on, with this session or key alone. Workspaces there belong to its own people: ' +
      'a superadmin makes none. One’s account, sessions and keys stay at home.',
    access: superadmin,
    params: z.strictObject({ id: idText }),
    reply: data(organizationSchema),
    handler: ({ services, caller, params }) => services.organizations.switchTo(caller, params.id),
  }),
];
