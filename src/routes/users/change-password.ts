import { z } from 'zod';
import { idParam } from '../../http/paging.ts';
import { dataReply, withReply } from '../../http/reply.ts';
import { passwordField, newPassword } from '../password-fields.ts';
import { defineRoute } from '../define-route.ts';
import { onSelfInSession } from './user-guards.ts';

export const changePasswordRoute = defineRoute({
  method: 'put',
  path: '/api/users/:id/change-password',
  operationId: 'changePassword',
  summary: 'Update your password',
  description:
    'Ends all your other sessions. You stay signed in: with a cookie, the reply sets a new one; with a bearer token, the ' +
    'reply has a new `access_token`. API keys are not revoked. More than `RATE_LIMIT_AUTH` wrong passwords in 15 minutes are 429.',
  access: onSelfInSession,
  params: z.strictObject({ id: idParam }),
  body: z.strictObject({
    current_password: passwordField,
    new_password: newPassword,
    include_token: z
      .boolean()
      .default(false)
      .describe('Return `access_token` also to a caller with a cookie'),
  }),
  example: {
    current_password: 'Harbour-lantern-42',
    new_password: 'Copper-violin-77',
  },
  reply: dataReply(
    z.strictObject({ password_changed: z.literal(true), access_token: z.string().optional() }),
  ),
  async handler({ services, caller, scope, body }) {
    const { token, lifetimeSeconds } = await services.ownSessions.changePassword(scope.by, {
      currentPassword: body.current_password,
      newPassword: body.new_password,
    });
    const withToken = body.include_token || !caller.viaCookie;
    return withReply(
      { password_changed: true as const, ...(withToken ? { access_token: token } : {}) },
      caller.viaCookie ? { authCookie: { token, maxAgeSeconds: lifetimeSeconds } } : {},
    );
  },
});
