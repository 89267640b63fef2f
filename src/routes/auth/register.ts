import { z } from 'zod';
import { withReply } from '../../http/reply.ts';
import type { RequestMetadata } from '../../http/define-route.ts';
import type { Services } from '../../services/services.ts';
import { emailField, personName } from '../person-fields.ts';
import { newPassword } from '../password-fields.ts';

export const registerSchema = z.strictObject({
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

export const registeredSchema = z
  .strictObject({
    registered: z.literal(true),
    user_id: z.int(),
    user_status: z
      .literal(2)
      .describe('2 (Pending): an admin has to approve the user before the first login'),
  })
  .meta({ id: 'Registration' });

export async function register(
  services: Services,
  body: z.output<typeof registerSchema>,
  request: RequestMetadata,
) {
  const user = await services.registration.register(
    { token: body.invite_token, name: body.user_name, email: body.email, password: body.password },
    { address: request.address, requestId: request.id },
  );
  return withReply(
    { registered: true as const, user_id: user.user_id, user_status: 2 as const },
    { status: 201, headers: { 'Cache-Control': 'no-store' } },
  );
}
