import { z } from 'zod';
import { atHome } from '../../domain/access/caller.ts';
import { memberInSession } from '../../http/access.ts';
import { idText, pageOf, pagingQuery } from '../../http/paging.ts';
import { data, empty, list } from '../../http/reply.ts';
import type { ApiKeyRow } from '../../repositories/api-keys.ts';
import { defineRoute } from '../route.ts';

const apiKeySchema = z
  .strictObject({
    api_key_id: z.int(),
    key_name: z.string(),
    key_start: z.string().describe('The first characters, to recognise it by'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().describe('To the minute'),
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
});

export const apiKeyRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/api-keys',
    operationId: 'listApiKeys',
    summary: 'Your own API keys',
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
    summary: 'Make an API key',
    description: 'It carries your own permissions. Only its hash is stored, so the key is shown this once.',
    access: memberInSession,
    idempotent: false,
    body: z.strictObject({ key_name: z.string().trim().min(1, 'is required').max(100) }),
    reply: data(createdSchema),
    status: 201,
    async handler({ services, caller, body }) {
      const created = await services.apiKeys.create(atHome(caller), body.key_name);
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
      await services.apiKeys.revoke(atHome(caller), params.id);
    },
  }),
];
