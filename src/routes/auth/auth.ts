import { z } from 'zod';
import { optionalCaller } from '../../http/access.ts';
import { data } from '../../http/reply.ts';
import { addressNetwork } from '../../lib/address-network.ts';
import { defineRoute } from '../define-route.ts';
import { loggedInSchema, loggedOutSchema, logIn, loginSchema, logOut, logoutSchema } from './login.ts';
import {
  forgot,
  forgotSchema,
  forgottenSchema,
  passwordChangedSchema,
  reset,
  resetSchema,
} from './password-reset.ts';
import { register, registeredSchema, registerSchema } from './register.ts';

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
  reply: data(
    z.union([loggedInSchema, loggedOutSchema, registeredSchema, forgottenSchema, passwordChangedSchema]),
  ),
  alternateStatuses: { 201: '`register`: the user is created and waits for approval' },
  errors: {
    401: '`login_failed`: the email address or the password is wrong',
    403:
      '`login` with the right password: `account_pending`, an admin has to approve the user first; `account_suspended`, an ' +
      'admin suspended the user',
    404: '`register`, `reset`: the link does not exist',
    409: '`register`: `email_taken`, a user of the organization has this email address',
    410: '`register`: the invite link has expired, is used up or was revoked; `reset`: the link was used or has expired',
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
        return forgot(services, body, request);
      case 'reset':
        return reset(services, body, request);
    }
  },
});
