import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import { REMINDABLE_STATUSES } from '../domain/invitations/invitation-status.ts';
import { requireRow } from '../lib/require-value.ts';
import { SHOWN_SETTINGS } from './surveys.ts';
import { qualifyColumns } from './tables/table.ts';
import type { LinkTable, CampaignTable, WaveTable } from './tables/field.ts';
import type { JobTable } from './tables/system.ts';
import type { SurveyTable } from './tables/surveys.ts';
import type { OrganizationTable } from './tables/users.ts';

export interface NewCampaign {
  organizationId: number;
  surveyId: number;
  linkId: number;
  kind: CampaignTable['campaign_kind'];
  /** Set for a reminder: which campaign it follows, and how long after that mail. */
  reminderOf: { campaignId: number; afterDays: number } | null;
  /** Empty subject or message: the default in the recipient's language. */
  subject: string;
  message: string;
  createdBy: number;
  requestId: string;
  /** null: at once. */
  sendAt: Date | null;
}

/** A campaign that waits for its time. */
export type ScheduledCampaignRow = Pick<CampaignTable, 'campaign_id' | 'campaign_kind' | 'link_id'> & {
  send_at: Date;
  /** The emails that are sent then. */
  mail_count: number;
};

/** A campaign whose due emails cannot be sent at the moment. */
export type WaitingCampaignRow = Pick<CampaignTable, 'campaign_id' | 'campaign_kind' | 'link_id'> & {
  wait_reason: string;
  wait_until: Date;
  /** The emails that wait. */
  mail_count: number;
};

/** Raw SQL: a count beside columns. */
const WAITING_MAILS = `(SELECT count(*) FROM mails WHERE mails.campaign_id = campaigns.campaign_id AND mail_state = 'waiting') AS mail_count`;

const CAMPAIGN_COLUMNS = [
  'campaign_id',
  'organization_id',
  'survey_id',
  'link_id',
  'campaign_kind',
  'parent_campaign_id',
  'after_days',
  'subject',
  'message',
  'created_by',
  'request_id',
  'send_at',
  'finished_at',
] as const satisfies readonly (keyof CampaignTable)[];

