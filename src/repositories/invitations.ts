import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';
import {
  INVITATION_STATUSES,
  type InvitationStatus,
  REMINDABLE_STATUSES,
  statusesBefore,
} from '../domain/invitations/invitation-status.ts';
import { countRows, type IdPage, selectIdPage } from './list-queries.ts';
import type { AnsweredDay } from '../domain/invitations/answered-counts.ts';
import { qualifyColumns, qualifyValues } from './tables/table.ts';
import type { InvitationTable, LinkTable, RespondentTable, WaveTable } from './tables/field.ts';
import type { SurveyTable } from './tables/surveys.ts';

interface InSurvey {
  organizationId: number;
  surveyId: number;
}

const INVITATION_COLUMNS = [
  'invitation_id',
  'link_id',
  'respondent_id',
  'link_token',
  'invitation_status',
  'status_note',
  'created_at',
  'sent_at',
  'opened_at',
  'started_at',
  'completed_at',
] as const satisfies readonly (keyof InvitationTable)[];

/** One invitation of a list. Email address and name are null for an erased respondent. */
export type InvitationRow = Pick<InvitationTable, (typeof INVITATION_COLUMNS)[number]> &
  Pick<LinkTable, 'wave_id'> &
  Pick<RespondentTable, 'respondent_email' | 'respondent_name'> &
  Pick<SurveyTable, 'is_anonymous'> & {
    /** Mails that went out. */
    mail_count: number;
  };

const EXPORTED_COLUMNS = [
  'survey_id',
  'invitation_status',
  'created_at',
  'sent_at',
  'opened_at',
  'started_at',
  'completed_at',
] as const satisfies readonly (keyof InvitationTable)[];

/** One invitation in the export of a respondent's data. */
export type RespondentInvitationRow = Pick<InvitationTable, (typeof EXPORTED_COLUMNS)[number]> &
  Pick<SurveyTable, 'survey_name'>;

export interface InvitationSearch {
  linkId: number | null;
  status: InvitationStatus | null;
  respondentId: number | null;
}

export type StatusCounts = Record<InvitationStatus, number>;

/** The days on which an anonymous survey was answered, with its time zone; null: the survey is not anonymous. */
interface AnonymousAnswers {
  day_zone: string | null;
  answered_days: AnsweredDay[] | null;
}

export type LinkSummaryRow = StatusCounts &
  AnonymousAnswers &
  Pick<LinkTable, 'link_id' | 'link_name' | 'wave_id'> & { wave_name: WaveTable['wave_name'] | null };

/** Invitations and mails of one link. */
export type DistributionRow = LinkSummaryRow &
  Pick<SurveyTable, 'survey_id' | 'survey_name'> & { mails_sent: number; last_sent_at: Date | null };

/** Statuses of an invitation that blocks another one to the same respondent through the same link. */
const BLOCKING_STATUSES = [...statusesBefore('completed'), 'completed'] as const;

const COUNTS = INVITATION_STATUSES.map(
  (status) => `count(*) FILTER (WHERE invitation_status = '${status}') AS ${status}`,
).join(', ');

const DAY_ZONE = 'CASE WHEN surveys.is_anonymous THEN surveys.time_zone END AS day_zone';

/** The answers to invitations through a link `links`, by day; null: none. Only anonymous surveys have days. */
const ANSWERED_DAYS = `(SELECT json_agg(days) FROM (
    SELECT answered_on::text AS day, count(*)::integer AS count FROM invitations answered
    WHERE answered.survey_id = links.survey_id AND answered.link_id = links.link_id AND answered_on IS NOT NULL
    GROUP BY answered_on) AS days) AS answered_days`;

/** Join counts of invitations and of sent mails to `links`: one look-up for each row shown. */
const LINK_INVITATIONS = `CROSS JOIN LATERAL (SELECT ${COUNTS} FROM invitations i WHERE i.link_id = links.link_id) invitation_counts`;
const LINK_MAILS = `CROSS JOIN LATERAL (
    SELECT count(*) AS mails_sent, max(m.settled_at) AS last_sent_at FROM campaigns g JOIN mails m USING (campaign_id)
    WHERE g.link_id = links.link_id AND g.survey_id = links.survey_id AND m.mail_state = 'sent'
  ) mail_counts`;

