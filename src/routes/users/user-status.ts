import { z } from 'zod';
import type { StatusAction } from '../../domain/access/users.ts';
import { admin } from '../../http/access.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { presentUser, userSchema } from './user-reply.ts';

const params = z.strictObject({ id: idParam });
const ILLEGAL = '`illegal_transition`: the user has another status';

const statusRoute = (
  action: Exclude<StatusAction, 'suspend'>,
  summary: string,
  description: string,
  alsoRefused = '',
) =>
  defineRoute({
    method: 'post',
    path: `/api/users/:id/${action}`,
    operationId: `${action}User`,
    summary,
    description,
    access: admin,
    params,
    reply: dataReply(userSchema),
    errors: { 409: ILLEGAL + alsoRefused },
    handler: async ({ services, caller, params: { id }, request }) =>
      presentUser(
        await services.userStatus.change(caller, id, action, { revokeApiKeys: false }),
        request.baseUrl,
      ),
  });

export const userStatusRoutes = [
  statusRoute(
    'approve',
    'Approve a user',
    'Activates a user who registered through an invite link: status 2 (Pending) becomes 1 (Active).',
    '. `email_taken`: the email address cannot be used; change it first',
  ),
  statusRoute(
    'reject',
    'Reject a user',
    'Rejects a user who registered through an invite link: status 2 (Pending) becomes 0 (Deleted). The email address can be used again.',
  ),
  defineRoute({
    method: 'post',
    path: '/api/users/:id/suspend',
    operationId: 'suspendUser',
    summary: 'Suspend a user',
    description:
      'Status 1 (Active) becomes 3 (Suspended). Sessions end immediately and API keys are revoked. With `revoke_api_keys` ' +
      'false, keys are disabled only until the user is reactivated.',
    access: admin,
    params,
    body: z.strictObject({
      revoke_api_keys: z.boolean().default(true).describe('Revokes all API keys of the user'),
    }),
    example: {
      revoke_api_keys: true,
    },
    reply: dataReply(userSchema),
    errors: {
      409: '`illegal_transition`: the user has another status. `last_admin`: the organization would have no active admin',
    },
    handler: async ({ services, caller, params: { id }, body, request }) =>
      presentUser(
        await services.userStatus.change(caller, id, 'suspend', { revokeApiKeys: body.revoke_api_keys }),
        request.baseUrl,
      ),
  }),
  statusRoute(
    'reactivate',
    'Reactivate a user',
    'Status 3 (Suspended) becomes 1 (Active). The user has to sign in again and create new API keys; keys that were not revoked work again.',
  ),
  defineRoute({
    method: 'patch',
    path: '/api/users/:id/ai-access',
    operationId: 'setUserAiAccess',
    summary: "Set a user's AI access",
    description: 'Allows or forbids AI features for the user.',
    access: admin,
    params,
    body: z.strictObject({ ai_access: z.boolean() }),
    example: {
      ai_access: true,
    },
    reply: dataReply(userSchema),
    handler: async ({ services, caller, params: { id }, body, request }) =>
      presentUser(await services.users.setAiAccess(caller, id, body.ai_access), request.baseUrl),
  }),
];
