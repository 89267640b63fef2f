import { z } from 'zod';
import { idNumber, idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply, withReply } from '../../http/reply.ts';
import { onWorkspace } from '../guards.ts';
import { defineRoute } from '../define-route.ts';

const role = z.enum(['viewer', 'editor'], { error: 'must be viewer or editor' });

const memberSchema = z
  .strictObject({ user_id: z.int(), user_name: z.string(), user_email: z.string(), role })
  .meta({ id: 'WorkspaceMember' });

const params = z.strictObject({ id: idParam });
const workspaceId = idParam.optional().describe('Optional check: 404 if it differs from the id in the path');
const workspaceIdQuery = z.strictObject({ workspace_id: workspaceId });

export const workspaceMemberRoutes = [
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
    query: workspaceIdQuery,
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
    access: onWorkspace('own'),
    params: z.strictObject({ id: idParam, userId: idParam }),
    query: workspaceIdQuery,
    reply: emptyReply,
    handler: ({ services, scope, params: { userId } }) => services.workspaces.removeMember(scope, userId),
  }),
];