type RespondentStep = Extract<InvitationStatus, 'opened' | 'started' | 'completed'>;

const STEP_TIME = { opened: 'opened_at', started: 'started_at', completed: 'completed_at' } as const;

/**
 * Invitations of respondents to surveys, through links, and their progress. A transaction locks invitations first, then links,
 * reservations and responses.
 */
export class InvitationRepository {
  constructor(private readonly db: Database) {}

  /** Returns those of the respondents who have an invitation through the link that is queued, sent, in progress or completed. */
  async listInvited(linkId: number, respondentIds: readonly number[]): Promise<Set<number>> {
    const ids = await this.db('invitations')
      .where({ link_id: linkId })
      .whereRaw('respondent_id = ANY(?::bigint[])', [[...respondentIds]])
      .whereIn('invitation_status', BLOCKING_STATUSES)
      .pluck('respondent_id');
    return new Set(ids);
  }

  /** Returns the ids of the new invitations by respondent; skips respondents whom the link has invited already. */
  async createMany(
    { organizationId, surveyId }: InSurvey,
    linkId: number,
    invitees: readonly {
      respondentId: number;
      token: string;
      optOutToken: string;
      status: 'queued' | 'suppressed';
    }[],
  ): Promise<Map<number, number>> {
    // Raw SQL: inserts any number of rows with few bindings.
    const rows = await queryRows<Pick<InvitationTable, 'respondent_id' | 'invitation_id'>>(
      this.db,
      `INSERT INTO invitations (organization_id, survey_id, link_id, respondent_id, link_token, opt_out_token, invitation_status, status_note)
       SELECT ?, ?, ?, respondent_id, token, opt_out_token, status, CASE WHEN status = 'suppressed' THEN 'opted out before' END
       FROM json_to_recordset(?::json) AS given (index integer, respondent_id bigint, token text, opt_out_token text, status text)
       ORDER BY index ON CONFLICT DO NOTHING RETURNING respondent_id, invitation_id`,
      [
        organizationId,
        surveyId,
        linkId,
        JSON.stringify(
          invitees.map(({ respondentId, token, optOutToken, status }, index) => ({
            index,
            respondent_id: respondentId,
            token,
            opt_out_token: optOutToken,
            status,
          })),
        ),
      ],
    );
    return new Map(rows.map((row) => [row.respondent_id, row.invitation_id]));
  }

  /** Newest first. Returns one row more than `limit` if there are more. */
  async list(
    survey: InSurvey,
    search: InvitationSearch,
    page: IdPage,
  ): Promise<{ found: InvitationRow[]; total: number }> {
    const mailCount: Knex.QueryBuilder = this.db('mails')
      .count()
      .where('mails.invitation_id', this.db.ref('invitations.invitation_id'))
      .whereIn('mail_state', ['sent', 'stored'])
      .as('mail_count');
    const rows = this.queryMatching(survey, search)
      .join('links', 'links.link_id', 'invitations.link_id')
      .join('respondents', 'respondents.respondent_id', 'invitations.respondent_id')
      .join('surveys', 'surveys.survey_id', 'invitations.survey_id')
      .select<InvitationRow[]>(
        ...qualifyColumns('surveys', ['is_anonymous']),
        ...qualifyColumns('invitations', INVITATION_COLUMNS),
        ...qualifyColumns('links', ['wave_id']),
        ...qualifyColumns('respondents', ['respondent_email', 'respondent_name']),
        mailCount,
      );
    const found = await selectIdPage(
      rows,
      { idColumn: 'invitations.invitation_id', order: 'newest_first' },
      page,
    );
    return { found, total: await countRows(this.queryMatching(survey, search)) };
  }

  private queryMatching({ organizationId, surveyId }: InSurvey, search: InvitationSearch) {
    const query = this.db('invitations')
      .where('invitations.organization_id', organizationId)
      .where('invitations.survey_id', surveyId);
    if (search.linkId !== null) void query.where('invitations.link_id', search.linkId);
    if (search.status !== null) void query.where('invitations.invitation_status', search.status);
    if (search.respondentId !== null) void query.where('invitations.respondent_id', search.respondentId);
    return query;
  }

