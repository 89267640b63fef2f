import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import {
  INVITATION_STATUSES,
  type InvitationStatus,
  REMINDED_STATUSES,
  statusesBefore,
} from '../domain/invitations/invitation-status.ts';

interface InSurvey {
  organizationId: number;
  surveyId: number;
}

export interface InvitationRow {
  invitation_id: number;
  link_id: number;
  wave_id: number | null;
  respondent_id: number;
  /** null, as the name: erased. */
  respondent_email: string | null;
  respondent_name: string | null;
  link_token: string;
  invitation_status: InvitationStatus;
  status_note: string | null;
  /** Mails that went out. */
  mail_count: number;
  created_at: Date;
  sent_at: Date | null;
  opened_at: Date | null;
  started_at: Date | null;
  completed_at: Date | null;
}

/** As an export of one person tells of it. */
export type RespondentInvitationRow = Pick<
  InvitationRow,
  'invitation_status' | 'created_at' | 'sent_at' | 'opened_at' | 'started_at' | 'completed_at'
> & { survey_id: number; survey_name: string };

export interface InvitationSearch {
  linkId: number | null;
  status: InvitationStatus | null;
  respondentId: number | null;
}

export type StatusCounts = Record<InvitationStatus, number>;

/** What was sent through a link. */
export type DistributionRow = StatusCounts & {
  survey_id: number;
  survey_name: string;
  link_id: number;
  link_name: string;
  wave_id: number | null;
  wave_name: string | null;
  mails_sent: number;
  last_sent_at: Date | null;
};

const COUNTS = INVITATION_STATUSES.map(
  (status) => `count(*) FILTER (WHERE i.invitation_status = '${status}') AS ${status}`,
).join(', ');

