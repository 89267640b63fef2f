import type { InvitationStatus } from '../../domain/invitations/invitation-status.ts';
import type { QuotaMode } from '../../domain/quota/quota.ts';
import type { Attributes } from '../../domain/respondents/attributes.ts';
import type { Condition } from '../../domain/questions/condition.ts';
import type { PanelMismatch } from '../../domain/survey/panel-checks.ts';
import type { LinkState, LinkType } from '../../domain/survey/status.ts';
import type { Redirects } from '../../domain/survey/survey-settings.ts';
import type { Table } from './table.ts';

export interface LinkTable {
  link_id: number;
  organization_id: number;
  survey_id: number;
  link_type: LinkType;
  link_name: string;
  link_token: string;
  /** A readable part of the address beside the token; null: none. */
  link_slug: string | null;
  link_quota: number | null;
  link_state: LinkState;
  wave_id: number | null;
  redirects: Redirects;
  expires_at: Date | null;
  created_at: Date;
  deleted_at: Date | null;
  /** Only links of panels. */
  requires_signature: boolean;
  /** Encrypted (services/collection/signing-keys.ts); null, as signing_key_created_at: no key. */
  signing_key: string | null;
  signing_key_created_at: Date | null;
}

interface LinkEntryTable {
  survey_id: number;
  link_id: number;
  signature: string;
  /** null: the response is not written yet. */
  response_id: number | null;
}

interface LinkMismatchCountTable {
  survey_id: number;
  link_id: number;
  direction: PanelMismatch['direction'];
  reason: PanelMismatch['reason'];
  mismatch_count: number;
}

export interface LinkMismatchTable {
  mismatch_id: number;
  survey_id: number;
  link_id: number;
  direction: PanelMismatch['direction'];
  reason: PanelMismatch['reason'];
  external_id: string | null;
  /** null: the entry was refused. */
  response_id: number | null;
  occurred_at: Date;
}

interface LinkReservationTable {
  survey_id: number;
  link_id: number;
  response_id: number;
  reserved_until: Date;
}

export interface WaveTable {
  wave_id: number;
  organization_id: number;
  survey_id: number;
  wave_name: string;
  wave_start_date: Date | null;
  wave_end_date: Date | null;
  target: number | null;
  quota_revision: number;
  created_at: Date;
  deleted_at: Date | null;
}

interface WaveCountTable {
  survey_id: number;
  wave_id: number;
  slot: number;
  partial: number;
  complete: number;
  screened_out: number;
}

export interface QuotaTable {
  quota_id: number;
  survey_id: number;
  wave_id: number;
  quota_name: string;
  mode: QuotaMode;
  quota_order: number;
}

export interface QuotaCellTable {
  cell_id: number;
  quota_id: number;
  survey_id: number;
  wave_id: number;
  cell_label: string;
  condition: Condition;
  target: number | null;
  cell_order: number;
  completed: number;
  over_quota: number;
}

/** Of a wave that has quotas; beside the responses, whose writers lock the row. */
interface WaveQuotaTable {
  survey_id: number;
  wave_id: number;
  quota_revision: number;
}

/** Of a link that accepts only so many complete responses; beside the responses, whose writers lock the row. */
interface LinkLimitTable {
  survey_id: number;
  link_id: number;
  max_completes: number;
}

interface QuotaReservationTable {
  survey_id: number;
  response_id: number;
  cell_id: number;
  wave_id: number;
  reserved_until: Date;
}

export interface RespondentTable {
  respondent_id: number;
  organization_id: number;
  workspace_id: number;
  respondent_email: string | null;
  respondent_name: string | null;
  external_id: string | null;
  language: string | null;
  attributes: Attributes;
  opted_out_at: Date | null;
  last_invited_at: Date | null;
  created_at: Date;
  erased_at: Date | null;
}

export interface InvitationTable {
  invitation_id: number;
  organization_id: number;
  survey_id: number;
  link_id: number;
  respondent_id: number;
  link_token: string;
  invitation_status: InvitationStatus;
  has_ended: boolean;
  status_note: string | null;
  created_at: Date;
  sent_at: Date | null;
  opened_at: Date | null;
  started_at: Date | null;
  completed_at: Date | null;
  /** The day on which a response to an anonymous survey ended. */
  answered_on: Date | null;
  opt_out_token: string;
  link_token_opts_out: boolean;
}

export interface CampaignTable {
  campaign_id: number;
  organization_id: number;
  survey_id: number;
  link_id: number;
  campaign_kind: 'invitation' | 'reminder' | 'resend';
  parent_campaign_id: number | null;
  after_days: number | null;
  subject: string;
  message: string;
  created_by: number;
  request_id: string;
  created_at: Date;
  /** Not before this time; null: at once. */
  send_at: Date | null;
  job_id: number | null;
  finished_at: Date | null;
  /** Why emails that are due are not sent; null, as wait_until: nothing prevents it. */
  wait_reason: string | null;
  /** When sending is tried again. */
  wait_until: Date | null;
}

export interface MailTable {
  mail_id: number;
  campaign_id: number;
  invitation_id: number;
  mail_state: 'waiting' | 'sending' | 'sent' | 'stored' | 'failed' | 'bounced' | 'cancelled';
  attempts: number;
  due_at: Date;
  claim_id: string | null;
  settled_at: Date | null;
  mail_note: string | null;
}

interface DailyMailCountTable {
  organization_id: number;
  mail_day: Date;
  mail_count: number;
}

interface MailThrottleTable {
  singleton: boolean;
  next_at: Date;
}

interface OptedOutAddressTable {
  organization_id: number;
  address_digest: string;
  opted_out_at: Date;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    links: Table<
      LinkTable,
      'link_id' | 'link_state' | 'redirects' | 'created_at' | 'requires_signature',
      'redirects'
    >;
    link_entries: Table<LinkEntryTable>;
    link_mismatch_counts: Table<LinkMismatchCountTable>;
    link_mismatches: Table<LinkMismatchTable, 'mismatch_id'>;
    link_reservations: Table<LinkReservationTable>;
    waves: Table<WaveTable, 'wave_id' | 'quota_revision' | 'created_at'>;
    wave_counts: Table<WaveCountTable>;
    wave_quotas: Table<WaveQuotaTable>;
    link_limits: Table<LinkLimitTable>;
    quotas: Table<QuotaTable, 'quota_id'>;
    quota_cells: Table<QuotaCellTable, 'cell_id' | 'completed' | 'over_quota', 'condition'>;
    quota_reservations: Table<QuotaReservationTable>;
    respondents: Table<RespondentTable, 'respondent_id' | 'attributes' | 'created_at', 'attributes'>;
    invitations: Table<InvitationTable, 'invitation_id' | 'has_ended' | 'created_at' | 'link_token_opts_out'>;
    campaigns: Table<CampaignTable, 'campaign_id' | 'created_at'>;
    mails: Table<MailTable, 'mail_id' | 'mail_state' | 'attempts' | 'due_at'>;
    daily_mail_counts: Table<DailyMailCountTable>;
    mail_throttle: Table<MailThrottleTable, 'singleton'>;
    opted_out_addresses: Table<OptedOutAddressTable, 'opted_out_at'>;
  }
}
