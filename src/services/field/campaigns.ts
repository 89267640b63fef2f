import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  evaluateSendingState,
  retryAfterSeconds,
  type SendingState,
} from '../../domain/invitations/invitation-status.ts';
import { surveyStatusAt } from '../../domain/survey/survey-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import { requireValue } from '../../lib/require-value.ts';
import { MailNotSent, type MailSender } from '../../providers/mail/mail-sender.ts';
import type { CampaignRow } from '../../repositories/campaigns.ts';
import type { ClaimedMail, MailCounts } from '../../repositories/mails.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { EmailRenderer } from './emails.ts';

/** Maximum number of emails claimed at once. */
const MAX_BATCH = 20;
const MAX_OUTBOX_BATCH = 1_000;
/** Delay until a closed survey is checked again. */
const RECHECK_SECONDS = 60;
/** Reason for stopping when another process has taken the campaign over. */
const CLAIMED_ELSEWHERE = 'another process sends it';
const DAY_MS = 24 * 60 * 60 * 1000;

interface MailLimits {
  /** For the installation. */
  perSecond: number;
  /** For an organization, per day (UTC). */
  perDay: number;
  /** Maximum number of concurrent SMTP connections. */
  connections: number;
}

interface RunControl {
  signal: AbortSignal;
  progress: (fraction: number, message: string) => void;
}

interface CampaignOutcome extends MailCounts {
  /** Why emails are waiting or were not sent; null: no reason. */
  note: string | null;
}

const collectionConditionsOf = (campaign: CampaignRow, now: Date) => ({
  surveyStatus: campaign.workspace_deleted
    ? (0 as const)
    : surveyStatusAt(campaign.survey_status, campaign.survey_settings, now),
  linkState: campaign.link_state,
  isLinkDeleted: campaign.link_deleted,
  expiresAt: campaign.expires_at,
  waveStart: campaign.wave_start_date,
  waveEnd: campaign.wave_end_date,
});

/**
 * Sends the due emails of a campaign at the installation's rate, until none is due, the daily limit is reached, the
 * mail server is unavailable, or the survey is closed. Each email is recorded as handed over before the SMTP
 * transaction is finished, so that it is never sent twice, however this process ends.
 */
export class CampaignRunner {
  constructor(
    private readonly store: Store,
    /** null: email is not configured; emails are kept in the outbox. */
    private readonly mail: MailSender | null,
    private readonly emailRenderer: EmailRenderer,
    private readonly limits: MailLimits,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async run(campaignId: number, { signal, progress }: RunControl): Promise<CampaignOutcome> {
    const { mails, campaigns } = this.store.read;
    const claimId = this.ids.uuid();
    await mails.settleInterrupted(campaignId, claimId);
    let note: string | null = null;
    for (;;) {
      const counts = await mails.countByState(campaignId);
      const ended = counts.sent + counts.kept + counts.failed + counts.bounced + counts.cancelled;
      progress(
        ended / Math.max(1, ended + counts.waiting),
        `${ended} of ${ended + counts.waiting} mails settled, ${counts.sent} sent${counts.kept === 0 ? '' : `, ${counts.kept} kept: no mail server`}`,
      );
      signal.throwIfAborted();
      const campaign = await campaigns.find(campaignId);
      if (campaign === null || campaign.finished_at !== null) break;
      const sendingState = evaluateSendingState(
        collectionConditionsOf(campaign, this.clock.now()),
        this.clock.now(),
      );
      if (sendingState.state !== 'open') {
        note = await this.pauseOrCancel(campaignId, sendingState);
        break;
      }
      const step = await this.sendBatch(campaign, claimId, signal);
      if (step.note === null) await campaigns.clearWait(campaignId);
      if (step.isOver) {
        note = step.note;
        break;
      }
    }
    return { ...(await mails.countByState(campaignId)), note };
  }

  /** Cancels the campaign after its owner lost access. */
  async cancel(campaignId: number): Promise<void> {
    await this.store.read.mails.cancelWaiting(campaignId, 'not sent: the sender no longer has access');
  }

  private async pauseOrCancel(
    campaignId: number,
    sendingState: Exclude<SendingState, { state: 'open' }>,
  ): Promise<string> {
    const { mails } = this.store.read;
    if (sendingState.state === 'closed')
      await mails.cancelWaiting(campaignId, `not sent: ${sendingState.reason}`);
    else
      await mails.postpone(campaignId, {
        until: this.secondsFromNow(RECHECK_SECONDS),
        reason: sendingState.reason,
      });
    return sendingState.reason;
  }

  /** Sends the next batch. */
  private async sendBatch(
    campaign: CampaignRow,
    claimId: string,
    signal: AbortSignal,
  ): Promise<{ isOver: boolean; note: string | null }> {
    const { mails } = this.store.read;
    const { campaign_id: campaignId, organization_id: organizationId } = campaign;
    if (this.mail === null) {
      const claimed = await mails.claim(campaignId, claimId, MAX_OUTBOX_BATCH);
      await this.cancelUnwanted(claimed, claimId);
      await mails.storeInOutbox(campaignId, claimId);
      return { isOver: claimed.length === 0, note: null };
    }

    const now = this.clock.now();
    const batchSize = Math.max(1, Math.min(MAX_BATCH, this.limits.perSecond));
    const allowed = await mails.reserveDailyMails({
      organizationId,
      day: now,
      wanted: batchSize,
      cap: this.limits.perDay,
    });
    if (allowed === 0) {
      const reason = `the daily limit of ${this.limits.perDay} emails is reached; the rest will be sent tomorrow (UTC)`;
      const until = new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS);
      await mails.postpone(campaignId, { until, reason });
      return { isOver: true, note: reason };
    }
    const claimed = await mails.claim(campaignId, claimId, allowed);
    const wantedMails = await this.cancelUnwanted(claimed, claimId);
    await mails.releaseDailyMails(organizationId, now, allowed - wantedMails.length);
    if (claimed.length === 0) return { isOver: true, note: null };
    return this.sendAll({ campaign, batch: wantedMails, claimId, signal });
  }

