import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import { linkLimit } from '../domain/survey/link-status.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';
import { qualifyColumns, qualifyValues } from './tables/columns.ts';
import type { InvitationTable, LinkTable, RespondentTable, WaveTable } from './tables/field.ts';
import type { SurveyTable } from './tables/surveys.ts';

const LINK_COLUMNS = [
  'link_id',
  'link_type',
  'link_state',
  'link_quota',
  'expires_at',
  'deleted_at',
  'redirects',
] as const;
const SURVEY_COLUMNS = [
  'survey_id',
  'survey_status',
  'published_version',
  'closed_at',
  'quality_settings',
  'survey_settings',
] as const;

/** A link with its survey, as a respondent who opens it needs it. A deleted link may still finish responses for a while. */
export type OpenLinkRow = Pick<LinkTable, 'link_token' | (typeof LINK_COLUMNS)[number]> &
  Pick<SurveyTable, (typeof SURVEY_COLUMNS)[number]> &
  Pick<WaveTable, 'wave_start_date' | 'wave_end_date'> & {
    /** The wave of a response that starts now; null: the survey has no waves. */
    wave_id: number | null;
    /** How often the quotas of that wave were set; 0: it has none. */
    quota_revision: number;
    /** null: the token is the link's own. Else it is the token of an invitation through this link. */
    invitation:
      | (Pick<InvitationTable, 'invitation_id' | 'invitation_status' | 'has_ended'> & {
          /** null: the respondent is erased. */
          respondent:
            (Pick<RespondentTable, 'respondent_id' | 'respondent_name'> & { attributes: Attributes }) | null;
        })
      | null;
  };

/** Looks up links by token alone, their own or that of an invitation: a respondent has no organization, so there is no scope. */
export class OpenLinkRepository {
  constructor(private readonly db: Database) {}

  /**
   * Returns rows by token, with the wave that applies at `now`: that of the link, else the open wave of the survey that started last.
   * While no wave is open: the one that ended last if that was after `recently`, else the next to start, else the last to end.
   */
  async byTokens(
    tokens: string[],
    { now, recently }: { now: Date; recently: Date },
  ): Promise<Map<string, OpenLinkRow>> {
    // Raw SQL: the hot path of opening a link; looks in two tables for the token and picks the wave in a lateral join.
    const rows = await queryRows<OpenLinkRow>(
      this.db,
      `SELECT t.link_token, t.invitation, ${qualifyColumns('links', LINK_COLUMNS).join(', ')},
              v.wave_id, v.wave_start_date, v.wave_end_date, coalesce(v.quota_revision, 0) AS quota_revision,
              ${qualifyColumns('surveys', SURVEY_COLUMNS).join(', ')}
       FROM (
         SELECT link_token, link_id, NULL::json AS invitation FROM links WHERE link_token = ANY(?)
         UNION ALL
         SELECT i.link_token, i.link_id, json_build_object('invitation_id', i.invitation_id,
             'invitation_status', i.invitation_status, 'has_ended', i.has_ended,
             'respondent', (SELECT json_build_object('respondent_id', r.respondent_id, 'respondent_name', r.respondent_name,
               'attributes', r.attributes) FROM respondents r WHERE r.respondent_id = i.respondent_id AND r.erased_at IS NULL))
         FROM invitations i WHERE i.link_token = ANY(?)
       ) t
       JOIN links ON links.link_id = t.link_id
       JOIN surveys ON surveys.survey_id = links.survey_id AND surveys.survey_status <> 0
       JOIN workspaces w ON w.workspace_id = surveys.workspace_id AND w.deleted_at IS NULL
       LEFT JOIN LATERAL (
         SELECT v.* FROM waves v
         CROSS JOIN LATERAL (SELECT CASE WHEN v.wave_end_date <= ? THEN CASE WHEN v.wave_end_date > ? THEN 2 ELSE 4 END
           WHEN v.wave_start_date > ? THEN 3 ELSE 1 END AS rank) r
         WHERE v.survey_id = links.survey_id AND v.deleted_at IS NULL AND (links.wave_id IS NULL OR v.wave_id = links.wave_id)
         ORDER BY r.rank, CASE WHEN r.rank = 3 THEN v.wave_start_date END,
           CASE WHEN r.rank IN (2, 4) THEN v.wave_end_date END DESC, v.wave_start_date DESC NULLS LAST, v.wave_id DESC
         LIMIT 1) v ON true`,
      [tokens, tokens, now, recently, now],
    );
    return new Map(rows.map((row) => [row.link_token, row]));
  }

  /** Returns the token of the oldest link of the oldest active survey with this name. */
  async findTokenBySurveyName(name: string): Promise<string | null> {
    const row = await this.db('surveys')
      .join('links', 'links.survey_id', 'surveys.survey_id')
      .join('workspaces', 'workspaces.workspace_id', 'surveys.workspace_id')
      .first<Pick<LinkTable, 'link_token'> | undefined>('links.link_token')
      .where(qualifyValues('surveys', { survey_name: name, survey_status: 2 }))
      .where(qualifyValues('links', { deleted_at: null }))
      .where(qualifyValues('workspaces', { deleted_at: null }))
      .orderBy(['surveys.survey_id', 'links.link_id']);
    return row?.link_token ?? null;
  }

  /** Locks the links until the transaction ends, for a caller that counts their responses. Returns each link's limit. */
  async lock(linkIds: readonly number[]): Promise<Map<number, number | null>> {
    const rows = await this.db('links')
      .select('link_id', 'link_type', 'link_quota')
      .where({ link_id: anyOf(this.db, linkIds) })
      .orderBy('link_id')
      .forUpdate();
    return new Map(rows.map((row) => [row.link_id, linkLimit(row.link_type, row.link_quota)]));
  }
}
