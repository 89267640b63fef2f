import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import { memberOn } from '../../http/access.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import type { Services } from '../../services/services.ts';
import { onWorkspace } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { presentWorkspace, workspaceSchema } from './workspace-reply.ts';

const query = z.strictObject({
  workspace_id: idParam.optional().describe('Return this workspace instead of the current one'),
});

const onCurrentWorkspace = memberOn(
  'workspace: view',
  (context: { services: Services; caller: Caller; query: { workspace_id?: number | undefined } }) =>
    context.services.access.workspaceContext(context.caller, context.query.workspace_id, 'view'),
);

export const currentWorkspaceRoutes = [
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
