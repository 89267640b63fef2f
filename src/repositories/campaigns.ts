import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import { REMINDABLE_STATUSES } from '../domain/invitations/invitation-status.ts';
import { requireRow } from '../lib/require-value.ts';
import { qualifyColumns } from './tables/table.ts';
import type { LinkTable, MailingTable, WaveTable } from './tables/field.ts';
import type { JobTable } from './tables/system.ts';
import type { SurveyTable } from './tables/surveys.ts';
import type { OrganizationTable } from './tables/users.ts';

export interface NewCampaign {
  organizationId: number;
  surveyId: number;
  linkId: number;
  kind: MailingTable['mailing_kind'];
  /** Set for a reminder: which mailing it reminds of, and how long after that mail. */
  reminds: { mailingId: number; afterDays: number } | null;
  /** Empty subject or message: the default in the recipient's language. */
  subject: string;
  message: string;
  createdBy: number;
  requestId: string;
}

const MAILING_COLUMNS = [
  'mailing_id',
  'organization_id',
  'survey_id',
  'link_id',
  'mailing_kind',
  'reminds',
  'after_days',
  'subject',
  'message',
  'created_by',
  'request_id',
  'finished_at',
] as const satisfies readonly (keyof MailingTable)[];

/** A mailing, with the state of its survey and link. The wave is null for a link without wave and for a deleted wave. */
export type CampaignRow = Pick<MailingTable, (typeof MAILING_COLUMNS)[number]> &
  Pick<OrganizationTable, 'organization_name'> &
  Pick<SurveyTable, 'survey_name' | 'survey_status'> &
  Pick<LinkTable, 'link_state' | 'expires_at'> &
  Pick<WaveTable, 'wave_start_date' | 'wave_end_date'> & {
    survey_settings: Record<string, unknown>;
    link_deleted: boolean;
    workspace_deleted: boolean;
  };

/** Messages to many people at once. */
export class CampaignRepository {
  constructor(private readonly db: Database) {}

  async create(mailing: NewCampaign): Promise<number> {
    const rows = await this.db('mailings')
      .insert({
        organization_id: mailing.organizationId,
        survey_id: mailing.surveyId,
        link_id: mailing.linkId,
        mailing_kind: mailing.kind,
        reminds: mailing.reminds?.mailingId ?? null,
        after_days: mailing.reminds?.afterDays ?? null,
        subject: mailing.subject,
        message: mailing.message,
        created_by: mailing.createdBy,
        request_id: mailing.requestId,
      })
      .returning('mailing_id');
    return requireRow(rows, 'mailings').mailing_id;
  }

  async find(mailingId: number): Promise<CampaignRow | null> {
    const row = await this.db('mailings')
      .join('organizations', 'organizations.organization_id', 'mailings.organization_id')
      .join('surveys', 'surveys.survey_id', 'mailings.survey_id')
      .join('workspaces', 'workspaces.workspace_id', 'surveys.workspace_id')
      .join('links', 'links.link_id', 'mailings.link_id')
      .leftJoin('waves', (join) => {
        join
          .on('waves.survey_id', 'links.survey_id')
          .andOn('waves.wave_id', 'links.wave_id')
          .andOnNull('waves.deleted_at');
      })
      .where('mailings.mailing_id', mailingId)
      .first<CampaignRow | undefined>(
        ...qualifyColumns('mailings', MAILING_COLUMNS),
        ...qualifyColumns('organizations', ['organization_name']),
        ...qualifyColumns('surveys', ['survey_name', 'survey_status', 'survey_settings']),
        ...qualifyColumns('links', ['link_state', 'expires_at']),
        ...qualifyColumns('waves', ['wave_start_date', 'wave_end_date']),
        this.db.raw('links.deleted_at IS NOT NULL AS link_deleted'),
        this.db.raw('workspaces.deleted_at IS NOT NULL AS workspace_deleted'),
      );
    return row ?? null;
  }

  /** Returns the text of the last invitation sent through a link. */
  async findLatest(
    surveyId: number,
    linkId: number,
  ): Promise<Pick<MailingTable, 'subject' | 'message'> | null> {
    const row = await this.db('mailings')
      .where({ survey_id: surveyId, link_id: linkId, mailing_kind: 'invitation' })
      .orderBy('mailing_id', 'desc')
      .first('subject', 'message');
    return row ?? null;
  }

  async setJob(mailingId: number, jobId: number): Promise<void> {
    await this.db('mailings').where({ mailing_id: mailingId }).update({ job_id: jobId });
  }

  async finish(mailingId: number): Promise<void> {
    await this.db('mailings')
      .where({ mailing_id: mailingId })
      .whereNull('finished_at')
      .update({ finished_at: this.db.fn.now() });
  }

  /** Returns the campaigns that may still send emails. */
  listUnfinished(): Promise<Pick<MailingTable, 'mailing_id'>[]> {
    return this.db('mailings').select('mailing_id').whereNull('finished_at').orderBy('mailing_id');
  }

  /** Locks the mailing until the transaction ends. Returns null if it is finished or locked by another transaction. */
  async lockUnfinished(
    mailingId: number,
  ): Promise<{ job_status: JobTable['status'] | null; job_finished_at: JobTable['finished_at'] } | null> {
    const row = await this.db('mailings')
      .leftJoin('jobs', 'jobs.job_id', 'mailings.job_id')
      .where('mailings.mailing_id', mailingId)
      .whereNull('mailings.finished_at')
      .first({ job_status: 'jobs.status', job_finished_at: 'jobs.finished_at' })
      .forNoKeyUpdate('mailings')
      .skipLocked();
    return row ?? null;
  }

  /** Adds mails of a reminder for invitations whose first mail was sent long enough ago and who may be reminded. Returns how many. */
  async addDueReminders(mailingId: number): Promise<number> {
    // Raw SQL: inserts from a query.
    return queryCount(
      this.db,
      `INSERT INTO mails (mailing_id, invitation_id)
       SELECT r.mailing_id, i.invitation_id
       FROM mailings r JOIN mails first ON first.mailing_id = r.reminds JOIN invitations i USING (invitation_id)
       WHERE r.mailing_id = ? AND first.mail_state IN ('sent', 'kept')
         AND first.settled_at + r.after_days * interval '1 day' <= now()
         AND i.invitation_status = ANY(?) AND NOT i.has_ended
       ON CONFLICT (mailing_id, invitation_id) DO NOTHING`,
      [mailingId, REMINDABLE_STATUSES],
    );
  }

  /** Whether mails of a reminder may still become due. */
  async canStillRemind(mailingId: number): Promise<boolean> {
    const row = await this.db('mailings')
      .join('mails as first', 'first.mailing_id', 'mailings.reminds')
      .join('invitations', 'invitations.invitation_id', 'first.invitation_id')
      .where('mailings.mailing_id', mailingId)
      .where('invitations.has_ended', false)
      .whereIn('invitations.invitation_status', ['queued', ...REMINDABLE_STATUSES])
      .whereIn('first.mail_state', ['waiting', 'handed_over', 'sent', 'kept'])
      .whereNotExists(
        this.db('mails')
          .where('mails.mailing_id', this.db.ref('mailings.mailing_id'))
          .where('mails.invitation_id', this.db.ref('invitations.invitation_id')),
      )
      .first<{ mailing_id: number } | undefined>('mailings.mailing_id');
    return row !== undefined;
  }
}
