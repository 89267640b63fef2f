import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import { memberOn } from '../../http/access.ts';
import { idText } from '../../http/paging.ts';
import { data } from '../../http/reply.ts';
import type { Services } from '../../services/services.ts';
import { onWorkspace } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { presentWorkspace, workspaceSchema } from './workspace-reply.ts';

const query = z.strictObject({ workspace_id: idText.optional().describe('This one instead of the current') });

const inContext = memberOn(
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
      'The workspace that a request without workspace_id works in. The one chosen last in this session, or with this API key; at first, or when that is gone, the oldest you can see. ' +
      '404 when you can see none.',
    access: inContext,
    query,
    reply: data(workspaceSchema),
    handler: async ({ services, scope }) => presentWorkspace(await services.workspaces.get(scope)),
  }),
  defineRoute({
    method: 'put',
    path: '/api/workspaces/current/:id',
    operationId: 'setCurrentWorkspace',
    summary: 'Switch the current workspace',
    description: 'Of this session, or of this API key: one never moves the other.',
    access: onWorkspace('view'),
    params: z.strictObject({ id: idText }),
    reply: data(workspaceSchema),
    handler: async ({ services, caller, scope }) =>
      presentWorkspace(await services.workspaces.makeCurrent(caller, scope)),
  }),
];
