import { z } from 'zod';
import type { Caller } from '../domain/access/caller.ts';
import { WORKSPACE_ROLES } from '../domain/access/scopes.ts';
import { LOOK_DEFAULTS, lookOf, lookSchema, lookShape } from '../domain/survey/look.ts';
import { settingsChangesSchema } from '../lib/settings.ts';
import { admin, member, memberOn } from '../http/access.ts';
import { idNumber, idParam, paginateItems, pagingQuery, sortParam } from '../http/paging.ts';
import { dataReply, emptyReply, listReply, withReply } from '../http/reply.ts';
import type { Services } from '../services/services.ts';
import type { WorkspaceForCaller } from '../services/workspaces.ts';
import { defineRoute } from './define-route.ts';
import { onWorkspace } from './guards.ts';
import { hexColor } from './request-fields.ts';
import { searchWorkspaceRoute } from './workspace-search.ts';
import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../http/build-router.ts';

const visibilitySchema = z
  .union([z.literal(1), z.literal(2), z.literal(3)], { error: 'must be 1 (Private), 2 (Team) or 3 (Shared)' })
  .describe(
    '1 Private: only the owner. 2 Team: all admins and members, with edit permission. 3 Shared: the owner and invited members',
  );

const workspaceSchema = z
  .strictObject({
    workspace_id: z.int(),
    workspace_name: z.string(),
    workspace_color: z.string(),
    workspace_visibility: visibilitySchema,
    workspace_look: lookSchema.describe('The look of its surveys, where they set none'),
    workspace_inserted: z.iso.datetime(),
    owner_id: z.int(),
    my_role: z
      .enum(WORKSPACE_ROLES)
      .describe('Your role in the workspace; admins have the role owner in a team workspace'),
  })
  .meta({
    id: 'Workspace',
    examples: [
      {
        workspace_id: 2,
        workspace_name: 'Brand studies',
        workspace_color: '#2563eb',
        workspace_visibility: 2,
        workspace_look: {
          ...LOOK_DEFAULTS,
          color: '#0f766e',
          imprint_url: 'https://www.example.org/imprint',
        },
        workspace_inserted: '2026-10-01T08:00:00.000Z',
        owner_id: 1,
        my_role: 'owner',
      },
    ],
  });

const presentWorkspace = (row: WorkspaceForCaller) => ({
  workspace_id: row.workspace_id,
  workspace_name: row.workspace_name,
  workspace_color: row.workspace_color,
  workspace_visibility: row.workspace_visibility,
  workspace_look: lookOf(row.workspace_look),
  workspace_inserted: row.workspace_inserted.toISOString(),
  owner_id: row.owner_id,
  my_role: row.my_role,
});

const HIDES_OBJECTS =
  '`visibility_needed`: for callers who are not admins, if the change would hide a survey, dashboard or report (also a deleted one that can ' +
  'be restored) from users who must keep seeing it: those who see the workspace that an editor moved it from, its author, and in a ' +
  'team workspace everyone if another user created it. An object that an admin moved here is left to the owner';

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
  workspace_look: settingsChangesSchema(lookShape)
    .optional()
    .describe('Omitted values stay; null: the default. A color with too little contrast is refused'),
  workspace_id: ignored,
  workspace_inserted: ignored,
  owner_id: ignored,
  my_role: ignored,
});

const ownRoutes = [
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
      sort: sortParam(['workspace_id', 'workspace_name', 'workspace_inserted'])
        .optional()
        .describe('Field to sort by; `-` before it sorts in descending order'),
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
      workspace_look: { color: '#0f766e', typeface: 'serif', imprint_url: 'https://www.example.org/imprint' },
    },
    reply: dataReply(workspaceSchema),
    errors: {
      409: HIDES_OBJECTS,
    },
    async handler({ services, caller, scope, body }) {
      const updated = await services.workspaces.update(caller, scope, {
        name: body.workspace_name,
        color: body.workspace_color,
        visibility: body.workspace_visibility,
        look: body.workspace_look,
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
      'Hides the workspace with everything in it. Allowed for the owner and, for a team workspace, for admins. An admin can restore it ' +
      'within `DELETED_RETENTION_DAYS` (30 days by default); then its surveys, responses, dashboards, reports and respondents are erased.',
    errors: { 409: HIDES_OBJECTS },
    access: onWorkspace('own'),
    params,
    query: workspaceIdQuery,
    reply: emptyReply,
    handler: ({ services, caller, scope }) => services.workspaces.delete(caller, scope),
  }),
  defineRoute({
    method: 'post',
    path: '/api/workspaces/:id/restore',
    operationId: 'restoreWorkspace',
    summary: 'Restore a deleted workspace',
    description:
      'Restores the workspace for everyone who could see it before, within `DELETED_RETENTION_DAYS` after it was deleted; a private workspace only for its ' +
      'owner.',
    access: admin,
    params,
    errors: { 404: 'The workspace is not deleted, or was deleted more than `DELETED_RETENTION_DAYS` ago' },
    reply: dataReply(z.strictObject({ workspace_id: z.int(), restored: z.literal(true) })),
    async handler({ services, caller, params: { id } }) {
      await services.workspaces.restore(caller, id);
      return { workspace_id: id, restored: true as const };
    },
  }),
];

const query = z.strictObject({
  workspace_id: idParam.optional().describe('Return this workspace instead of the current one'),
});

const onCurrentWorkspace = memberOn(
  'workspace: view',
  (context: { services: Services; caller: Caller; query: { workspace_id?: number | undefined } }) =>
    context.services.access.workspaceContext(context.caller, context.query.workspace_id, 'view'),
);

const currentWorkspaceRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/workspaces/current',
    operationId: 'getCurrentWorkspace',
    summary: 'Get the current workspace',
    description:
      'Returns the workspace used by requests without `workspace_id`: the one set last in this session or for this API key, ' +
      'otherwise the oldest that you can view. 404 if you can view no workspace.',
    access: onCurrentWorkspace,
    query,
    reply: dataReply(workspaceSchema),
    handler: async ({ services, scope }) => presentWorkspace(await services.workspaces.get(scope)),
  }),
  defineRoute({
    method: 'put',
    path: '/api/workspaces/current/:id',
    operationId: 'setCurrentWorkspace',
    summary: 'Set the current workspace',
    description: 'Sets the workspace for this session or this API key only.',
    access: onWorkspace('view'),
    params: z.strictObject({ id: idParam }),
    reply: dataReply(workspaceSchema),
    handler: async ({ services, caller, scope }) =>
      presentWorkspace(await services.workspaces.makeCurrent(caller, scope)),
  }),
];

const role = z.enum(['viewer', 'editor'], { error: 'must be viewer or editor' });

const memberSchema = z
  .strictObject({ user_id: z.int(), user_name: z.string(), user_email: z.string(), role })
  .meta({ id: 'WorkspaceMember' });
const workspaceId = idParam.optional().describe('Optional check: 404 if it differs from the id in the path');
const memberWorkspaceQuery = z.strictObject({ workspace_id: workspaceId });

const workspaceMemberRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/workspaces/:id/members',
    operationId: 'listWorkspaceMembers',
    summary: 'List workspace members',
    description:
      'Returns all members except the owner. Member roles apply only while the visibility of the workspace is 3 (Shared).',
    access: onWorkspace('view'),
    params,
    query: z.strictObject({ ...pagingQuery, workspace_id: workspaceId }),
    reply: listReply(memberSchema),
    async handler({ services, scope, query }) {
      return paginateItems(await services.workspaces.listMembers(scope), (member) => member.user_id, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/workspaces/:id/members',
    operationId: 'addWorkspaceMember',
    summary: 'Add a workspace member',
    description:
      'Adds a user of the organization. If the user is already a member, this updates the role and returns 200.',
    access: onWorkspace('own'),
    params,
    query: memberWorkspaceQuery,
    body: z.strictObject({ user_id: idNumber, role }),
    example: {
      user_id: 2,
      role: 'editor',
    },
    reply: dataReply(memberSchema),
    status: 201,
    alternateStatuses: { 200: 'The user was already a member; the role is updated' },
    errors: { 409: 'The user is not active, or owns the workspace' },
    async handler({ services, scope, body }) {
      const { member, isNew } = await services.workspaces.addMember(scope, body.user_id, body.role);
      return withReply(member, { status: isNew ? 201 : 200 });
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/workspaces/:id/members/:userId',
    operationId: 'removeWorkspaceMember',
    summary: 'Remove a workspace member',
    description: 'The user loses access immediately.',
    errors: { 409: HIDES_OBJECTS },
    access: onWorkspace('own'),
    params: z.strictObject({ id: idParam, userId: idParam }),
    query: memberWorkspaceQuery,
    reply: emptyReply,
    handler: ({ services, caller, scope, params: { userId } }) =>
      services.workspaces.removeMember(caller, scope, userId),
  }),
];

const orphanSchema = z
  .strictObject({
    workspace_id: z.int(),
    workspace_name: z.string(),
    workspace_visibility: z.int(),
    workspace_inserted: z.iso.datetime(),
    owner_id: z.int(),
    owner_name: z.string(),
    owner_status: z.int().describe('0 deleted, 3 suspended, 1 active (the owner is now a client)'),
  })
  .meta({ id: 'OrphanedWorkspace' });

const workspaceOwnerRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/workspaces/orphaned',
    operationId: 'listOrphanedWorkspaces',
    summary: 'List orphaned workspaces',
    description:
      'Returns workspaces whose owner is suspended, deleted or a client. Of private workspaces only the name is shown, so that ' +
      'an admin can transfer them.',
    access: admin,
    query: z.strictObject(pagingQuery),
    reply: listReply(orphanSchema),
    async handler({ services, caller, query }) {
      const rows = await services.workspaces.listOrphaned(caller);
      const items = rows.map((row) => ({ ...row, workspace_inserted: row.workspace_inserted.toISOString() }));
      return paginateItems(items, (row) => row.workspace_id, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/workspaces/:id/transfer',
    operationId: 'transferWorkspace',
    summary: 'Transfer a workspace',
    description:
      'Allowed for the owner, and for an admin if the owner is suspended, deleted or a client. The previous owner does not ' +
      'remain a member.',
    access: {
      ...member,
      resource: 'workspace: owner, or admin if the owner is suspended, deleted or a client',
    },
    params: z.strictObject({ id: idParam }),
    body: z.strictObject({ user_id: idNumber }),
    example: {
      user_id: 2,
    },
    reply: dataReply(z.strictObject({ workspace_id: z.int(), owner_id: z.int() })),
    errors: { 409: `The new owner is not active, or is a client. ${HIDES_OBJECTS}` },
    async handler({ services, caller, params, body }) {
      await services.workspaces.transfer(caller, params.id, body.user_id);
      return { workspace_id: params.id, owner_id: body.user_id };
    },
  }),
];

export const workspaceRoutes = [
  ...ownRoutes,
  ...currentWorkspaceRoutes,
  ...workspaceMemberRoutes,
  ...workspaceOwnerRoutes,
  searchWorkspaceRoute,
];

export const workspacesRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/workspaces', workspaceRoutes, dependencies);
