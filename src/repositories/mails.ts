import type { Database } from '../db/connect.ts';
import { queryCount, queryRow, queryRows } from '../db/rows.ts';
import { statusesBefore } from '../domain/invitations/invitation-status.ts';
import { requireRow, requireValue } from '../lib/require-value.ts';
import { countRows, type IdPage, selectIdPage } from './list-queries.ts';
import { SHOWN_SETTINGS } from './surveys.ts';
import { qualifyColumns } from './tables/table.ts';
import type { InvitationTable, CampaignTable, MailTable, RespondentTable } from './tables/field.ts';
import type { SurveyTable } from './tables/surveys.ts';
import type { OrganizationTable } from './tables/users.ts';

/** A mail to send, with the current data of its recipient. */
export type ClaimedMail = Pick<MailTable, 'mail_id' | 'attempts'> &
  Pick<
    InvitationTable,
    'invitation_id' | 'link_token' | 'opt_out_token' | 'invitation_status' | 'has_ended' | 'answered_on'
  > &
  Pick<RespondentTable, 'respondent_email' | 'respondent_name' | 'language' | 'attributes'> & {
    opted_out: boolean;
  };

/** Mails of a campaign by outcome. */
export interface MailCounts {
  waiting: number;
  sent: number;
  /** In the outbox, because there is no mail server. */
  kept: number;
  failed: number;
  bounced: number;
  cancelled: number;
}

const UNSETTLED_STATES = ['waiting', 'sending'] as const satisfies readonly MailTable['mail_state'][];
const SETTLED = 'settled_at = now(), claim_id = NULL';

const UTC_DATE = `(?::timestamptz AT TIME ZONE 'UTC')::date`;

const CAMPAIGN_COLUMNS = ['campaign_id', 'link_id', 'subject', 'message'] as const;

const INVITATION_COLUMNS = ['invitation_id', 'link_token', 'opt_out_token'] as const;

const RESPONDENT_COLUMNS = [
  'respondent_id',
  'respondent_email',
  'respondent_name',
  'language',
  'attributes',
] as const;

/** A stored mail, with the current data of its recipient. */
export type OutboxMailRow = Pick<MailTable, 'mail_id'> &
  Pick<CampaignTable, (typeof CAMPAIGN_COLUMNS)[number]> &
  Pick<SurveyTable, 'survey_id' | 'survey_name'> &
  Pick<OrganizationTable, 'organization_name'> &
  Pick<InvitationTable, (typeof INVITATION_COLUMNS)[number]> &
  Pick<RespondentTable, (typeof RESPONDENT_COLUMNS)[number]> & {
    settled_at: Date;
    survey_settings: Record<string, unknown>;
    respondent_email: string;
  };

/**
 * The emails of campaigns, the limits of sending that all processes share, and the outbox of an installation without a mail server. A
 * worker claims a mail before it sends it; a worker whose claim was taken over changes nothing.
 */
export class MailRepository {
  constructor(private readonly db: Database) {}

  /** `dueAt`: null: at once. */
  async createMany(campaignId: number, invitationIds: readonly number[], dueAt: Date | null): Promise<void> {
    // Raw SQL: inserts any number of rows with two bindings.
    await queryCount(
      this.db,
      `INSERT INTO mails (campaign_id, invitation_id, due_at)
       SELECT ?::bigint, invitation_id, coalesce(?::timestamptz, now()) FROM unnest(?::bigint[]) WITH ORDINALITY AS given (invitation_id, index) ORDER BY index`,
      [campaignId, dueAt, invitationIds],
    );
  }

  /** Claims the next mails that are due, also those that another worker had claimed. */
  claim(campaignId: number, claimId: string, limit: number): Promise<ClaimedMail[]> {
    // Raw SQL: claims and reads the rows in one statement.
    return queryRows(
      this.db,
      `WITH next AS (
         SELECT mail_id FROM mails WHERE campaign_id = ? AND mail_state = 'waiting' AND due_at <= now()
         ORDER BY due_at, mail_id LIMIT ? FOR UPDATE SKIP LOCKED),
       claimed AS (UPDATE mails m SET claim_id = ? FROM next WHERE m.mail_id = next.mail_id RETURNING m.*)
       SELECT m.mail_id, m.attempts, i.invitation_id, i.link_token, i.opt_out_token, i.invitation_status, i.has_ended, i.answered_on, r.respondent_email,
              r.respondent_name, r.language, r.attributes, r.opted_out_at IS NOT NULL OR EXISTS (
                SELECT FROM opted_out_addresses a WHERE a.organization_id = i.organization_id
                  AND a.address_digest = address_digest(i.organization_id, r.respondent_email)) AS opted_out
       FROM claimed m JOIN invitations i USING (invitation_id) JOIN respondents r USING (respondent_id) ORDER BY m.mail_id`,
      [campaignId, limit, claimId],
    );
  }