  /** Links with invitations, of all surveys of a workspace or of one, newest first. Returns one row more than `limit` if there are more. */
  async listDistributions(
    { organizationId, workspaceId }: { organizationId: number; workspaceId: number },
    { surveyId, waveId }: { surveyId: number | null; waveId: number | null },
    page: IdPage,
  ): Promise<{ found: DistributionRow[]; total: number }> {
    const matching = this.db('surveys')
      .join('links', 'links.survey_id', 'surveys.survey_id')
      .where(qualifyValues('surveys', { organization_id: organizationId, workspace_id: workspaceId }))
      .whereNot(qualifyValues('surveys', { survey_status: 0 }))
      .whereExists(
        this.db('invitations')
          .where('invitations.survey_id', this.db.ref('links.survey_id'))
          .where('invitations.link_id', this.db.ref('links.link_id')),
      );
    if (surveyId !== null) void matching.where(qualifyValues('surveys', { survey_id: surveyId }));
    if (waveId !== null) void matching.where(qualifyValues('links', { wave_id: waveId }));
    const rows = matching
      .clone()
      .select(
        ...qualifyColumns('links', ['link_id', 'link_name', 'wave_id']),
        ...qualifyColumns('surveys', ['survey_id', 'survey_name']),
        this.db.raw(DAY_ZONE),
      );
    // Materialized, so that invitations and mails are counted for the links of the page only.
    const found = await this.db
      .withMaterialized(
        'page',
        selectIdPage(rows, { idColumn: 'links.link_id', order: 'newest_first' }, page),
      )
      .from({ links: 'page' })
      .leftJoin('waves', { 'waves.survey_id': 'links.survey_id', 'waves.wave_id': 'links.wave_id' })
      .joinRaw(LINK_INVITATIONS)
      .joinRaw(LINK_MAILS)
      .select<DistributionRow[]>(
        'links.*',
        'waves.wave_name',
        'invitation_counts.*',
        'mail_counts.*',
        this.db.raw(ANSWERED_DAYS),
      )
      .orderBy('links.link_id', 'desc');
    return { found, total: await countRows(matching) };
  }

  /** Counts the invitations of one survey by link and status. */
  async listLinkSummaries({ organizationId, surveyId }: InSurvey): Promise<LinkSummaryRow[]> {
    const counts = this.db('invitations')
      .select('link_id', this.db.raw(COUNTS))
      .where({ organization_id: organizationId, survey_id: surveyId })
      .groupBy('link_id')
      .as('counts');
    return this.db('links')
      .join(counts, 'counts.link_id', 'links.link_id')
      .join('surveys', 'surveys.survey_id', 'links.survey_id')
      .leftJoin('waves', { 'waves.survey_id': 'links.survey_id', 'waves.wave_id': 'links.wave_id' })
      .select<LinkSummaryRow[]>(
        ...qualifyColumns('links', ['link_id', 'link_name', 'wave_id']),
        ...qualifyColumns('waves', ['wave_name']),
        'counts.*',
        this.db.raw(DAY_ZONE),
        this.db.raw(ANSWERED_DAYS),
      )
      .orderBy('links.link_id');
  }

  /**
   * Returns the invitations through a link that have one of the statuses and no ended response; only of `respondentIds` if given. Those of
   * an anonymous survey include the answered ones, so that the number does not depend on who answered; sending leaves them out.
   */
  async listUnanswered({
    inSurvey: { surveyId },
    linkId,
    statuses = REMINDABLE_STATUSES,
    respondentIds = null,
  }: {
    inSurvey: InSurvey;
    linkId: number;
    statuses?: readonly InvitationStatus[] | undefined;
    respondentIds?: readonly number[] | null | undefined;
  }): Promise<number[]> {
    const query = this.db('invitations')
      .where({ survey_id: surveyId, link_id: linkId })
      .where((unanswered) => {
        void unanswered.where({ has_ended: false }).orWhereNotNull('answered_on');
      })
      .whereIn('invitation_status', statuses)
      .orderBy('invitation_id');
    if (respondentIds !== null) void query.whereRaw('respondent_id = ANY(?::bigint[])', [[...respondentIds]]);
    return query.pluck('invitation_id');
  }

