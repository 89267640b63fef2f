import { z } from 'zod';
import { atHome } from '../../domain/access/caller.ts';
import { admin, memberInSession } from '../../http/access.ts';
import { momentUntil } from '../../http/moment-text.ts';
import { idText, pageOf, pagingQuery } from '../../http/paging.ts';
import { data, empty, list } from '../../http/reply.ts';
import type { ApiKeyRow } from '../../repositories/api-keys.ts';
import { givenPassword } from '../password-fields.ts';
import { defineRoute } from '../define-route.ts';

const apiKeySchema = z
  .strictObject({
    api_key_id: z.int(),
    key_name: z.string(),
    key_start: z.string().describe('The first characters, to recognise it by'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().describe('To the minute'),
    expires_at: z.iso.datetime().nullable().describe('From then on the key gets 401; null: never'),
  })
  .meta({ id: 'ApiKey' });

const createdSchema = apiKeySchema
  .extend({ api_key: z.string().describe('The key itself: shown this once') })
  .meta({ id: 'CreatedApiKey' });

const present = (row: ApiKeyRow) => ({
  api_key_id: row.api_key_id,
  key_name: row.key_name,
  key_start: row.key_start,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
});

export const apiKeyRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/api-keys',
    operationId: 'listApiKeys',
    summary: 'List your API keys',
    description: 'Oldest first. Expired keys are listed until they are revoked.',
    access: memberInSession,
    query: z.strictObject(pagingQuery),
    reply: list(apiKeySchema),
    async handler({ services, caller, query }) {
      const keys = await services.apiKeys.list(atHome(caller));
      return pageOf(keys.map(present), (key) => key.api_key_id, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/api-keys',
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'The key has your own permissions. Your password is asked for again; more than `RATE_LIMIT_AUTH` wrong ones in 15 minutes are 429. ' +
      'Only a hash of the key is stored, so it is shown this once. A plain date in `expires_at` counts whole (UTC).',
    access: memberInSession,
    idempotent: false,
    body: z.strictObject({
      key_name: z.string().trim().min(1, 'is required').max(100),
      current_password: givenPassword.describe('The password that you sign in with'),
      expires_at: momentUntil.nullable().default(null).describe('In the future; absent or null: never'),
    }),
    example: {
      key_name: 'Nightly export',
      current_password: 'Harbour-lantern-42',
      expires_at: '2027-12-31T23:59:59Z',
    },
    reply: data(createdSchema),
    status: 201,
    async handler({ services, caller, body }) {
      const created = await services.apiKeys.createConfirmed(caller, {
        name: body.key_name,
        expiresAt: body.expires_at,
        currentPassword: body.current_password,
      });
      return { ...present(created), api_key: created.key };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/api-keys/:id',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'The next request with it gets 401.',
    access: { ...memberInSession, resource: 'API key: own' },
    params: z.strictObject({ id: idText }),
    reply: empty,
    async handler({ services, caller, params }) {
      await services.apiKeys.revoke(caller, params.id);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/users/:id/api-keys',
    operationId: 'listUserApiKeys',
    summary: 'List API keys of a user',
    description: 'Of any user of the organization, suspended ones included. Oldest first.',
    access: admin,
    params: z.strictObject({ id: idText }),
    query: z.strictObject(pagingQuery),
    reply: list(apiKeySchema),
    async handler({ services, caller, params, query }) {
      const keys = await services.apiKeys.listOfUser(caller, params.id);
      return pageOf(keys.map(present), (key) => key.api_key_id, query);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/users/:id/api-keys/:apiKeyId',
    operationId: 'revokeUserApiKey',
    summary: "Revoke a user's API key",
    description:
      'The next request with the key gets 401. Keys of a superadmin are revoked by superadmins only.',
    access: admin,
    params: z.strictObject({ id: idText, apiKeyId: idText }),
    reply: empty,
    async handler({ services, caller, params }) {
      await services.apiKeys.revokeOfUser(caller, params.id, params.apiKeyId);
    },
  }),
];