  /** Called before the mail server gets the end of the mail. Returns false if another worker claimed it: then it must not be sent. */
  async markSending(mailId: number, claimId: string): Promise<boolean> {
    const updated = await this.db('mails')
      .where({ mail_id: mailId, claim_id: claimId, mail_state: 'waiting' })
      .update({ mail_state: 'sending' });
    return updated > 0;
  }

  async isSending(mailId: number, claimId: string): Promise<boolean> {
    const row = await this.db('mails')
      .where({ mail_id: mailId, claim_id: claimId, mail_state: 'sending' })
      .first('mail_id');
    return row !== undefined;
  }

  /** Records that the mail server accepted the mail. */
  async recordSent(mailId: number, claimId: string): Promise<void> {
    await this.settleSent({
      subject: `mail_id = ? AND claim_id = ? AND mail_state = 'sending'`,
      bindings: [mailId, claimId],
    });
  }

  /** Records a mail to a person who answered an anonymous survey as sent, though it is not, so that no count reveals who answered. */
  async recordWithheld(mailId: number, claimId: string): Promise<void> {
    await this.settleSent({
      subject: `mail_id = ? AND claim_id = ? AND mail_state = 'waiting'`,
      bindings: [mailId, claimId],
    });
  }

  /** Records mails of stopped workers as sent: the mail server may have accepted them, so they are not sent again. */
  async settleInterrupted(campaignId: number, claimId: string): Promise<void> {
    await this.settleSent({
      subject: `campaign_id = ? AND mail_state = 'sending' AND claim_id IS DISTINCT FROM ?`,
      bindings: [campaignId, claimId],
      note: `'the mail server had it; its answer was lost'`,
    });
  }

  /** Stores the mails of a claim in the outbox, if there is no mail server. */
  async storeInOutbox(campaignId: number, claimId: string): Promise<void> {
    await this.settleSent({
      subject: `campaign_id = ? AND claim_id = ? AND mail_state = 'waiting'`,
      bindings: [campaignId, claimId],
      note: 'NULL',
      state: 'stored',
    });
  }

  /** Schedules another attempt. */
  async retry({
    mailId,
    claimId,
    afterSeconds,
    note,
  }: {
    mailId: number;
    claimId: string;
    afterSeconds: number;
    note: string;
  }): Promise<void> {
    await this.db('mails')
      .where({ mail_id: mailId, claim_id: claimId })
      .whereIn('mail_state', UNSETTLED_STATES)
      .update({
        mail_state: 'waiting',
        claim_id: null,
        attempts: this.db.raw('attempts + 1'),
        mail_note: note,
        due_at: this.db.raw(`now() + ? * interval '1 second'`, [afterSeconds]),
      });
  }

  /** Delays all waiting mails of a campaign, without counting an attempt. `reason` is shown to its survey's members. */
  async postpone(campaignId: number, { until, reason }: { until: Date; reason: string }): Promise<void> {
    await this.db('campaigns')
      .where({ campaign_id: campaignId })
      .update({ wait_reason: reason, wait_until: until });
    await this.db('mails')
      .where({ campaign_id: campaignId, mail_state: 'waiting' })
      .where('due_at', '<', until)
      .update({ due_at: until, claim_id: null });
  }

  /** Records that the mail is never sent, and sets the status of its invitation if it may change to it. */
  async settleUnsent({
    mailId,
    claimId,
    state,
    status,
    note,
  }: {
    mailId: number;
    claimId: string;
    state: 'failed' | 'bounced' | 'cancelled';
    status: 'failed' | 'bounced' | 'opted_out' | 'suppressed' | null;
    note: string | null;
  }): Promise<void> {
    // Raw SQL: changes two tables in one statement.
    await queryCount(
      this.db,
      `WITH given_up AS (
         UPDATE mails SET mail_state = ?, mail_note = ?, ${SETTLED} WHERE mail_id = ? AND claim_id = ? AND mail_state = ANY(?)
         RETURNING invitation_id)
       UPDATE invitations i SET invitation_status = ?, status_note = ? FROM given_up g
       WHERE i.invitation_id = g.invitation_id AND i.invitation_status = ANY(?)`,
      [
        state,
        note,
        mailId,
        claimId,
        UNSETTLED_STATES,
        status,
        note,
        status === null ? [] : statusesBefore(status),
      ],
    );
  }