  /** Cancels the emails that are not wanted any more and returns the others. */
  private async cancelUnwanted(claimed: readonly ClaimedMail[], claimId: string): Promise<ClaimedMail[]> {
    const wantedMails: ClaimedMail[] = [];
    for (const mail of claimed) if (!(await this.cancelIfUnwanted(mail, claimId))) wantedMails.push(mail);
    return wantedMails;
  }

  /** Settles an email to a respondent who opted out, was erased or answered since it was queued. */
  private async cancelIfUnwanted(mail: ClaimedMail, claimId: string): Promise<boolean> {
    const { mails } = this.store.read;
    const drop = async (status: 'opted_out' | 'suppressed' | null, note: string) => {
      await mails.settleUnsent({ mailId: mail.mail_id, claimId, state: 'cancelled', status, note });
      return true;
    };
    if (mail.respondent_email === null) return drop('suppressed', 'the respondent was erased');
    if (mail.opted_out) return drop('opted_out', 'opted out before the mail was sent');
    // An email about an anonymous survey takes its turn like any other: see sendOne. Without a mail server the outbox lists it.
    if (mail.answered_on !== null) return false;
    if (mail.has_ended) return drop(null, 'responded before the mail was sent');
    return false;
  }

  private async sendAll({
    campaign,
    batch,
    claimId,
    signal,
  }: {
    campaign: CampaignRow;
    batch: readonly ClaimedMail[];
    claimId: string;
    signal: AbortSignal;
  }): Promise<{ isOver: boolean; note: string | null }> {
    if (batch.length === 0) return { isOver: false, note: null };
    const { perSecond } = this.limits;
    const { waitMs } = await this.store.read.mails.reserveSendTime(batch.length, perSecond);
    const startsAt = performance.now() + waitMs;
    const queue = batch.entries();
    let stopped: string | null = null;
    const lane = async () => {
      for (const [index, mail] of queue) {
        if (stopped !== null) return;
        const pause = startsAt + (index * 1000) / perSecond - performance.now();
        if (pause > 0) await sleep(pause, undefined, { signal });
        signal.throwIfAborted();
        const problem = await this.sendOne(campaign, mail, claimId);
        if (problem !== null) stopped = problem;
      }
    };
    // Wait for all parallel senders first.
    const ended = await Promise.allSettled(
      Array.from({ length: Math.min(this.limits.connections, batch.length) }, lane),
    );
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason as Error;
    return { isOver: stopped !== null, note: stopped };
  }

  /**
   * Sends one email. Returns why no further emails can be sent; null: they can. To a person who answered an anonymous survey it is sent up
   * to its last byte and then withdrawn, so that neither its outcome nor its duration shows who answered.
   */
  private async sendOne(campaign: CampaignRow, mail: ClaimedMail, claimId: string): Promise<string | null> {
    const { mails } = this.store.read;
    const { mail_id: mailId } = mail;
    let isOurs = true;
    let isWithdrawn = false;
    let handOverError: Error | null = null;
    try {
      const to = {
        ...mail,
        respondent_email: requireValue(mail.respondent_email, 'address of a claimed mail'),
      };
      const sender = requireValue(this.mail, 'mail server');
      await sender.send(this.emailRenderer.renderMail(campaign, to, messageId(mail)), async () => {
        if (mail.answered_on !== null) {
          isWithdrawn = true;
          throw new Error('The respondent has answered');
        }
        try {
          isOurs = await mails.markSending(mailId, claimId);
        } catch (error) {
          handOverError = error as Error;
          throw error;
        }
        if (!isOurs) throw new Error('Another process has claimed the mail');
      });
    } catch (error) {
      // The server has not accepted the email.
      if (handOverError !== null) throw handOverError as Error;
      if (isWithdrawn) {
        await mails.recordWithheld(mailId, claimId);
        return null;
      }
      if (!isOurs) return CLAIMED_ELSEWHERE;
      if (!(error instanceof MailNotSent)) throw error;
      return this.recordFailure({ campaign, mail, claimId, error });
    }
    await mails.recordSent(mailId, claimId);
    return null;
  }

