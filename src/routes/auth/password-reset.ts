import { z } from 'zod';
import type { RequestMetadata } from '../../http/define-route.ts';
import type { Services } from '../../services/services.ts';
import { newPassword } from '../password-fields.ts';

export const forgotSchema = z.strictObject({
  action: z.literal('forgot'),
  email: z.string().trim().min(1, 'is required').max(320),
});

export const resetSchema = z.strictObject({
  action: z.literal('reset'),
  reset_token: z.string().min(1, 'is required').max(200).describe('From the link in the email'),
  new_password: newPassword,
  revoke_api_keys: z.boolean().default(true).describe('Revoke all API keys of the user'),
});

export const forgottenSchema = z
  .strictObject({
    accepted: z.literal(true),
    delivery: z
      .enum(['smtp', 'none'])
      .describe('none: this installation sends no email; an admin can set a new password'),
  })
  .meta({ id: 'PasswordResetRequested' });

export const passwordChangedSchema = z
  .strictObject({ password_changed: z.literal(true) })
  .meta({ id: 'PasswordReset' });

export async function forgot(
  services: Services,
  body: z.output<typeof forgotSchema>,
  request: RequestMetadata,
): Promise<z.input<typeof forgottenSchema>> {
  return { accepted: true, ...(await services.passwordReset.request(body.email, request.id)) };
}

export async function reset(
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
