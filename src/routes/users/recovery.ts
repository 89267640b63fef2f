import { z } from 'zod';
import { admin } from '../../http/access.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply, withReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { passwordField } from '../request-fields.ts';
import { onSelfOrAdmin, presentUser, userSchema } from './users.ts';

const params = z.strictObject({ id: idParam });
const deliverySchema = z.enum(['smtp', 'none']).describe('none: this installation sends no email');

export const userRecoveryRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/users/:id/password-link',
    operationId: 'sendPasswordLink',
    summary: 'Create a password link',
    description:
      'Emails another user a link to set a new password, which works once and within an hour, and tells them who requested it. ' +
      'The current password, sessions and API keys stay until the link is used. Requires your own password and a session. If the ' +
      'installation sends no email, the reply has the link, to be handed over in person.',
    access: { ...admin, credential: 'session' },
    idempotent: false,
    params,
    body: z.strictObject({ current_password: passwordField.describe('The password of your account') }),
    example: { current_password: 'Harbour-lantern-42' },
    reply: dataReply(
      z
        .strictObject({
          delivery: deliverySchema,
          reset_url: z.string().nullable().describe('Only if no email is sent'),
        })
        .meta({ id: 'PasswordLink' }),
    ),
    errors: { 409: '`illegal_transition`: the user is not active' },
    async handler({ services, caller, params: { id }, body }) {
      const { delivery, resetUrl } = await services.passwordReset.requestFor(
        { by: caller, userId: id },
        body.current_password,
      );
      return withReply({ delivery, reset_url: resetUrl }, { headers: { 'Cache-Control': 'no-store' } });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/users/:id/email-confirmation',
    operationId: 'confirmUserEmail',
    summary: 'Confirm an email address',
    description:
      'Emails the user a link that confirms their address, at most three at a time. If the installation sends no email, an admin ' +
      'confirms the address with this request; that counts within the organization only. The request of another user changes nothing then.',
    access: onSelfOrAdmin,
    params,
    reply: dataReply(
      z.strictObject({ delivery: deliverySchema, user: userSchema }).meta({ id: 'EmailConfirmation' }),
    ),
    errors: {
      409: '`illegal_transition`: the user is not active',
    },
    async handler({ services, scope, request }) {
      const { delivery, user } = await services.emailConfirmation.request(scope);
      return { delivery, user: presentUser(user, request.baseUrl) };
    },
  }),
];
