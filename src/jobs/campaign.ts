import { z } from 'zod';
import { AppError } from '../lib/errors.ts';
import { CAMPAIGN_JOB } from '../services/field/invitations/scheduled-campaigns.ts';
import type { Services } from '../services/services.ts';
import { defineJob } from './job-kind.ts';

/** Sends the due emails of a campaign. The result counts the emails of the campaign by state. */
export function campaignJob({ access, campaignRunner }: Pick<Services, 'access' | 'campaignRunner'>) {
  return defineJob({
    kind: CAMPAIGN_JOB,
    payload: z.object({ mailing_id: z.int() }),
    async handler({ owner, surveyId, payload: { mailing_id: mailingId }, signal, progress }) {
      if (owner === null) throw new Error('A campaign job has no owner');
      try {
        // Access may have changed since the job was started.
        await access.surveyOfUser(owner, surveyId ?? 0, 'edit');
      } catch (error) {
        if (error instanceof AppError && error.kind !== 'unavailable') await campaignRunner.cancel(mailingId);
        throw error;
      }
      return { ...(await campaignRunner.run(mailingId, { signal, progress })) };
    },
  });
}
