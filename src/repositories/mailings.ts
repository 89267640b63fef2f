import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import { REMINDED_STATUSES } from '../domain/invitations/invitation-status.ts';
import type { SurveyStatus } from '../domain/survey/publishing/lifecycle.ts';
import type { LinkState } from './links.ts';

export interface NewMailing {
  organizationId: number;
  surveyId: number;
  linkId: number;
  kind: 'invitation' | 'reminder' | 'resend';
  /** Of a reminder: whose people, and how long after their mail. */
  reminds: { mailingId: number; afterDays: number } | null;
  /** Empty, as the message: the default in the recipient's language. */
  subject: string;
  message: string;
  createdBy: number;
  requestId: string;
}

/** A mailing, with what decides whether it may go out now. */
export interface MailingRow {
  mailing_id: number;
  organization_id: number;
  organization_name: string;
  survey_id: number;
  survey_name: string;
  survey_status: SurveyStatus;
  survey_settings: Record<string, unknown>;
  link_id: number;
  mailing_kind: NewMailing['kind'];
  reminds: number | null;
  after_days: number | null;
  subject: string;
  message: string;
  created_by: number;
  request_id: string;
  finished_at: Date | null;
  link_state: LinkState;
  link_deleted: boolean;
  expires_at: Date | null;
  wave_start_date: Date | null;
  wave_end_date: Date | null;
  workspace_deleted: boolean;
}

const MAILING = `m.mailing_id, m.organization_id, o.organization_name, m.survey_id, s.survey_name, s.survey_status,
  s.survey_settings, m.link_id, m.mailing_kind, m.reminds, m.after_days, m.subject, m.message, m.created_by, m.request_id,
  m.finished_at, l.link_state, l.deleted_at IS NOT NULL AS link_deleted, l.expires_at, v.wave_start_date, v.wave_end_date,
  w.deleted_at IS NOT NULL AS workspace_deleted`;
const AROUND = `mailings m JOIN organizations o USING (organization_id) JOIN surveys s USING (survey_id)
  JOIN workspaces w ON w.workspace_id = s.workspace_id JOIN links l USING (link_id)
  LEFT JOIN waves v ON v.survey_id = l.survey_id AND v.wave_id = l.wave_id AND v.deleted_at IS NULL`;

/** Messages to many people at once. */
export class MailingRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async create(mailing: NewMailing): Promise<number> {
    const row = await rowOf<{ mailing_id: number }>(
      this.db,
      `INSERT INTO mailings (organization_id, survey_id, link_id, mailing_kind, reminds, after_days, subject, message, created_by, request_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING mailing_id`,
      [
        ...[mailing.organizationId, mailing.surveyId, mailing.linkId, mailing.kind],
        ...[mailing.reminds?.mailingId ?? null, mailing.reminds?.afterDays ?? null],
        ...[mailing.subject, mailing.message, mailing.createdBy, mailing.requestId],
      ],
    );
    return row!.mailing_id;
  }

  find(mailingId: number): Promise<MailingRow | null> {
    return rowOf(this.db, `SELECT ${MAILING} FROM ${AROUND} WHERE m.mailing_id = ?`, [mailingId]);
  }

  /** What was last said to the people invited through a link. */
  latestOf(surveyId: number, linkId: number): Promise<{ subject: string; message: string } | null> {
    return rowOf(
      this.db,
      `SELECT subject, message FROM mailings WHERE survey_id = ? AND link_id = ? AND mailing_kind = 'invitation'
       ORDER BY mailing_id DESC LIMIT 1`,
      [surveyId, linkId],
    );
  }

  async setJob(mailingId: number, jobId: number): Promise<void> {
    await countOf(this.db, `UPDATE mailings SET job_id = ? WHERE mailing_id = ?`, [jobId, mailingId]);
  }

  async finish(mailingId: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE mailings SET finished_at = now() WHERE mailing_id = ? AND finished_at IS NULL`,
      [mailingId],
    );
  }

  /** Of which something may still be sent. */
  unfinished(): Promise<{ mailing_id: number }[]> {
    return rowsOf(this.db, `SELECT mailing_id FROM mailings WHERE finished_at IS NULL ORDER BY mailing_id`);
  }

  /** Until the transaction ends nobody else looks after it; null: somebody does, or it is finished. */
  lockUnfinished(
    mailingId: number,
  ): Promise<{ job_status: string | null; job_finished_at: Date | null } | null> {
    return rowOf(
      this.db,
      `SELECT j.status AS job_status, j.finished_at AS job_finished_at FROM mailings m LEFT JOIN jobs j USING (job_id)
       WHERE m.mailing_id = ? AND m.finished_at IS NULL FOR NO KEY UPDATE OF m SKIP LOCKED`,
      [mailingId],
    );
  }

  /**
   * Mails for those whose mail of the mailing that is reminded of went out so long ago, who have neither finished nor asked for peace.
   * Says how many.
   */
  async addDueReminders(mailingId: number): Promise<number> {
    return countOf(
      this.db,
      `INSERT INTO mails (mailing_id, invitation_id)
       SELECT r.mailing_id, i.invitation_id
       FROM mailings r JOIN mails first ON first.mailing_id = r.reminds JOIN invitations i USING (invitation_id)
       WHERE r.mailing_id = ? AND first.mail_state IN ('sent', 'kept')
         AND first.settled_at + r.after_days * interval '1 day' <= now()
         AND i.invitation_status = ANY(?) AND NOT i.has_ended
       ON CONFLICT (mailing_id, invitation_id) DO NOTHING`,
      [mailingId, REMINDED_STATUSES],
    );
  }

  /** Whether a reminder may still become due for somebody. */
  async mayRemind(mailingId: number): Promise<boolean> {
    const row = await rowOf<{ may: boolean }>(
      this.db,
      `SELECT EXISTS (
         SELECT FROM mailings r JOIN mails first ON first.mailing_id = r.reminds JOIN invitations i USING (invitation_id)
         WHERE r.mailing_id = ? AND NOT i.has_ended AND i.invitation_status = ANY(?)
           AND first.mail_state IN ('waiting', 'handed_over', 'sent', 'kept')
           AND NOT EXISTS (SELECT FROM mails n WHERE n.mailing_id = r.mailing_id AND n.invitation_id = i.invitation_id)) AS may`,
      [mailingId, ['queued', ...REMINDED_STATUSES]],
    );
    return row!.may;
  }
}