/** People invited to surveys, through links. */
export class InvitationRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Whom of these a link has invited already, to no avail or not yet. */
  async alreadyInvited(linkId: number, respondentIds: readonly number[]): Promise<Set<number>> {
    const rows = await rowsOf<{ respondent_id: number }>(
      this.db,
      `SELECT respondent_id FROM invitations WHERE link_id = ? AND respondent_id = ANY(?::bigint[])
         AND invitation_status = ANY(?)`,
      [linkId, respondentIds, [...statusesBefore('completed'), 'completed']],
    );
    return new Set(rows.map((row) => row.respondent_id));
  }

  /** Gives the ids of those that were made, by respondent: whom the link has invited already is not invited again. */
  async createMany(
    { organizationId, surveyId }: InSurvey,
    linkId: number,
    people: readonly {
      respondentId: number;
      token: string;
      optOutToken: string;
      status: 'queued' | 'suppressed';
    }[],
  ): Promise<Map<number, number>> {
    const rows = await rowsOf<{ respondent_id: number; invitation_id: number }>(
      this.db,
      `INSERT INTO invitations (organization_id, survey_id, link_id, respondent_id, link_token, opt_out_token, invitation_status, status_note)
       SELECT ?, ?, ?, respondent_id, token, opt_out_token, status, CASE WHEN status = 'suppressed' THEN 'opted out before' END
       FROM json_to_recordset(?::json) AS given (place integer, respondent_id bigint, token text, opt_out_token text, status text) ORDER BY place
       ON CONFLICT DO NOTHING RETURNING respondent_id, invitation_id`,
      [
        ...[organizationId, surveyId, linkId],
        JSON.stringify(
          people.map(({ respondentId, token, optOutToken, status }, place) => ({
            place,
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

  /** Newest first, and one more than `limit` where there is more. */
  async list(
    { organizationId, surveyId }: InSurvey,
    search: InvitationSearch,
    part: { beforeId: number | null; skip: number; limit: number },
  ): Promise<{ found: InvitationRow[]; total: number }> {
    const matching = `i.organization_id = ? AND i.survey_id = ? AND (?::bigint IS NULL OR i.link_id = ?)
      AND (?::text IS NULL OR i.invitation_status = ?) AND (?::bigint IS NULL OR i.respondent_id = ?)`;
    const bindings = [
      ...[organizationId, surveyId, search.linkId, search.linkId],
      ...[search.status, search.status, search.respondentId, search.respondentId],
    ];
    const found = await rowsOf<InvitationRow>(
      this.db,
      `SELECT i.invitation_id, i.link_id, l.wave_id, i.respondent_id, r.respondent_email, r.respondent_name, i.link_token,
              i.invitation_status, i.status_note, i.created_at, i.sent_at, i.opened_at, i.started_at, i.completed_at,
              (SELECT count(*) FROM mails m WHERE m.invitation_id = i.invitation_id AND m.mail_state IN ('sent', 'kept')) AS mail_count
       FROM invitations i JOIN links l USING (link_id) JOIN respondents r USING (respondent_id)
       WHERE ${matching} AND (?::bigint IS NULL OR i.invitation_id < ?) ORDER BY i.invitation_id DESC OFFSET ? LIMIT ?`,
      [...bindings, part.beforeId, part.beforeId, part.skip, part.limit + 1],
    );
    const count = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM invitations i WHERE ${matching}`,
      bindings,
    );
    return { found, total: count!.count };
  }

  /** By link, the newest first, of the surveys of a workspace or of one of them; links that nobody was invited through are left out. */
  async distributions(
    { organizationId, workspaceId }: { organizationId: number; workspaceId: number },
    { surveyId, waveId }: { surveyId: number | null; waveId: number | null },
    part: { beforeId: number | null; skip: number; limit: number },
  ): Promise<{ found: DistributionRow[]; total: number }> {
    const matching = `s.organization_id = ? AND s.workspace_id = ? AND s.survey_status <> 0
      AND (?::bigint IS NULL OR s.survey_id = ?) AND (?::bigint IS NULL OR l.wave_id = ?)
      AND EXISTS (SELECT FROM invitations i WHERE i.survey_id = l.survey_id AND i.link_id = l.link_id)`;
    const bindings = [organizationId, workspaceId, surveyId, surveyId, waveId, waveId];
    const found = await rowsOf<DistributionRow>(
      this.db,
      `WITH page AS MATERIALIZED (
         SELECT l.link_id, l.link_name, l.wave_id, s.survey_id, s.survey_name FROM surveys s JOIN links l USING (survey_id)
         WHERE ${matching} AND (?::bigint IS NULL OR l.link_id < ?) ORDER BY l.link_id DESC OFFSET ? LIMIT ?)
       SELECT l.*, v.wave_name, c.*, n.*
       FROM page l LEFT JOIN waves v ON v.survey_id = l.survey_id AND v.wave_id = l.wave_id,
       LATERAL (SELECT ${COUNTS} FROM invitations i WHERE i.link_id = l.link_id) c,
       LATERAL (SELECT count(*) AS mails_sent, max(m.settled_at) AS last_sent_at FROM mailings g JOIN mails m USING (mailing_id)
                WHERE g.link_id = l.link_id AND g.survey_id = l.survey_id AND m.mail_state IN ('sent', 'kept')) n
       ORDER BY l.link_id DESC`,
      [...bindings, part.beforeId, part.beforeId, part.skip, part.limit + 1],
    );
    const count = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM surveys s JOIN links l USING (survey_id) WHERE ${matching}`,
      bindings,
    );
    return { found, total: count!.count };
  }

  /** Of one survey, by link. */
  summary({ organizationId, surveyId }: InSurvey): Promise<
    (StatusCounts & {
      link_id: number;
      link_name: string;
      wave_id: number | null;
      wave_name: string | null;
    })[]
  > {
    return rowsOf(
      this.db,
      `SELECT l.link_id, l.link_name, l.wave_id, v.wave_name, c.*
       FROM (SELECT i.link_id, ${COUNTS} FROM invitations i WHERE i.organization_id = ? AND i.survey_id = ? GROUP BY i.link_id) c
       JOIN links l USING (link_id) LEFT JOIN waves v ON v.survey_id = l.survey_id AND v.wave_id = l.wave_id ORDER BY l.link_id`,
      [organizationId, surveyId],
    );
  }

  /** Who was written to through a link and has not come to the end; of `respondentIds` where they are given. */
  async unanswered(
    { surveyId }: InSurvey,
    linkId: number,
    statuses: readonly InvitationStatus[] = REMINDED_STATUSES,
    respondentIds: readonly number[] | null = null,
  ): Promise<number[]> {
    const rows = await rowsOf<{ invitation_id: number }>(
      this.db,
      `SELECT invitation_id FROM invitations WHERE survey_id = ? AND link_id = ? AND invitation_status = ANY(?) AND NOT has_ended
         AND (?::bigint[] IS NULL OR respondent_id = ANY(?::bigint[])) ORDER BY invitation_id`,
      [surveyId, linkId, statuses, respondentIds, respondentIds],
    );
    return rows.map((row) => row.invitation_id);
  }

  /** Those of these people whom a link has invited, whatever became of it. */
  async invitedAmong(linkId: number, respondentIds: readonly number[]): Promise<Set<number>> {
    const rows = await rowsOf<{ respondent_id: number }>(
      this.db,
      `SELECT DISTINCT respondent_id FROM invitations WHERE link_id = ? AND respondent_id = ANY(?::bigint[])`,
      [linkId, respondentIds],
    );
    return new Set(rows.map((row) => row.respondent_id));
  }

  /** A mail came back. False: there is no such invitation; one that was answered stays as it is. */
  async bounce({ organizationId, surveyId }: InSurvey, invitationId: number, note: string): Promise<boolean> {
    const found = await rowsOf(
      this.db,
      `UPDATE invitations SET
         invitation_status = CASE WHEN invitation_status = ANY(?) THEN 'bounced' ELSE invitation_status END,
         status_note = CASE WHEN invitation_status = ANY(?) THEN ? ELSE status_note END
       WHERE organization_id = ? AND survey_id = ? AND invitation_id = ? RETURNING 1`,
      [statusesBefore('bounced'), statusesBefore('bounced'), note, organizationId, surveyId, invitationId],
    );
    return found.length > 0;
  }

  /** Of one person, to the surveys of a workspace, oldest first. */
  ofRespondent(workspaceId: number, respondentId: number): Promise<RespondentInvitationRow[]> {
    return rowsOf(
      this.db,
      `SELECT i.survey_id, s.survey_name, i.invitation_status, i.created_at, i.sent_at, i.opened_at, i.started_at, i.completed_at
       FROM invitations i JOIN surveys s USING (survey_id) WHERE s.workspace_id = ? AND i.respondent_id = ? ORDER BY i.invitation_id`,
      [workspaceId, respondentId],
    );
  }

  /** What the words of a mail server say of an address goes with the person. */
  async forgetNotes(respondentId: number): Promise<void> {
    await countOf(
      this.db,
      `WITH theirs AS (
         UPDATE invitations SET status_note = NULL WHERE respondent_id = ? AND status_note IS NOT NULL RETURNING invitation_id)
       UPDATE mails m SET mail_note = NULL FROM invitations i
       WHERE i.respondent_id = ? AND m.invitation_id = i.invitation_id AND m.mail_note IS NOT NULL`,
      [respondentId, respondentId],
    );
  }
}