  /** Returns those of the respondents who have an invitation through the link, in whatever status. */
  async filterInvited(linkId: number, respondentIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.db('invitations')
      .distinct('respondent_id')
      .where({ link_id: linkId })
      .whereRaw('respondent_id = ANY(?::bigint[])', [[...respondentIds]]);
    return new Set(rows.map((row) => row.respondent_id));
  }

  /** Marks an invitation as bounced, unless it was answered. Returns false if there is no such invitation. */
  async bounce({ organizationId, surveyId }: InSurvey, invitationId: number, note: string): Promise<boolean> {
    const statuses = [...statusesBefore('bounced')];
    const found = await this.db('invitations')
      .where({ organization_id: organizationId, survey_id: surveyId, invitation_id: invitationId })
      .update({
        invitation_status: this.db.raw(
          `CASE WHEN invitation_status = ANY(?) THEN 'bounced' ELSE invitation_status END`,
          [statuses],
        ),
        status_note: this.db.raw('CASE WHEN invitation_status = ANY(?) THEN ? ELSE status_note END', [
          statuses,
          note,
        ]),
      });
    return found > 0;
  }

  /** Returns the invitations of one respondent to the surveys of a workspace, oldest first. */
  async listByRespondent(workspaceId: number, respondentId: number): Promise<RespondentInvitationRow[]> {
    return this.db('invitations')
      .join('surveys', 'surveys.survey_id', 'invitations.survey_id')
      .select<RespondentInvitationRow[]>(
        ...qualifyColumns('invitations', EXPORTED_COLUMNS),
        ...qualifyColumns('surveys', ['survey_name']),
      )
      .where('surveys.workspace_id', workspaceId)
      .where('invitations.respondent_id', respondentId)
      .orderBy('invitations.invitation_id');
  }

  /** Deletes the notes of mail servers about a respondent, which may contain the address. */
  async clearNotes(respondentId: number): Promise<void> {
    // Raw SQL: changes two tables in one statement.
    await queryCount(
      this.db,
      `WITH noted AS (
         UPDATE invitations SET status_note = NULL WHERE respondent_id = ? AND status_note IS NOT NULL RETURNING invitation_id)
       UPDATE mails m SET mail_note = NULL FROM invitations i
       WHERE i.respondent_id = ? AND m.invitation_id = i.invitation_id AND m.mail_note IS NOT NULL`,
      [respondentId, respondentId],
    );
  }

  /** Locks the invitations until the transaction ends, and returns those whose response has ended. */
  async lockEnded(invitationIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.db('invitations')
      .select('invitation_id', 'has_ended')
      .whereRaw('invitation_id = ANY(?::bigint[])', [[...invitationIds]])
      .orderBy('invitation_id')
      .forNoKeyUpdate();
    return new Set(rows.flatMap((row) => (row.has_ended ? [row.invitation_id] : [])));
  }

  /** Records that an invitation to an anonymous survey was answered today in its time zone. Its status does not change. */
  async recordAnonymousAnswer(invitationId: number, dayZone: string): Promise<void> {
    await this.db('invitations')
      .where({ invitation_id: invitationId })
      .update({
        has_ended: true,
        answered_on: this.db.raw('coalesce(answered_on, (now() AT TIME ZONE ?)::date)', [dayZone]),
      });
  }

  /** Moves the invitations forward to this step. */
  async recordInvitationStatus(
    invitationIds: readonly number[],
    step: RespondentStep,
    { hasEnded }: { hasEnded: boolean },
  ): Promise<void> {
    const time = STEP_TIME[step];
    await this.db('invitations')
      .whereRaw('invitation_id = ANY(?::bigint[])', [[...invitationIds]])
      .update({
        invitation_status: this.db.raw(
          'CASE WHEN invitation_status = ANY(?) THEN ? ELSE invitation_status END',
          [[...statusesBefore(step)], step],
        ),
        has_ended: this.db.raw('has_ended OR ?', [hasEnded]),
        [time]: this.db.raw('coalesce(??, now())', [time]),
      });
  }
}
