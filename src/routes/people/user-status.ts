import { z } from 'zod';
import type { StatusAction } from '../../domain/access/user-status.ts';
import { admin } from '../../http/access.ts';
import { idText } from '../../http/paging.ts';
import { data } from '../../http/reply.ts';
import { defineRoute } from '../route.ts';
import { presentUser, userSchema } from './user-reply.ts';

const params = z.strictObject({ id: idText });
const ILLEGAL = '`illegal_transition`: they have another status';

const statusRoute = (action: StatusAction, summary: string, description: string, alsoRefused = '') =>
  defineRoute({
    method: 'post',
    path: `/api/users/:id/${action}`,
    operationId: `${action}User`,
    summary,
    description,
    access: admin,
    params,
    reply: data(userSchema),
    errors: { 409: ILLEGAL + alsoRefused },
    handler: async ({ services, caller, params: { id }, request }) =>
      presentUser(await services.userStatus.change(caller, id, action), request.baseUrl),
  });

export const userStatusRoutes = [
  statusRoute('approve', 'Let somebody in who joined by an invitation', 'Pending (2) becomes Active (1).'),
  statusRoute(
    'reject',
    'Turn somebody away who joined by an invitation',
    'Pending (2) becomes Deleted (0): their address is free again.',
  ),
  statusRoute(
    'suspend',
    'Keep somebody out for a while',
    'Active (1) becomes Suspended (3). They are out at once: their sessions end, and their keys are dead until they are reactivated.',
    '. `last_admin`: the organization would be left without an active admin',
  ),
  statusRoute(
    'reactivate',
    'Let somebody in again',
    'Suspended (3) becomes Active (1). Their keys work again; to sessions they have to sign in anew.',
  ),
  defineRoute({
    method: 'patch',
    path: '/api/users/:id/ai-access',
    operationId: 'setUserAiAccess',
    summary: 'Say whether a user may use the AI features',
    access: admin,
    params,
    body: z.strictObject({ ai_access: z.boolean() }),
    reply: data(userSchema),
    handler: async ({ services, caller, params: { id }, body, request }) =>
      presentUser(await services.users.setAiAccess(caller, id, body.ai_access), request.baseUrl),
  }),
];
