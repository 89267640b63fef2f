import { z } from 'zod';
import { type Caller, userTypeOf } from '../../domain/access/caller.ts';
import { optionalCaller } from '../../http/access.ts';
import type { RequestMetadata } from '../../http/define-route.ts';
import { dataReply, withReply } from '../../http/reply.ts';
import { addressNetwork } from '../../lib/address-network.ts';
import type { Services } from '../../services/services.ts';
import { defineRoute } from '../define-route.ts';
import { emailField, newPassword, passwordField, personName } from '../request-fields.ts';

const loginSchema = z.strictObject({
  action: z.literal('login'),
  email: z.string().min(1, 'is required').max(320),
  password: passwordField,
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
    user_role: z.enum(['superadmin', 'admin', 'member', 'client']),
    access_token: z.string().optional(),
  })
  .meta({ id: 'Login' });

async function logIn(services: Services, body: z.output<typeof loginSchema>, request: RequestMetadata) {
  const { user, token, lifetimeSeconds, deviceCookie } = await services.auth.login(
    { email: body.email.trim(), password: body.password, rememberMe: body.remember_me },
    {
      userAgent: request.userAgent,
      address: request.address,
      requestId: request.id,
      cookie: (name) => request.cookie(name),
    },
  );
  return withReply(
    {
      user_id: user.user_id,
      user_name: user.user_name,
      user_email: user.user_email,
      organization_name: user.organization_name,
      user_type: userTypeOf(user.user_role),
      user_role: user.user_role,
      ...(body.include_token ? { access_token: token } : {}),
    },
    {
      authCookie: { token, maxAgeSeconds: lifetimeSeconds },
      cookies: [{ ...deviceCookie, path: '/api/auth' }],
      headers: { 'Cache-Control': 'no-store' },
    },
  );
}

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

const forgottenSchema = z
  .strictObject({
    accepted: z.literal(true),
    delivery: z
      .enum(['smtp', 'none'])
      .describe('none: this installation sends no email; an admin can set a new password'),
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

export const authRoute = defineRoute({
  method: 'post',
  path: '/api/auth',
  operationId: 'authenticate',
  summary: 'Create or end a session',
  description:
    'The `action` of the body decides what happens:\n\n' +
    '- `login` starts a session and sets the HttpOnly cookie `auth_token`. With `include_token`, the reply also has an ' +
    '`access_token` to send as `Authorization: Bearer`. An unknown email address and a wrong password get the same error. ' +
    'After the right password, a pending or suspended user gets 403 with the reason.\n' +
    '- `logout` ends the session and revokes its token. It also succeeds without a session.\n' +
    '- `register` creates a user through an invite link (201). An admin has to approve the user before the first login. An ' +
    'email address that a user of the organization already has is 409 `email_taken` and does not use up the link.\n' +
    '- `forgot` emails a reset link if the address has an account. The reply is the same whether or not it has one.\n' +
    '- `reset` sets a new password with that link, which works once and within an hour. All sessions of the user end, and ' +
    'their API keys are revoked unless `revoke_api_keys` is false.\n\n' +
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
    logoutSchema,
    registerSchema,
    forgotSchema,
    resetSchema,
  ]),
  examples: {
    login: {
      action: 'login',
      email: 'grace@meridian.example',
      password: 'Harbour-lantern-42',
      include_token: true,
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
    z.union([loggedInSchema, loggedOutSchema, registeredSchema, forgottenSchema, passwordChangedSchema]),
  ),
  alternateStatuses: { 201: '`register`: the user is created and waits for approval' },
  errors: {
    401: '`login_failed`: the email address or the password is wrong',
    403:
      '`login` with the right password: `account_pending`, an admin has to approve the user first; `account_suspended`, an ' +
      'admin suspended the user',
    404: '`register`: the invite link does not exist',
    409: '`register`: `email_taken`, a user of the organization has this email address',
    410: '`register`: the invite link has expired, is used up or was revoked; `reset`: the link is unknown, was used or has expired',
  },
  handler({ services, caller, body, request }) {
    switch (body.action) {
      case 'login':
        return logIn(services, body, request);
      case 'logout':
        return logOut(services, caller);
      case 'register':
        return register(services, body, request);
      case 'forgot':
        return requestPasswordReset(services, body, request);
      case 'reset':
        return resetPassword(services, body, request);
    }
  },
});