/** A campaign, with the state of its survey and link. The wave is null for a link without wave and for a deleted wave. */
export type CampaignRow = Pick<CampaignTable, (typeof CAMPAIGN_COLUMNS)[number]> &
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

  async create(campaign: NewCampaign): Promise<number> {
    const rows = await this.db('campaigns')
      .insert({
        organization_id: campaign.organizationId,
        survey_id: campaign.surveyId,
        link_id: campaign.linkId,
        campaign_kind: campaign.kind,
        parent_campaign_id: campaign.reminderOf?.campaignId ?? null,
        after_days: campaign.reminderOf?.afterDays ?? null,
        subject: campaign.subject,
        message: campaign.message,
        created_by: campaign.createdBy,
        request_id: campaign.requestId,
        send_at: campaign.sendAt,
      })
      .returning('campaign_id');
    return requireRow(rows, 'mailings').campaign_id;
  }

  async find(campaignId: number): Promise<CampaignRow | null> {
    const row = await this.db('campaigns')
      .join('organizations', 'organizations.organization_id', 'campaigns.organization_id')
      .join('surveys', 'surveys.survey_id', 'campaigns.survey_id')
      .join('workspaces', 'workspaces.workspace_id', 'surveys.workspace_id')
      .join('links', 'links.link_id', 'campaigns.link_id')
      .leftJoin('waves', (join) => {
        join
          .on('waves.survey_id', 'links.survey_id')
          .andOn('waves.wave_id', 'links.wave_id')
          .andOnNull('waves.deleted_at');
      })
      .where('campaigns.campaign_id', campaignId)
      .first<CampaignRow | undefined>(
        ...qualifyColumns('campaigns', CAMPAIGN_COLUMNS),
        ...qualifyColumns('organizations', ['organization_name']),
        ...qualifyColumns('surveys', ['survey_name', 'survey_status']),
        this.db.raw(SHOWN_SETTINGS),
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
  ): Promise<Pick<CampaignTable, 'subject' | 'message'> | null> {
    const row = await this.db('campaigns')
      .where({ survey_id: surveyId, link_id: linkId, campaign_kind: 'invitation' })
      .orderBy('campaign_id', 'desc')
      .first('subject', 'message');
    return row ?? null;
  }

  async setJob(campaignId: number, jobId: number): Promise<void> {
    await this.db('campaigns').where({ campaign_id: campaignId }).update({ job_id: jobId });
  }

  async finish(campaignId: number): Promise<void> {
    await this.db('campaigns')
      .where({ campaign_id: campaignId })
      .whereNull('finished_at')
      .update({ finished_at: this.db.fn.now() });
  }

  /** Returns the campaigns of a survey whose time has not come, the next first. */
  async listScheduled(
    { organizationId, surveyId }: { organizationId: number; surveyId: number },
    now: Date,
  ): Promise<ScheduledCampaignRow[]> {
    return this.db('campaigns')
      .where({ organization_id: organizationId, survey_id: surveyId, finished_at: null, job_id: null })
      .where('send_at', '>', now)
      .select<ScheduledCampaignRow[]>(
        'campaign_id',
        'campaign_kind',
        'link_id',
        'send_at',
        this.db.raw(WAITING_MAILS),
      )
      .orderBy(['send_at', 'campaign_id']);
  }

  /** Returns the campaigns of a survey whose due emails cannot be sent at the moment, the oldest first. */
  async listWaiting({
    organizationId,
    surveyId,
  }: {
    organizationId: number;
    surveyId: number;
  }): Promise<WaitingCampaignRow[]> {
    return this.db('campaigns')
      .where({ organization_id: organizationId, survey_id: surveyId, finished_at: null })
      .whereNotNull('wait_reason')
      .select<WaitingCampaignRow[]>(
        'campaign_id',
        'campaign_kind',
        'link_id',
        'wait_reason',
        'wait_until',
        this.db.raw(WAITING_MAILS),
      )
      .orderBy('campaign_id');
  }

  /** Records that nothing prevents the sending any more. */
  async clearWait(campaignId: number): Promise<void> {
    await this.db('campaigns')
      .where({ campaign_id: campaignId })
      .whereNotNull('wait_reason')
      .update({ wait_reason: null, wait_until: null });
  }

  /** Locks a campaign of a survey until the transaction ends. */
  async lock(
    { organizationId, surveyId }: { organizationId: number; surveyId: number },
    campaignId: number,
  ): Promise<Pick<CampaignTable, 'send_at' | 'job_id' | 'finished_at'> | null> {
    const row = await this.db('campaigns')
      .where({ organization_id: organizationId, survey_id: surveyId, campaign_id: campaignId })
      .first('send_at', 'job_id', 'finished_at')
      .forNoKeyUpdate();
    return row ?? null;
  }

  /** Returns the campaigns that may still send emails. */
  listUnfinished(): Promise<Pick<CampaignTable, 'campaign_id'>[]> {
    return this.db('campaigns').select('campaign_id').whereNull('finished_at').orderBy('campaign_id');
  }

  /** Locks the campaign until the transaction ends. Returns null if it is finished or locked by another transaction. */
  async lockUnfinished(
    campaignId: number,
  ): Promise<{ job_status: JobTable['status'] | null; job_finished_at: JobTable['finished_at'] } | null> {
    const row = await this.db('campaigns')
      .leftJoin('jobs', 'jobs.job_id', 'campaigns.job_id')
      .where('campaigns.campaign_id', campaignId)
      .whereNull('campaigns.finished_at')
      .first({ job_status: 'jobs.status', job_finished_at: 'jobs.finished_at' })
      .forNoKeyUpdate('campaigns')
      .skipLocked();
    return row ?? null;
  }

  /**
   * Adds mails of a reminder for invitations whose first mail was sent long enough ago and who may be reminded. Returns how many. As in
   * `listUnanswered` of invitations, those of an anonymous survey include the answered ones.
   */
  async addDueReminders(campaignId: number): Promise<number> {
    // Raw SQL: inserts from a query.
    return queryCount(
      this.db,
      `INSERT INTO mails (campaign_id, invitation_id)
       SELECT r.campaign_id, i.invitation_id
       FROM campaigns r JOIN mails first ON first.campaign_id = r.parent_campaign_id JOIN invitations i USING (invitation_id)
       WHERE r.campaign_id = ? AND first.mail_state IN ('sent', 'stored')
         AND first.settled_at + r.after_days * interval '1 day' <= now()
         AND i.invitation_status = ANY(?) AND (NOT i.has_ended OR i.answered_on IS NOT NULL)
       ON CONFLICT (campaign_id, invitation_id) DO NOTHING`,
      [campaignId, REMINDABLE_STATUSES],
    );
  }

  /** Whether mails of a reminder may still become due. */
  async canStillRemind(campaignId: number): Promise<boolean> {
    const row = await this.db('campaigns')
      .join('mails as first', 'first.campaign_id', 'campaigns.parent_campaign_id')
      .join('invitations', 'invitations.invitation_id', 'first.invitation_id')
      .where('campaigns.campaign_id', campaignId)
      .where((unanswered) => {
        void unanswered.where('invitations.has_ended', false).orWhereNotNull('invitations.answered_on');
      })
      .whereIn('invitations.invitation_status', ['queued', ...REMINDABLE_STATUSES])
      .whereIn('first.mail_state', ['waiting', 'sending', 'sent', 'stored'])
      .whereNotExists(
        this.db('mails')
          .where('mails.campaign_id', this.db.ref('campaigns.campaign_id'))
          .where('mails.invitation_id', this.db.ref('invitations.invitation_id')),
      )
      .first<{ campaign_id: number } | undefined>('campaigns.campaign_id');
    return row !== undefined;
  }
}
