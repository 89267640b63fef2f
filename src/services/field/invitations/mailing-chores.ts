import { doorOf } from '../../../domain/invitations/mailing-door.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import { doorwayOf } from './mailing-run.ts';

export const MAILING_JOB = 'mailing';

/** A job that failed for a reason of ours is not begun again at once. */
const AFTER_FAILURE_MS = 5 * 60 * 1000;

/** What has to happen to mailings when its time has come: reminders, mails that are tried again, jobs that were cancelled. */
export class MailingChores {
  private readonly store: Store;
  private readonly clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.store = store;
    this.clock = clock;
  }

  async run(): Promise<void> {
    for (const { mailing_id: mailingId } of await this.store.read.mailings.listUnfinished())
      await this.store.transaction((repositories) => this.lookAfter(repositories, mailingId));
  }

  private async lookAfter(repositories: Repositories, mailingId: number): Promise<void> {
    const { mailings, mails } = repositories;
    const held = await mailings.lockUnfinished(mailingId);
    const mailing = held === null ? null : await mailings.find(mailingId);
    if (held === null || mailing === null) return;
    if (held.job_status === 'queued' || held.job_status === 'running') return;
    if (held.job_status === 'cancelled')
      await mails.cancelWaiting(mailingId, 'not sent: sending was cancelled');

    const isReminder = mailing.mailing_kind === 'reminder';
    const door = doorOf(doorwayOf(mailing), this.clock.now());
    const mayGoOn = held.job_status !== 'cancelled' && door.is !== 'shut';
    if (!mayGoOn)
      await mails.cancelWaiting(mailingId, door.is === 'shut' ? `not sent: ${door.why}` : 'cancelled');
    else if (isReminder && door.is === 'open') await mailings.addDueReminders(mailingId);

    const { due, any } = await mails.outstanding(mailingId);
    if (due) {
      const failedAt = held.job_status === 'failed' ? held.job_finished_at : null;
      const isSoon = failedAt !== null && this.clock.now().getTime() - failedAt.getTime() < AFTER_FAILURE_MS;
      if (!isSoon) await startMailing(repositories, { ...mailing, mailingId });
    }
    if (!any && (!mayGoOn || !isReminder || !(await mailings.mayRemind(mailingId))))
      await mailings.finish(mailingId);
  }
}

/** In the transaction that makes the mails; gives the job's id. */
export async function startMailing(
  { jobs, mailings }: Repositories,
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
    kind: MAILING_JOB,
    payload: { mailing_id: mailing.mailingId },
    requestId: mailing.request_id,
  });
  await mailings.setJob(mailing.mailingId, jobId);
  return jobId;
}
