import { z } from 'zod';
import { admin, member } from '../../http/access.ts';
import { idParam, paginateItems, pagingQuery, sortParam } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import { onWorkspace } from '../guards.ts';
import { hexColor } from '../request-fields.ts';
import { defineRoute } from '../define-route.ts';
import { presentWorkspace, visibilitySchema, workspaceSchema } from './workspace-reply.ts';

const params = z.strictObject({ id: idParam });
const workspaceIdQuery = z.strictObject({
  workspace_id: idParam.optional().describe('Optional check: 404 if it differs from the id in the path'),
});

const name = z.string().trim().min(1, 'is required').max(200);

const createSchema = z.strictObject({
  workspace_name: name,
  workspace_color: hexColor.nullable().optional().describe('Default: #6366f1'),
  workspace_visibility: visibilitySchema.optional().describe('Default: 1 (Private)'),
});

const ignored = z.unknown().optional().describe('Read-only; ignored');

const updateSchema = z.strictObject({
  workspace_name: name.optional(),
  workspace_color: hexColor.nullable().optional().describe('null: reset to the default'),
  workspace_visibility: visibilitySchema.optional().describe('Only the owner can change it'),
  workspace_id: ignored,
  workspace_inserted: ignored,
  owner_id: ignored,
  my_role: ignored,
});

export const workspaceRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/workspaces',
    operationId: 'listWorkspaces',
    summary: 'List workspaces',
    description: 'Returns the workspaces you can view, oldest first unless `sort` is given.',
    access: member,
    query: z.strictObject({
      ...pagingQuery,
      search: z.string().max(200).optional().describe('Part of the name, ignoring case'),
      sort: sortParam(['workspace_id', 'workspace_name', 'workspace_inserted']).optional(),
    }),
    reply: listReply(workspaceSchema),
    async handler({ services, caller, query }) {
      const found = await services.workspaces.list(caller, { search: query.search, sort: query.sort });
      return paginateItems(found.map(presentWorkspace), (workspace) => workspace.workspace_id, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/workspaces',
    operationId: 'createWorkspace',
    summary: 'Create a workspace',
    description: 'The caller becomes the owner.',
    access: member,
    body: createSchema,
    example: {
      workspace_name: 'Brand studies',
      workspace_color: '#2563eb',
      workspace_visibility: 2,
    },
    reply: dataReply(workspaceSchema),
    status: 201,
    async handler({ services, caller, body }) {
      const created = await services.workspaces.create(caller, {
        name: body.workspace_name,
        color: body.workspace_color ?? null,
        visibility: body.workspace_visibility,
      });
      return presentWorkspace(created);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/workspaces/:id',
    operationId: 'getWorkspace',
    summary: 'Get a workspace',
    access: onWorkspace('view'),
    params,
    query: workspaceIdQuery,
    reply: dataReply(workspaceSchema),
    handler: async ({ services, scope }) => presentWorkspace(await services.workspaces.get(scope)),
  }),
  defineRoute({
    method: 'put',
    path: '/api/workspaces/:id',
    operationId: 'updateWorkspace',
    summary: 'Update a workspace',
    description:
      'Omitted fields keep their values. Allowed for the owner and, in a team workspace, for admins. Only the owner can change ' +
      'the visibility.',
    access: onWorkspace('own'),
    params,
    query: workspaceIdQuery,
    body: updateSchema,
    example: {
      workspace_name: 'Brand and product studies',
    },
    reply: dataReply(workspaceSchema),
    errors: {
      409: '`visibility_needed`: an editor moved an object here from a workspace that more users can see',
    },
    async handler({ services, caller, scope, body }) {
      const updated = await services.workspaces.update(caller, scope, {
        name: body.workspace_name,
        color: body.workspace_color,
        visibility: body.workspace_visibility,
      });
      return presentWorkspace(updated);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/workspaces/:id',
    operationId: 'deleteWorkspace',
    summary: 'Delete a workspace',
    description:
      'Deletes the workspace with everything in it. Allowed for the owner and, for a team workspace, for admins. An admin can ' +
      'restore it.',
    access: onWorkspace('own'),
    params,
    query: workspaceIdQuery,
    reply: emptyReply,
    handler: ({ services, scope }) => services.workspaces.delete(scope),
  }),
  defineRoute({
    method: 'post',
    path: '/api/workspaces/:id/restore',
    operationId: 'restoreWorkspace',
    summary: 'Restore a deleted workspace',
    description:
      'Restores the workspace for everyone who could see it before; a private workspace only for its owner.',
    access: admin,
    params,
    reply: dataReply(z.strictObject({ workspace_id: z.int(), restored: z.literal(true) })),
    async handler({ services, caller, params: { id } }) {
      await services.workspaces.restore(caller, id);
      return { workspace_id: id, restored: true as const };
    },
  }),
];
