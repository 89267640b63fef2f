import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';
import { linkLimit } from '../domain/survey/link-status.ts';
import type { InvitationStatus } from '../domain/invitations/invitation-status.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';
import type { Redirects } from '../domain/survey/settings/redirects.ts';

/** A link as whoever follows it meets it, with the survey behind it. */
export interface OpenLinkRow {
  link_token: string;
  link_id: number;
  link_type: 'open' | 'unique' | 'panel';
  link_state: 'active' | 'paused';
  link_quota: number | null;
  /** The wave that a response which begins now would belong to; null: its survey has none. */
  wave_id: number | null;
  wave_start_date: Date | null;
  wave_end_date: Date | null;
  /** How often the quotas of that wave were set; 0: it has none. */
  quota_revision: number;
  expires_at: Date | null;
  /** Whoever had begun by then may finish for a while. */
  deleted_at: Date | null;
  survey_id: number;
  survey_status: number;
  published_version: number | null;
  closed_at: Date | null;
  /** Only what was chosen; see domain/survey/settings/quality-settings.ts. */
  quality_settings: Record<string, unknown>;
  /** Likewise; see survey-settings.ts beside it. */
  survey_settings: Record<string, unknown>;
  redirects: Redirects;
  /** Of an invited person's own address; it leads through the link that they were invited to. */
  invitation: {
    invitation_id: number;
    invitation_status: InvitationStatus;
    has_ended: boolean;
    /** null: their respondent is erased. */
    respondent: { respondent_id: number; respondent_name: string | null; attributes: Attributes } | null;
  } | null;
}

/** Links by their token, or that of an invitation through them, alone: a respondent has no organization, so this is the one look-up without a scope. */
export class OpenLinkRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /**
   * With the wave that counts at `now`: the link's own, else of the survey's the one that is open, of several the one that started
   * last; while none is open, the one that ended last if that was after `recently`, else the next to start, else the last to end.
   */
  async byTokens(
    tokens: string[],
    { now, recently }: { now: Date; recently: Date },
  ): Promise<Map<string, OpenLinkRow>> {
    const rows = await rowsOf<OpenLinkRow>(
      this.db,
      `SELECT t.link_token, t.invitation, l.link_id, l.link_type, l.link_state, l.link_quota, l.expires_at, l.deleted_at,
              v.wave_id, v.wave_start_date, v.wave_end_date, coalesce(v.quota_revision, 0) AS quota_revision,
              s.survey_id, s.survey_status, s.published_version, s.closed_at, s.quality_settings, s.survey_settings, l.redirects
       FROM (
         SELECT link_token, link_id, NULL::json AS invitation FROM links WHERE link_token = ANY(?)
         UNION ALL
         SELECT i.link_token, i.link_id, json_build_object('invitation_id', i.invitation_id,
             'invitation_status', i.invitation_status, 'has_ended', i.has_ended,
             'respondent', (SELECT json_build_object('respondent_id', r.respondent_id, 'respondent_name', r.respondent_name,
               'attributes', r.attributes) FROM respondents r WHERE r.respondent_id = i.respondent_id AND r.erased_at IS NULL))
         FROM invitations i WHERE i.link_token = ANY(?)
       ) t
       JOIN links l ON l.link_id = t.link_id
       JOIN surveys s ON s.survey_id = l.survey_id AND s.survey_status <> 0
       JOIN workspaces w ON w.workspace_id = s.workspace_id AND w.deleted_at IS NULL
       LEFT JOIN LATERAL (
         SELECT v.* FROM waves v
         CROSS JOIN LATERAL (SELECT CASE WHEN v.wave_end_date <= ? THEN CASE WHEN v.wave_end_date > ? THEN 2 ELSE 4 END
           WHEN v.wave_start_date > ? THEN 3 ELSE 1 END AS place) r
         WHERE v.survey_id = l.survey_id AND v.deleted_at IS NULL AND (l.wave_id IS NULL OR v.wave_id = l.wave_id)
         ORDER BY place, CASE WHEN place = 3 THEN v.wave_start_date END,
           CASE WHEN place IN (2, 4) THEN v.wave_end_date END DESC, v.wave_start_date DESC NULLS LAST, v.wave_id DESC
         LIMIT 1) v ON true`,
      [tokens, tokens, now, recently, now],
    );
    return new Map(rows.map((row) => [row.link_token, row]));
  }

  /** Of the oldest survey of that name that takes responses. */
  async tokenOfSurveyNamed(name: string): Promise<string | null> {
    const row = await rowOf<{ link_token: string }>(
      this.db,
      `SELECT l.link_token FROM surveys s JOIN links l ON l.survey_id = s.survey_id
       JOIN workspaces w ON w.workspace_id = s.workspace_id AND w.deleted_at IS NULL
       WHERE s.survey_name = ? AND s.survey_status = 2 AND l.deleted_at IS NULL
       ORDER BY s.survey_id, l.link_id LIMIT 1`,
      [name],
    );
    return row?.link_token ?? null;
  }

  /** Whoever counts what came through a link holds this until their transaction ends. Gives each link's limit. */
  async lock(linkIds: readonly number[]): Promise<Map<number, number | null>> {
    const rows = await rowsOf<Pick<OpenLinkRow, 'link_id' | 'link_type' | 'link_quota'>>(
      this.db,
      `SELECT link_id, link_type, link_quota FROM links WHERE link_id = ANY(?::bigint[]) ORDER BY link_id FOR UPDATE`,
      [linkIds],
    );
    return new Map(rows.map((row) => [row.link_id, linkLimit(row.link_type, row.link_quota)]));
  }
}