  /** Cancels the mails of a campaign that are not sent yet. Returns how many. */
  async cancelWaiting(campaignId: number, note: string): Promise<number> {
    // Raw SQL: changes two tables in one statement.
    const rows = await queryRows(
      this.db,
      `WITH cancelled AS (
         UPDATE mails SET mail_state = 'cancelled', mail_note = ?, ${SETTLED} WHERE campaign_id = ? AND mail_state = 'waiting'
         RETURNING invitation_id),
       failed AS (
         UPDATE invitations i SET invitation_status = 'failed', status_note = ? FROM cancelled
         WHERE i.invitation_id = cancelled.invitation_id AND i.invitation_status = ANY(?))
       SELECT 1 FROM cancelled`,
      [note, campaignId, note, statusesBefore('failed')],
    );
    return rows.length;
  }

  async countByState(campaignId: number): Promise<MailCounts> {
    const count = (name: keyof MailCounts, states: readonly MailTable['mail_state'][]) =>
      this.db.raw('count(*) FILTER (WHERE mail_state = ANY(?)) AS ??', [[...states], name]);
    const rows = await this.db('mails')
      .where({ campaign_id: campaignId })
      .select<MailCounts[]>([
        count('waiting', UNSETTLED_STATES),
        count('sent', ['sent']),
        count('kept', ['stored']),
        count('failed', ['failed']),
        count('bounced', ['bounced']),
        count('cancelled', ['cancelled']),
      ]);
    return requireRow(rows, 'mails');
  }

  /** Whether mails of a campaign are due now, and whether any will be. */
  async findOutstanding(campaignId: number): Promise<{ due: boolean; any: boolean }> {
    const row = requireRow(
      await this.db('mails')
        .where({ campaign_id: campaignId })
        .whereIn('mail_state', UNSETTLED_STATES)
        .select<{ due: boolean | null; any: boolean }[]>(
          this.db.raw('bool_or(due_at <= now()) AS due, count(*) > 0 AS "any"'),
        ),
      'mails',
    );
    return { due: row.due ?? false, any: row.any };
  }

  /** `stored`: in the outbox. */
  private async settleSent({
    subject,
    bindings,
    note = 'NULL',
    state = 'sent',
  }: {
    subject: string;
    bindings: readonly (string | number)[];
    note?: string | undefined;
    state?: 'sent' | 'stored' | undefined;
  }): Promise<void> {
    const status = state === 'sent' ? 'sent' : 'kept';
    // Raw SQL: changes three tables in one statement.
    await queryRows(
      this.db,
      `WITH settled AS (
         UPDATE mails SET mail_state = '${state}', mail_note = ${note}, ${SETTLED} WHERE ${subject} RETURNING invitation_id),
       sent AS (
         UPDATE invitations i SET invitation_status = CASE WHEN invitation_status = ANY(?) THEN '${status}' ELSE invitation_status END,
           sent_at = ${state === 'sent' ? 'coalesce(sent_at, now())' : 'sent_at'} FROM settled WHERE i.invitation_id = settled.invitation_id RETURNING respondent_id),
       invited AS (
         UPDATE respondents r SET last_invited_at = now() FROM sent WHERE r.respondent_id = sent.respondent_id)
       SELECT 1 FROM settled`,
      [...bindings, statusesBefore(status)],
    );
  }

