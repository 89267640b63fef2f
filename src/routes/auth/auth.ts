import { z } from 'zod';
import { userTypeOf } from '../../domain/access/caller.ts';
import { anyoneKnown } from '../../http/access.ts';
import { data, withReply } from '../../http/reply.ts';
import { defineRoute } from '../route.ts';

const MAX_PASSWORD_BYTES = 1_024;

/** bcrypt's work grows with neither, but a bound keeps bodies honest. */
const password = z
  .string()
  .min(1, 'is required')
  .refine(
    (value) => Buffer.byteLength(value) <= MAX_PASSWORD_BYTES,
    `must be at most ${MAX_PASSWORD_BYTES} bytes`,
  );

const loginSchema = z.strictObject({
  action: z.literal('login'),
  email: z.string().min(1, 'is required').max(320),
  password,
  remember_me: z.boolean().default(false).describe('Stay signed in for 30 days instead of 7'),
  include_token: z
    .boolean()
    .default(false)
    .describe('Adds access_token to data, for clients without cookies'),
});

const logoutSchema = z.strictObject({ action: z.literal('logout') });

const replySchema = z
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

const loggedOutSchema = z.strictObject({ logged_out: z.literal(true) });

export const authRoute = defineRoute({
  method: 'post',
  path: '/api/auth',
  operationId: 'authenticate',
  summary: 'Sign in or out',
  description:
    'A login sets the HttpOnly cookie `auth_token`. Whichever part was wrong, the answer is the same. A logout ends the session, ' +
    'so that copies of its token are dead too; it succeeds without a session as well.',
  access: anyoneKnown,
  rateLimit: 'auth',
  brake: (body) => (body.action === 'login' ? `account:${body.email.trim().toLowerCase()}` : null),
  idempotent: false,
  body: z.discriminatedUnion('action', [loginSchema, logoutSchema]),
  reply: data(z.union([replySchema, loggedOutSchema])),
  async handler({ services, caller, body, request }) {
    if (body.action === 'logout') {
      await services.auth.logout(caller);
      return withReply({ logged_out: true as const }, { authCookie: null });
    }
    const login = await services.auth.login(
      { email: body.email.trim(), password: body.password, rememberMe: body.remember_me },
      { userAgent: request.userAgent, address: request.address, requestId: request.id },
    );
    const { user } = login;
    return withReply(
      {
        user_id: user.user_id,
        user_name: user.user_name,
        user_email: user.user_email,
        organization_name: user.organization_name,
        user_type: userTypeOf(user.user_role),
        user_role: user.user_role,
        ...(body.include_token ? { access_token: login.token } : {}),
      },
      {
        authCookie: { token: login.token, maxAgeSeconds: login.lifetimeSeconds },
        headers: { 'Cache-Control': 'no-store' },
      },
    );
  },
});
