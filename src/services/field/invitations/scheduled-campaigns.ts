import { evaluateSendingState } from '../../../domain/invitations/invitation-status.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import { collectionConditionsOf } from './campaign-runner.ts';

export const CAMPAIGN_JOB = 'mailing';

/** Delay before a job that failed with an internal error is started again. */
const RETRY_DELAY_MS = 5 * 60 * 1000;

/** Continues campaigns when they are due: sends reminders, retries emails and handles cancelled jobs. */
export class ScheduledCampaigns {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    for (const { mailing_id: mailingId } of await this.store.read.campaigns.listUnfinished())
      await this.store.transaction((repositories) => this.advance(repositories, mailingId));
  }

  private async advance(repositories: Repositories, mailingId: number): Promise<void> {
    const { campaigns, mails } = repositories;
    const locked = await campaigns.lockUnfinished(mailingId);
    const mailing = locked === null ? null : await campaigns.find(mailingId);
    if (locked === null || mailing === null) return;
    if (locked.job_status === 'queued' || locked.job_status === 'running') return;
    if (locked.job_status === 'cancelled')
      await mails.cancelWaiting(mailingId, 'not sent: sending was cancelled');

    const isReminder = mailing.mailing_kind === 'reminder';
    const sendingState = evaluateSendingState(collectionConditionsOf(mailing), this.clock.now());
    const mayGoOn = locked.job_status !== 'cancelled' && sendingState.state !== 'closed';
    if (!mayGoOn)
      await mails.cancelWaiting(
        mailingId,
        sendingState.state === 'closed' ? `not sent: ${sendingState.reason}` : 'cancelled',
      );
    else if (isReminder && sendingState.state === 'open') await campaigns.addDueReminders(mailingId);

    const { due, any } = await mails.findOutstanding(mailingId);
    if (due) {
      const failedAt = locked.job_status === 'failed' ? locked.job_finished_at : null;
      const isSoon = failedAt !== null && this.clock.now().getTime() - failedAt.getTime() < RETRY_DELAY_MS;
      if (!isSoon) await enqueueCampaign(repositories, { ...mailing, mailingId });
    }
    if (!any && (!mayGoOn || !isReminder || !(await campaigns.canStillRemind(mailingId))))
      await campaigns.finish(mailingId);
  }
}

/** Enqueues the job of a campaign, in the transaction that creates its emails. Returns the job's id. */
export async function enqueueCampaign(
  { jobs, campaigns }: Repositories,
  mailing: {
    mailingId: number;
    organization_id: number;
    created_by: number;
    survey_id: number;
    request_id: string;
  },
): Promise<number> {
  const jobId = await jobs.enqueue({
    organizationId: mailing.organization_id,
    userId: mailing.created_by,
    surveyId: mailing.survey_id,
    kind: CAMPAIGN_JOB,
    payload: { mailing_id: mailing.mailingId },
    requestId: mailing.request_id,
  });
  await campaigns.setJob(mailing.mailingId, jobId);
  return jobId;
}
