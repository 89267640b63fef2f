import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import { type InvitationStatus, statusesBefore } from '../domain/invitations/invitation-status.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';

/** A mail that is about to be sent, with whom it is for as they are now. */
export interface ClaimedMail {
  mail_id: number;
  attempts: number;
  invitation_id: number;
  link_token: string;
  opt_out_token: string;
  invitation_status: InvitationStatus;
  has_ended: boolean;
  respondent_email: string | null;
  respondent_name: string | null;
  language: string | null;
  attributes: Attributes;
  opted_out: boolean;
}

/** Mails of a mailing by what became of them. */
export interface MailCounts {
  waiting: number;
  sent: number;
  failed: number;
  bounced: number;
  cancelled: number;
}

const UNSETTLED = `mail_state IN ('waiting', 'handed_over')`;
const NOTED = 'settled_at = now(), claim_id = NULL';

/** Mails, one by one, in the hands of whoever sends them. A claim that another has taken over writes nothing. */
export class MailRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async createMany(mailingId: number, invitationIds: readonly number[]): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO mails (mailing_id, invitation_id)
       SELECT ?::bigint, invitation_id FROM unnest(?::bigint[]) WITH ORDINALITY AS given (invitation_id, place) ORDER BY place`,
      [mailingId, invitationIds],
    );
  }

  /** The next that are due, taken from whoever had them before. */
  claim(mailingId: number, claimId: string, limit: number): Promise<ClaimedMail[]> {
    return rowsOf(
      this.db,
      `WITH next AS (
         SELECT mail_id FROM mails WHERE mailing_id = ? AND mail_state = 'waiting' AND due_at <= now()
         ORDER BY due_at, mail_id LIMIT ? FOR UPDATE SKIP LOCKED),
       mine AS (UPDATE mails m SET claim_id = ? FROM next WHERE m.mail_id = next.mail_id RETURNING m.*)
       SELECT m.mail_id, m.attempts, i.invitation_id, i.link_token, i.opt_out_token, i.invitation_status, i.has_ended, r.respondent_email,
              r.respondent_name, r.language, r.attributes, r.opted_out_at IS NOT NULL OR EXISTS (
                SELECT FROM opted_out_addresses a WHERE a.organization_id = i.organization_id
                  AND a.address_digest = address_digest(i.organization_id, r.respondent_email)) AS opted_out
       FROM mine m JOIN invitations i USING (invitation_id) JOIN respondents r USING (respondent_id) ORDER BY m.mail_id`,
      [mailingId, limit, claimId],
    );
  }

  /** Before the mail server is told that the mail is whole. False: it is another's by now, and must not go out from here. */
  async handOver(mailId: number, claimId: string): Promise<boolean> {
    const mine = await countOf(
      this.db,
      `UPDATE mails SET mail_state = 'handed_over' WHERE mail_id = ? AND claim_id = ? AND mail_state = 'waiting'`,
      [mailId, claimId],
    );
    return mine > 0;
  }

  async isHandedOver(mailId: number, claimId: string): Promise<boolean> {
    const row = await rowOf(
      this.db,
      `SELECT 1 FROM mails WHERE mail_id = ? AND claim_id = ? AND mail_state = 'handed_over'`,
      [mailId, claimId],
    );
    return row !== null;
  }

  /** The server has it. */
  async noteSent(mailId: number, claimId: string): Promise<void> {
    await this.settleSent(`mail_id = ? AND claim_id = ? AND mail_state = 'handed_over'`, [mailId, claimId]);
  }

  /** What was in somebody's hands who is gone: whether the server has it nobody knows, and nobody tries again. */
  async noteHandedOver(mailingId: number, claimId: string): Promise<void> {
    await this.settleSent(
      `mailing_id = ? AND mail_state = 'handed_over' AND claim_id IS DISTINCT FROM ?`,
      [mailingId, claimId],
      `'the mail server had it; its answer was lost'`,
    );
  }

  /** There is no mail server: what is due can be read in the outbox. Says how many there were. */
  async keep(mailingId: number, limit: number): Promise<number> {
    return this.settleSent(
      `mail_id IN (SELECT mail_id FROM mails WHERE mailing_id = ? AND mail_state = 'waiting' AND due_at <= now() ORDER BY mail_id LIMIT ?)`,
      [mailingId, limit],
      'NULL',
      'kept',
    );
  }

  /** To be tried again. */
  async retry(mailId: number, claimId: string, afterSeconds: number, note: string): Promise<void> {
    await countOf(
      this.db,
      `UPDATE mails SET mail_state = 'waiting', claim_id = NULL, attempts = attempts + 1, mail_note = ?,
         due_at = now() + ? * interval '1 second'
       WHERE mail_id = ? AND claim_id = ? AND ${UNSETTLED}`,
      [note, afterSeconds, mailId, claimId],
    );
  }

  /** None of a mailing before then, without blame. */
  async postpone(mailingId: number, until: Date): Promise<void> {
    await countOf(
      this.db,
      `UPDATE mails SET due_at = ?, claim_id = NULL WHERE mailing_id = ? AND mail_state = 'waiting' AND due_at < ?`,
      [until, mailingId, until],
    );
  }

  /** It does not go out, for good; its invitation gets this status if it may. */
  async giveUp(
    mailId: number,
    claimId: string,
    state: 'failed' | 'bounced' | 'cancelled',
    status: 'failed' | 'bounced' | 'opted_out' | 'suppressed' | null,
    note: string | null,
  ): Promise<void> {
    await countOf(
      this.db,
      `WITH given_up AS (
         UPDATE mails SET mail_state = ?, mail_note = ?, ${NOTED} WHERE mail_id = ? AND claim_id = ? AND ${UNSETTLED}
         RETURNING invitation_id)
       UPDATE invitations i SET invitation_status = ?, status_note = ? FROM given_up g
       WHERE i.invitation_id = g.invitation_id AND i.invitation_status = ANY(?)`,
      [state, note, mailId, claimId, status, note, status === null ? [] : statusesBefore(status)],
    );
  }

  /** Whatever of a mailing has not gone out does not. */
  async cancelWaiting(mailingId: number, note: string): Promise<number> {
    const rows = await rowsOf(
      this.db,
      `WITH gone AS (
         UPDATE mails SET mail_state = 'cancelled', mail_note = ?, ${NOTED} WHERE mailing_id = ? AND mail_state = 'waiting'
         RETURNING invitation_id),
       told AS (
         UPDATE invitations i SET invitation_status = 'failed', status_note = ? FROM gone
         WHERE i.invitation_id = gone.invitation_id AND i.invitation_status = ANY(?))
       SELECT 1 FROM gone`,
      [note, mailingId, note, statusesBefore('failed')],
    );
    return rows.length;
  }

  async counts(mailingId: number): Promise<MailCounts> {
    const row = await rowOf<MailCounts>(
      this.db,
      `SELECT count(*) FILTER (WHERE ${UNSETTLED}) AS waiting, count(*) FILTER (WHERE mail_state IN ('sent', 'kept')) AS sent,
              count(*) FILTER (WHERE mail_state = 'failed') AS failed, count(*) FILTER (WHERE mail_state = 'bounced') AS bounced,
              count(*) FILTER (WHERE mail_state = 'cancelled') AS cancelled
       FROM mails WHERE mailing_id = ?`,
      [mailingId],
    );
    return row!;
  }

  /** Whether anything of a mailing is due, and whether anything will be. */
  async outstanding(mailingId: number): Promise<{ due: boolean; any: boolean }> {
    const row = await rowOf<{ due: boolean | null; any: boolean | null }>(
      this.db,
      `SELECT bool_or(due_at <= now()) AS due, count(*) > 0 AS any FROM mails WHERE mailing_id = ? AND ${UNSETTLED}`,
      [mailingId],
    );
    return { due: row?.due ?? false, any: row?.any ?? false };
  }

  private async settleSent(
    which: string,
    bindings: readonly (string | number)[],
    note = 'NULL',
    state: 'sent' | 'kept' = 'sent',
  ): Promise<number> {
    const rows = await rowsOf(
      this.db,
      `WITH gone AS (
         UPDATE mails SET mail_state = '${state}', mail_note = ${note}, ${NOTED} WHERE ${which} RETURNING invitation_id),
       told AS (
         UPDATE invitations i SET invitation_status = CASE WHEN invitation_status = ANY(?) THEN 'sent' ELSE invitation_status END,
           sent_at = coalesce(sent_at, now()) FROM gone WHERE i.invitation_id = gone.invitation_id RETURNING respondent_id),
       written_to AS (
         UPDATE respondents r SET last_invited_at = now() FROM told WHERE r.respondent_id = told.respondent_id)
       SELECT 1 FROM gone`,
      [...bindings, statusesBefore('sent')],
    );
    return rows.length;
  }
}