  private async recordFailure({
    campaign,
    mail,
    claimId,
    error,
  }: {
    campaign: CampaignRow;
    mail: ClaimedMail;
    claimId: string;
    error: MailNotSent;
  }): Promise<string | null> {
    const { mails } = this.store.read;
    const { mail_id: mailId, attempts } = mail;
    const note = error.message.slice(0, 1_000);
    if (error.refusal === 'address') {
      await mails.settleUnsent({ mailId, claimId, state: 'bounced', status: 'bounced', note });
      return null;
    }
    // Without a definite reply, an email that was handed over may have been delivered: it counts as sent and is not
    // repeated.
    if (!error.isCertain && (await mails.isSending(mailId, claimId))) {
      await mails.recordSent(mailId, claimId);
    } else {
      const wait = error.refusal === 'mail' ? null : retryAfterSeconds(attempts);
      if (wait === null)
        await mails.settleUnsent({ mailId, claimId, state: 'failed', status: 'failed', note });
      else await mails.retry({ mailId, claimId, afterSeconds: wait, note });
    }
    if (error.refusal !== 'server') return null;
    const wait = retryAfterSeconds(attempts) ?? RECHECK_SECONDS;
    await mails.postpone(campaign.campaign_id, { until: this.secondsFromNow(wait), reason: note });
    return note;
  }

  private secondsFromNow(seconds: number): Date {
    return new Date(this.clock.now().getTime() + seconds * 1000);
  }
}

/**
 * Equal for every attempt to send an email, and different from other installations. Mail servers log it, so it
 * contains a digest instead of the token that opens the survey.
 */
function messageId({ mail_id: mailId, link_token: token }: ClaimedMail): string {
  return `invitation.${mailId}.${createHash('sha256').update(token).digest('hex').slice(0, 20)}`;
}

export const CAMPAIGN_JOB = 'campaign';

/** Delay before a job that failed with an internal error is started again. */
const RETRY_DELAY_MS = 5 * 60 * 1000;

/** Continues campaigns when they are due: sends reminders, retries emails and handles cancelled jobs. */
export class ScheduledCampaigns {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    for (const { campaign_id: campaignId } of await this.store.read.campaigns.listUnfinished())
      await this.store.transaction((repositories) => this.advance(repositories, campaignId));
  }

  private async advance(repositories: Repositories, campaignId: number): Promise<void> {
    const { campaigns, mails } = repositories;
    const locked = await campaigns.lockUnfinished(campaignId);
    const campaign = locked === null ? null : await campaigns.find(campaignId);
    if (locked === null || campaign === null) return;
    if (locked.job_status === 'queued' || locked.job_status === 'running') return;
    // Whether the survey is open is decided at the time of sending.
    if (campaign.send_at !== null && campaign.send_at > this.clock.now()) return;
    if (locked.job_status === 'cancelled')
      await mails.cancelWaiting(campaignId, 'not sent: sending was cancelled');

    const isReminder = campaign.campaign_kind === 'reminder';
    const sendingState = evaluateSendingState(
      collectionConditionsOf(campaign, this.clock.now()),
      this.clock.now(),
    );
    const mayGoOn = locked.job_status !== 'cancelled' && sendingState.state !== 'closed';
    if (!mayGoOn)
      await mails.cancelWaiting(
        campaignId,
        sendingState.state === 'closed' ? `not sent: ${sendingState.reason}` : 'cancelled',
      );
    else if (isReminder && sendingState.state === 'open') await campaigns.addDueReminders(campaignId);

    const { due, any } = await mails.findOutstanding(campaignId);
    if (due) {
      const failedAt = locked.job_status === 'failed' ? locked.job_finished_at : null;
      const isSoon = failedAt !== null && this.clock.now().getTime() - failedAt.getTime() < RETRY_DELAY_MS;
      if (!isSoon) await enqueueCampaign(repositories, { ...campaign, campaignId });
    }
    if (!any && (!mayGoOn || !isReminder || !(await campaigns.canStillRemind(campaignId))))
      await campaigns.finish(campaignId);
  }
}

/** Enqueues the job of a campaign, in the transaction that creates its emails. Returns the job's id. */
export async function enqueueCampaign(
  { jobs, campaigns }: Repositories,
  campaign: Pick<CampaignRow, 'organization_id' | 'created_by' | 'survey_id' | 'request_id'> & {
    campaignId: number;
  },
): Promise<number> {
  const jobId = await jobs.enqueue({
    organizationId: campaign.organization_id,
    userId: campaign.created_by,
    surveyId: campaign.survey_id,
    kind: CAMPAIGN_JOB,
    payload: { campaign_id: campaign.campaignId },
    requestId: campaign.request_id,
  });
  await campaigns.setJob(campaign.campaignId, jobId);
  return jobId;
}
