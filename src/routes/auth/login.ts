import { z } from 'zod';
import { type Caller, userTypeOf } from '../../domain/access/caller.ts';
import { withReply } from '../../http/reply.ts';
import type { RequestMetadata } from '../../http/define-route.ts';
import type { Services } from '../../services/services.ts';
import { passwordField } from '../password-fields.ts';

export const loginSchema = z.strictObject({
  action: z.literal('login'),
  email: z.string().min(1, 'is required').max(320),
  password: passwordField,
  remember_me: z.boolean().default(false).describe('Stay signed in for 30 days instead of 7'),
  include_token: z.boolean().default(false).describe('Return `access_token`, for clients without cookies'),
});

export const loggedInSchema = z
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

export async function logIn(
  services: Services,
  body: z.output<typeof loginSchema>,
  request: RequestMetadata,
) {
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

export const logoutSchema = z.strictObject({ action: z.literal('logout') });

export const loggedOutSchema = z.strictObject({ logged_out: z.literal(true) }).meta({ id: 'LoggedOut' });

export async function logOut(services: Services, caller: Caller | null) {
  await services.auth.logout(caller);
  return withReply({ logged_out: true as const }, { authCookie: null });
}
