import { z } from 'zod';
import { type Caller, inHomeOrganization, USER_ROLES, userTypeOf } from '../domain/access/caller.ts';
import { optionalCaller, admin, memberInSession } from '../http/access.ts';
import type { RequestMetadata } from '../http/define-route.ts';
import { dataReply, withReply, emptyReply, listReply } from '../http/reply.ts';
import { addressNetwork } from '../lib/address-network.ts';
import { MAX_API_KEYS } from '../services/auth/api-keys.ts';
import type { Services } from '../services/services.ts';
import { defineRoute } from './define-route.ts';
import { emailField, newPassword, passwordField, personName } from './request-fields.ts';
import { endTimestamp } from '../http/timestamp-schemas.ts';
import { idParam, paginateItems, pagingQuery } from '../http/paging.ts';
import type { ApiKeyRow } from '../repositories/api-keys.ts';
import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../http/build-router.ts';

const loginSchema = z.strictObject({
  action: z.literal('login'),
  email: z.string().min(1, 'is required').max(320),
  password: passwordField,
  organization_slug: z
    .string()
    .max(200)
    .nullable()
    .default(null)
    .describe(
      'Only an account of this organization, where several have an account with the address and password',
    ),
  remember_me: z.boolean().default(false).describe('Stay signed in for 30 days instead of 7'),
  include_token: z.boolean().default(false).describe('Return `access_token`, for clients without cookies'),
});

const loggedInSchema = z
  .strictObject({
    user_id: z.int(),
    user_name: z.string(),
    user_email: z.string(),
    organization_name: z.string(),
    user_type: z.int().describe('1 Admin, 2 Member, 3 Client'),
    user_role: z.enum(USER_ROLES),
    access_token: z.string().optional(),
  })
  .meta({ id: 'Login' });

async function logIn(services: Services, body: z.output<typeof loginSchema>, request: RequestMetadata) {
  const login = await services.auth.login(
    {
      email: body.email.trim(),
      password: body.password,
      rememberMe: body.remember_me,
      organizationSlug: body.organization_slug,
    },
    loginOrigin(request),
  );
  return loggedIn(login, body.include_token);
}

const loginOrigin = (request: RequestMetadata) => ({
  userAgent: request.userAgent,
  address: request.address,
  requestId: request.id,
  cookie: (name: string) => request.cookie(name),
});

function loggedIn(
  { user, token, lifetimeSeconds, deviceCookie }: Awaited<ReturnType<Services['auth']['login']>>,
  includeToken: boolean,
) {
  return withReply(
    {
      user_id: user.user_id,
      user_name: user.user_name,
      user_email: user.user_email,
      organization_name: user.organization_name,
      user_type: userTypeOf(user.user_role),
      user_role: user.user_role,
      ...(includeToken ? { access_token: token } : {}),
    },
    {
      authCookie: { token, maxAgeSeconds: lifetimeSeconds },
      cookies: [{ ...deviceCookie, path: '/api/auth' }],
      headers: { 'Cache-Control': 'no-store' },
    },
  );
}

const loginWithLinkSchema = z.strictObject({
  action: z.literal('login_with_link'),
  sign_in_token: z
    .string()
    .min(1, 'is required')
    .max(200)
    .describe('From the link that the first start prints'),
});

const logoutSchema = z.strictObject({ action: z.literal('logout') });

const loggedOutSchema = z.strictObject({ logged_out: z.literal(true) }).meta({ id: 'LoggedOut' });

async function logOut(services: Services, caller: Caller | null) {
  await services.auth.logout(caller);
  return withReply({ logged_out: true as const }, { authCookie: null });
}

const forgotSchema = z.strictObject({
  action: z.literal('forgot'),
  email: z.string().trim().min(1, 'is required').max(320),
});

const resetSchema = z.strictObject({
  action: z.literal('reset'),
  reset_token: z.string().min(1, 'is required').max(200).describe('From the link in the email'),
  new_password: newPassword,
  revoke_api_keys: z.boolean().default(true).describe('Revoke all API keys of the user'),
});

