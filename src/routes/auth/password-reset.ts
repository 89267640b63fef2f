import { z } from 'zod';
import type { RequestFacts } from '../../http/route.ts';
import type { Services } from '../../services/services.ts';
import { newPassword } from '../password-fields.ts';

export const forgotSchema = z.strictObject({
  action: z.literal('forgot'),
  email: z.string().trim().min(1, 'is required').max(320),
});

export const resetSchema = z.strictObject({
  action: z.literal('reset'),
  reset_token: z.string().min(1, 'is required').max(200).describe('From the link in the mail'),
  new_password: newPassword,
});

export const forgottenSchema = z.strictObject({
  accepted: z.literal(true),
  delivery: z
    .enum(['smtp', 'none'])
    .describe('none: this installation sends no mail; an administrator can set a new password'),
});

export const passwordChangedSchema = z.strictObject({ password_changed: z.literal(true) });

export async function forgot(
  services: Services,
  body: z.output<typeof forgotSchema>,
  request: RequestFacts,
): Promise<z.input<typeof forgottenSchema>> {
  return { accepted: true, ...(await services.passwordReset.forgot(body.email, request.id)) };
}

export async function reset(
  services: Services,
  body: z.output<typeof resetSchema>,
  request: RequestFacts,
): Promise<z.input<typeof passwordChangedSchema>> {
  const from = { requestId: request.id, address: request.address };
  await services.passwordReset.reset(body.reset_token, body.new_password, from);
  return { password_changed: true };
}
