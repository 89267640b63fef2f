import { z } from 'zod';
import { admin, member } from '../../http/access.ts';
import { idNumber, idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, listReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';

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

export const workspaceOwnerRoutes = [
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
    errors: { 409: 'The new owner is not active, or is a client' },
    async handler({ services, caller, params, body }) {
      await services.workspaces.transfer(caller, params.id, body.user_id);
      return { workspace_id: params.id, owner_id: body.user_id };
    },
  }),
];
