import { z } from 'zod';
import { inHomeOrganization } from '../../domain/access/caller.ts';
import { admin, memberInSession } from '../../http/access.ts';
import { endTimestamp } from '../../http/timestamp-schemas.ts';
import { idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import type { ApiKeyRow } from '../../repositories/api-keys.ts';
import { passwordField } from '../request-fields.ts';
import { defineRoute } from '../define-route.ts';

const apiKeySchema = z
  .strictObject({
    api_key_id: z.int(),
    key_name: z.string(),
    key_start: z.string().describe('The first characters of the key'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().describe('To the minute'),
    expires_at: z.iso.datetime().nullable().describe('null: never expires'),
  })
  .meta({ id: 'ApiKey' });

const createdSchema = apiKeySchema
  .extend({ api_key: z.string().describe('The key; shown only in this reply') })
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
    description: 'Returns the oldest key first. Expired keys are listed until they are revoked.',
    access: memberInSession,
    query: z.strictObject(pagingQuery),
    reply: listReply(apiKeySchema),
    async handler({ services, caller, query }) {
      const keys = await services.apiKeys.list(inHomeOrganization(caller));
      return paginateItems(keys.map(present), (key) => key.api_key_id, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/api-keys',
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'The key has the permissions of the user who creates it. Requires the password again; more than `RATE_LIMIT_AUTH` wrong ' +
      'passwords in 15 minutes are 429. Only a hash of the key is stored, so the reply is the only place where `api_key` is ' +
      'shown. A date without a time in `expires_at` includes that day (UTC).',
    access: memberInSession,
    idempotent: false,
    body: z.strictObject({
      key_name: z.string().trim().min(1, 'is required').max(100),
      current_password: passwordField.describe('The password of your account'),
      expires_at: endTimestamp
        .nullable()
        .default(null)
        .describe('A time in the future; omitted or null: never expires'),
    }),
    example: {
      key_name: 'Nightly export',
      current_password: 'Harbour-lantern-42',
      expires_at: '2027-12-31T23:59:59Z',
    },
    reply: dataReply(createdSchema),
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
    description: 'Later requests with the key get 401.',
    access: { ...memberInSession, resource: 'API key: own' },
    params: z.strictObject({ id: idParam }),
    reply: emptyReply,
    async handler({ services, caller, params }) {
      await services.apiKeys.revoke(caller, params.id);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/users/:id/api-keys',
    operationId: 'listUserApiKeys',
    summary: 'List API keys of a user',
    description: 'Returns the keys of any user of the organization, including suspended users, oldest first.',
    access: admin,
    params: z.strictObject({ id: idParam }),
    query: z.strictObject(pagingQuery),
    reply: listReply(apiKeySchema),
    async handler({ services, caller, params, query }) {
      const keys = await services.apiKeys.listOfUser(caller, params.id);
      return paginateItems(keys.map(present), (key) => key.api_key_id, query);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/users/:id/api-keys/:apiKeyId',
    operationId: 'revokeUserApiKey',
    summary: "Revoke a user's API key",
    description: 'Later requests with the key get 401. Only superadmins can revoke keys of a superadmin.',
    access: admin,
    params: z.strictObject({ id: idParam, apiKeyId: idParam }),
    reply: emptyReply,
    async handler({ services, caller, params }) {
      await services.apiKeys.revokeOfUser(caller, params.id, params.apiKeyId);
    },
  }),
];
