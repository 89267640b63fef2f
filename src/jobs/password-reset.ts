import { z } from 'zod';
import { PASSWORD_RESET_JOB } from '../services/auth/password-reset.ts';
import type { Services } from '../services/services.ts';
import { defineJob } from './job-kind.ts';

/** Sends the email with a password reset link, if the account exists. */
export const passwordResetJob = ({ passwordReset }: Pick<Services, 'passwordReset'>) =>
  defineJob({
    kind: PASSWORD_RESET_JOB,
    payload: z.object({ email: z.string() }),
    async handler({ payload }) {
      await passwordReset.send(payload.email);
      return null;
    },
  });