  /** Reserves up to `wanted` mails of what the organization may still send today (UTC), and returns how many it reserved. */
  async reserveDailyMails({
    organizationId,
    day,
    wanted,
    cap,
  }: {
    organizationId: number;
    day: Date;
    wanted: number;
    cap: number;
  }): Promise<number> {
    await this.db('daily_mail_counts')
      .insert({ organization_id: organizationId, mail_day: this.db.raw(UTC_DATE, [day]), mail_count: 0 })
      .onConflict(['organization_id', 'mail_day'])
      .ignore();
    const key = [organizationId, day];
    // Raw SQL: locks the row, computes the number from it and updates it in one statement.
    const row = requireValue(
      await queryRow<{ reserved: number }>(
        this.db,
        `WITH remaining AS (
         SELECT greatest(0, least(?::integer, ?::integer - mail_count)) AS reserved FROM daily_mail_counts
         WHERE organization_id = ? AND mail_day = ${UTC_DATE} FOR UPDATE)
       UPDATE daily_mail_counts SET mail_count = mail_count + remaining.reserved FROM remaining
       WHERE organization_id = ? AND mail_day = ${UTC_DATE} RETURNING remaining.reserved`,
        [wanted, cap, ...key, ...key],
      ),
      'row of mail_days',
    );
    return row.reserved;
  }

  async releaseDailyMails(organizationId: number, day: Date, count: number): Promise<void> {
    if (count === 0) return;
    await this.db('daily_mail_counts')
      .where({ organization_id: organizationId })
      .whereRaw(`mail_day = ${UTC_DATE}`, [day])
      .decrement('mail_count', count);
  }

  /** Reserves the time for the next `count` mails, and returns how long to wait until the first of them. */
  async reserveSendTime(count: number, perSecond: number): Promise<{ waitMs: number }> {
    const seconds = count / perSecond;
    const row = requireRow(
      await this.db('mail_throttle')
        .insert({ next_at: this.db.raw(`clock_timestamp() + ? * interval '1 second'`, [seconds]) })
        .onConflict('singleton')
        .merge({
          next_at: this.db.raw(
            `greatest(mail_throttle.next_at, clock_timestamp()) + ? * interval '1 second'`,
            [seconds],
          ),
        })
        .returning<{ wait_ms: number }[]>(
          this.db.raw(
            `extract(epoch FROM next_at - ? * interval '1 second' - clock_timestamp())::double precision * 1000 AS wait_ms`,
            [seconds],
          ),
        ),
      'mail_pace',
    );
    return { waitMs: Math.max(0, row.wait_ms) };
  }

  /** Newest first. Returns one row more than `limit` if there are more. */
  async listOutbox(
    workspace: { organizationId: number; workspaceId: number },
    search: { surveyId: number | null; email: string | null },
    page: IdPage,
  ): Promise<{ found: OutboxMailRow[]; total: number }> {
    const rows = this.queryMatching(workspace, search)
      .join('organizations', 'organizations.organization_id', 'surveys.organization_id')
      .join('workspaces', 'workspaces.workspace_id', 'surveys.workspace_id')
      .select<OutboxMailRow[]>(
        ...qualifyColumns('mails', ['mail_id', 'settled_at']),
        ...qualifyColumns('campaigns', CAMPAIGN_COLUMNS),
        ...qualifyColumns('surveys', ['survey_id', 'survey_name']),
        this.db.raw(SHOWN_SETTINGS),
        ...qualifyColumns('organizations', ['organization_name']),
        ...qualifyColumns('invitations', INVITATION_COLUMNS),
        ...qualifyColumns('respondents', RESPONDENT_COLUMNS),
      );
    const found = await selectIdPage(rows, { idColumn: 'mails.mail_id', order: 'newest_first' }, page);
    return { found, total: await countRows(this.queryMatching(workspace, search)) };
  }

  private queryMatching(
    { organizationId, workspaceId }: { organizationId: number; workspaceId: number },
    { surveyId, email }: { surveyId: number | null; email: string | null },
  ) {
    const query = this.db('mails')
      .join('campaigns', 'campaigns.campaign_id', 'mails.campaign_id')
      .join('surveys', 'surveys.survey_id', 'campaigns.survey_id')
      .join('invitations', 'invitations.invitation_id', 'mails.invitation_id')
      .join('respondents', 'respondents.respondent_id', 'invitations.respondent_id')
      .where('mails.mail_state', 'stored')
      .where('surveys.organization_id', organizationId)
      .where('surveys.workspace_id', workspaceId)
      .whereNot('surveys.survey_status', 0)
      .whereNotNull('respondents.respondent_email');
    if (surveyId !== null) void query.where('surveys.survey_id', surveyId);
    if (email !== null) void query.whereRaw('lower(respondents.respondent_email) = lower(?)', [email]);
    return query;
  }
}
