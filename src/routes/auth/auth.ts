import { z } from 'zod';
import { anyoneKnown } from '../../http/access.ts';
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
  summary: 'Sign in, sign out or register',
  description:
    'A login sets the HttpOnly cookie `auth_token`, and one that recognises this browser at later logins to the account. An unknown ' +
    'address and a wrong password get the same reply; after the right password, a user who is pending or suspended gets that reason (403). Only failed logins are limited: `RATE_LIMIT_AUTH` in 15 minutes per account and network together, 5 times ' +
    'as many per network, 10 times as many per account; a browser that signed in to the account before is limited by its own failures alone. A logout ends the session, ' +
    'so that copies of its token are dead too; it succeeds without a session as well. `register` joins the organization of an invite ' +
    'link, 201: an admin has to approve the new user before their first login. An address that a user ' +
    'of the organization has is 409 `email_taken`, which does not count as a use of the link; whether another organization knows the address ' +
    'is not disclosed. `forgot` sends a link to the address, if it has an account: the reply does not tell. `reset` sets a new password ' +
    'with that link, once, within an hour; every session of the user ends, and their API keys are revoked unless `revoke_api_keys` is false.',
  access: anyoneKnown,
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
  alternateStatuses: { 201: 'register: the user waits for an admin' },
  errors: {
    401: '`login_failed`: the address or the password is wrong',
    403: 'login, with the right password: `account_pending`, an admin has to approve the user first; `account_suspended`, an admin suspended the user',
    404: 'register, reset: there is no such link',
    409: 'register: a user of the organization has this address',
    410: 'register: the invite link has expired, is used up or was withdrawn; reset: the link was used or is over',
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