const confirmEmailSchema = z.strictObject({
  action: z.literal('confirm_email'),
  confirm_token: z.string().min(1, 'is required').max(200).describe('From the link in the email'),
});

const emailConfirmedSchema = z
  .strictObject({ email_confirmed: z.literal(true) })
  .meta({ id: 'EmailConfirmed' });

const forgottenSchema = z
  .strictObject({
    accepted: z.literal(true),
    delivery: z
      .enum(['smtp', 'none'])
      .describe('none: this installation sends no email; an admin can create a link to set a new password'),
  })
  .meta({ id: 'PasswordResetRequested' });

const passwordChangedSchema = z
  .strictObject({ password_changed: z.literal(true) })
  .meta({ id: 'PasswordReset' });

async function requestPasswordReset(
  services: Services,
  body: z.output<typeof forgotSchema>,
  request: RequestMetadata,
): Promise<z.input<typeof forgottenSchema>> {
  return { accepted: true, ...(await services.passwordReset.request(body.email, request.id)) };
}

async function resetPassword(
  services: Services,
  body: z.output<typeof resetSchema>,
  request: RequestMetadata,
): Promise<z.input<typeof passwordChangedSchema>> {
  await services.passwordReset.reset(
    {
      token: body.reset_token,
      newPassword: body.new_password,
      revokeApiKeys: body.revoke_api_keys,
    },
    { requestId: request.id, address: request.address },
  );
  return { password_changed: true };
}

const registerSchema = z.strictObject({
  action: z.literal('register'),
  invite_token: z
    .string()
    .min(1, 'is required')
    .max(200)
    .describe('The last path segment of the invite link'),
  user_name: personName,
  email: emailField,
  password: newPassword,
});

const registeredSchema = z
  .strictObject({
    registered: z.literal(true),
    user_id: z.int(),
    user_status: z
      .literal(2)
      .describe('2 (Pending): an admin has to approve the user before the first login'),
  })
  .meta({ id: 'Registration' });

async function register(services: Services, body: z.output<typeof registerSchema>, request: RequestMetadata) {
  const user = await services.registration.register(
    { token: body.invite_token, name: body.user_name, email: body.email, password: body.password },
    { address: request.address, requestId: request.id },
  );
  return withReply(
    { registered: true as const, user_id: user.user_id, user_status: 2 as const },
    { status: 201, headers: { 'Cache-Control': 'no-store' } },
  );
}

