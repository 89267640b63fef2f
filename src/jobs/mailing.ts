import { z } from 'zod';
import { AppError } from '../lib/errors.ts';
import { MAILING_JOB } from '../services/field/invitations/mailing-chores.ts';
import type { Services } from '../services/services.ts';
import { defineJob } from './job-kind.ts';

/** Sends the mails of a mailing that are due. Its result says what became of all of them so far. */
export function mailingJob({ access, mailingRun }: Pick<Services, 'access' | 'mailingRun'>) {
  return defineJob({
    kind: MAILING_JOB,
    payload: z.object({ mailing_id: z.int() }),
    async handler({ owner, surveyId, payload: { mailing_id: mailingId }, signal, progress }) {
      if (owner === null) throw new Error('A mailing is somebody’s');
      try {
        // Rights may have gone since it was started.
        await access.surveyOfUser(owner, surveyId ?? 0, 'edit');
      } catch (error) {
        if (error instanceof AppError && error.kind !== 'unavailable') await mailingRun.withdraw(mailingId);
        throw error;
      }
      return { ...(await mailingRun.run(mailingId, { signal, progress })) };
    },
  });
}
