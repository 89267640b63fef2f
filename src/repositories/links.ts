import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';
import type { Redirects } from '../domain/survey/settings/redirects.ts';

export type LinkType = 'open' | 'unique' | 'panel';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

export interface LinkRow {
  link_id: number;
  link_type: LinkType;
  link_name: string;
  link_token: string;
  link_quota: number | null;
  link_state: 'active' | 'paused';
  expires_at: Date | null;
  redirects: Redirects;
  created_at: Date;
  /** Not deleted, not test. */
  response_count: number;
  complete_count: number;
}

const COLUMNS =
  'l.link_id, l.link_type, l.link_name, l.link_token, l.link_quota, l.link_state, l.expires_at, l.redirects, l.created_at';

const SELECT = `SELECT ${COLUMNS}, c.response_count, c.complete_count
  FROM links l CROSS JOIN LATERAL (
    SELECT coalesce(sum(n.response_count), 0)::bigint AS response_count,
           coalesce(sum(n.complete_count), 0)::bigint AS complete_count
    FROM response_counts n WHERE n.survey_id = l.survey_id AND n.link_id = l.link_id
  ) c`;
const OF_SURVEY = 'l.organization_id = ? AND l.survey_id = ? AND l.deleted_at IS NULL';

/** The ways into a survey, as their owners manage them. */
export class LinkRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Oldest first. */
  ofSurvey({ organizationId, surveyId }: SurveyKey): Promise<LinkRow[]> {
    return rowsOf(this.db, `${SELECT} WHERE ${OF_SURVEY} ORDER BY l.link_id`, [organizationId, surveyId]);
  }

  find({ organizationId, surveyId }: SurveyKey, linkId: number): Promise<LinkRow | null> {
    return rowOf(this.db, `${SELECT} WHERE ${OF_SURVEY} AND l.link_id = ?`, [
      organizationId,
      surveyId,
      linkId,
    ]);
  }

  async create(
    { organizationId, surveyId }: SurveyKey,
    link: {
      type: LinkType;
      name: string;
      token: string;
      quota: number | null;
      expiresAt: Date | null;
      redirects: Redirects;
    },
  ): Promise<LinkRow> {
    const row = await rowOf<LinkRow>(
      this.db,
      `INSERT INTO links AS l (organization_id, survey_id, link_type, link_name, link_token, link_quota, expires_at, redirects)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}, 0 AS response_count, 0 AS complete_count`,
      [
        organizationId,
        surveyId,
        link.type,
        link.name,
        link.token,
        link.quota,
        link.expiresAt,
        JSON.stringify(link.redirects),
      ],
    );
    return row!;
  }
}