const authRoute = defineRoute({
  method: 'post',
  path: '/api/auth',
  operationId: 'authenticate',
  summary: 'Create or end a session',
  description:
    'The `action` of the body decides what happens:\n\n' +
    '- `login` starts a session and sets the HttpOnly cookie `auth_token`. With `include_token`, the reply also has an ' +
    '`access_token` to send as `Authorization: Bearer`. An unknown email address and a wrong password get the same error. ' +
    'After the right password, a pending or suspended user gets 403 with the reason.\n' +
    '- `login_with_link` does the same with the one-time link that the first start of an installation prints.\n' +
    '- `logout` ends the session and revokes its token. It also succeeds without a session.\n' +
    '- `register` creates a user through an invite link (201). An admin has to approve the user before the first login. An ' +
    'email address that a user of the organization already has is 409 `email_taken` and does not use up the link.\n' +
    '- `forgot` emails a reset link if the address has an account. The reply is the same whether or not it has one.\n' +
    '- `reset` sets a new password with that link, which works once and within an hour. All sessions of the user end, and ' +
    'their API keys are revoked unless `revoke_api_keys` is false.\n' +
    '- `confirm_email` confirms the email address of a user with the link that was mailed to it.\n\n' +
    '`register` and `reset` refuse passwords that are easy to guess. Where several organizations have an account with the address, ' +
    'the password decides which one `login` opens; if it fits several, the one whose owner has confirmed the address by email, then ' +
    'the oldest, or the one of `organization_slug`.\n\n' +
    'Failed logins are limited in 15 minutes: `RATE_LIMIT_AUTH` per account and network together, 5 times as many per ' +
    'network, 10 times as many per account. A browser that signed in to the account before is limited by its own failures only.',
  access: optionalCaller,
  rateLimit: 'auth',
  // Logins are limited by their failures, in the service.
  extraRateLimitKey: (body, _caller, { address }) =>
    body.action === 'login' || body.action === 'logout'
      ? null
      : `${body.action} ${addressNetwork(address, 56)}`,
  idempotent: false,
  body: z.discriminatedUnion('action', [
    loginSchema,
    loginWithLinkSchema,
    logoutSchema,
    registerSchema,
    forgotSchema,
    resetSchema,
    confirmEmailSchema,
  ]),
  examples: {
    login: {
      action: 'login',
      email: 'grace@meridian.example',
      password: 'Harbour-lantern-42',
      include_token: true,
    },
    login_with_link: {
      action: 'login_with_link',
      sign_in_token: 'Zk8mW1sT5vX9bN2cL7dF4gq3Zk8mW1sT5vX9bN2cL7d',
    },
    logout: { action: 'logout' },
    register: {
      action: 'register',
      invite_token: 'q3Zk8mW1sT5vX9bN2cL7dF4g',
      user_name: 'Noor Haddad',
      email: 'noor@meridian.example',
      password: 'Quiet-river-stone-8',
    },
    forgot: { action: 'forgot', email: 'grace@meridian.example' },
  },
  reply: dataReply(
    z.union([
      loggedInSchema,
      loggedOutSchema,
      registeredSchema,
      forgottenSchema,
      passwordChangedSchema,
      emailConfirmedSchema,
    ]),
  ),
  alternateStatuses: { 201: '`register`: the user is created and waits for approval' },
  errors: {
    401: '`login_failed`: the email address or the password is wrong',
    403:
      '`login` with the right password: `account_pending`, an admin has to approve the user first; `account_suspended`, an ' +
      'admin suspended the user',
    404: '`register`: the invite link does not exist',
    409: '`register`: `email_taken`, a user of the organization has this email address; `confirm_email`: `email_taken`, another user has confirmed the address',
    410: '`register`: the invite link has expired, is used up or was revoked; `reset`, `confirm_email` and `login_with_link`: the link is unknown, was used or has expired',
  },
  async handler({ services, caller, body, request }) {
    switch (body.action) {
      case 'login':
        return logIn(services, body, request);
      case 'login_with_link':
        return loggedIn(await services.auth.loginWithLink(body.sign_in_token, loginOrigin(request)), false);
      case 'logout':
        return logOut(services, caller);
      case 'register':
        return register(services, body, request);
      case 'forgot':
        return requestPasswordReset(services, body, request);
      case 'reset':
        return resetPassword(services, body, request);
      case 'confirm_email':
        await services.emailConfirmation.confirm(body.confirm_token, {
          requestId: request.id,
          address: request.address,
        });
        return { email_confirmed: true as const };
    }
  },
});

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

const createdApiKeySchema = apiKeySchema
  .extend({ api_key: z.string().describe('The key; shown only in this reply') })
  .meta({ id: 'CreatedApiKey' });

const presentApiKey = (row: ApiKeyRow) => ({
  api_key_id: row.api_key_id,
  key_name: row.key_name,
  key_start: row.key_start,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
});

const apiKeyRoutes = [
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
      return paginateItems(keys.map(presentApiKey), (key) => key.api_key_id, query);
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
      `shown. A date without a time in \`expires_at\` includes that day (UTC). A user has at most ${MAX_API_KEYS} keys that are not revoked.`,
    access: memberInSession,
    errors: { 409: '`too_many_api_keys`: revoke a key first' },
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
    reply: dataReply(createdApiKeySchema),
    status: 201,
    async handler({ services, caller, body }) {
      const created = await services.apiKeys.createConfirmed(caller, {
        name: body.key_name,
        expiresAt: body.expires_at,
        currentPassword: body.current_password,
      });
      return { ...presentApiKey(created), api_key: created.key };
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
      return paginateItems(keys.map(presentApiKey), (key) => key.api_key_id, query);
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

export const authRoutes = [authRoute, ...apiKeyRoutes];

export const authRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/auth', [authRoute], dependencies);

/** API keys of the caller and, for admins, of other users. */
export const apiKeysRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api', apiKeyRoutes, dependencies);
