import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { Redirects } from '../domain/survey/settings/redirects.ts';

export type LinkType = 'open' | 'unique' | 'panel';
export type LinkState = 'active' | 'paused';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

export interface LinkRow {
  link_id: number;
  survey_id: number;
  link_type: LinkType;
  link_name: string;
  link_token: string;
  link_quota: number | null;
  link_state: LinkState;
  wave_id: number | null;
  expires_at: Date | null;
  redirects: Redirects;
  created_at: Date;
  /** Its wave is active; of a link without one, a wave of its survey is, or it has none. */
  in_open_wave: boolean;
  /** Not deleted, not test. */
  response_count: number;
  complete_count: number;
}

/** What its owners decide about a link. */
export interface LinkFields {
  name: string;
  quota: number | null;
  expiresAt: Date | null;
  redirects: Redirects;
  /** Of the same survey. */
  waveId: number | null;
}

export interface NewLink extends LinkFields {
  type: LinkType;
}

export const LINK_COLUMNS =
  'l.link_id, l.survey_id, l.link_type, l.link_name, l.link_token, l.link_quota, l.link_state, l.wave_id, l.expires_at, l.redirects, l.created_at';
/**
 * The counts of a link l: a look-up by the key for each row that is shown. Joined with all counts at once the planner, which knows
 * nothing yet of ten thousand links just made, compares each with each.
 */
export const LINK_COUNTS = `CROSS JOIN LATERAL (
    SELECT coalesce(sum(n.response_count), 0)::bigint AS response_count, coalesce(sum(n.complete_count), 0)::bigint AS complete_count
    FROM response_counts n WHERE n.survey_id = l.survey_id AND n.link_id = l.link_id
  ) c`;

/** Whether a wave of a link l lets anybody begin, as entrances have it (repositories/open-links.ts); binds the moment twice. */
export const LINK_WAVE = `CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(coalesce(v.wave_start_date <= ?, true) AND coalesce(v.wave_end_date > ?, true)), true) AS in_open_wave
    FROM waves v
    WHERE v.survey_id = l.survey_id AND v.deleted_at IS NULL AND (l.wave_id IS NULL OR v.wave_id = l.wave_id)
  ) w`;

const SELECT = `SELECT ${LINK_COLUMNS}, w.in_open_wave, c.response_count, c.complete_count FROM links l ${LINK_COUNTS} ${LINK_WAVE}`;
const OF_SURVEY = 'l.organization_id = ? AND l.survey_id = ? AND l.deleted_at IS NULL';

/** The ways into a survey, as their owners manage them. */
export class LinkRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** All of them, oldest first. */
  ofSurvey({ organizationId, surveyId }: SurveyKey, now: Date): Promise<LinkRow[]> {
    return rowsOf(this.db, `${SELECT} WHERE ${OF_SURVEY} ORDER BY l.link_id`, [
      now,
      now,
      organizationId,
      surveyId,
    ]);
  }

  find({ organizationId, surveyId }: SurveyKey, linkId: number, now: Date): Promise<LinkRow | null> {
    return rowOf(this.db, `${SELECT} WHERE ${OF_SURVEY} AND l.link_id = ?`, [
      now,
      now,
      organizationId,
      surveyId,
      linkId,
    ]);
  }

  /** Those of the ids that are links of the survey; nobody else changes them, or counts by them, until the transaction ends. */
  async lock({ organizationId, surveyId }: SurveyKey, linkIds: readonly number[]): Promise<Set<number>> {
    const rows = await rowsOf<{ link_id: number }>(
      this.db,
      `SELECT l.link_id FROM links l WHERE ${OF_SURVEY} AND l.link_id = ANY(?::bigint[]) ORDER BY l.link_id FOR UPDATE`,
      [organizationId, surveyId, linkIds],
    );
    return new Set(rows.map((row) => row.link_id));
  }

  async create(scope: SurveyKey, link: NewLink & { token: string }, now: Date): Promise<LinkRow> {
    const [row] = await this.createMany(scope, [link], now);
    return row!;
  }

  /** All in one statement, in the order given. */
  async createMany(
    { organizationId, surveyId }: SurveyKey,
    links: readonly (NewLink & { token: string })[],
    now: Date,
  ): Promise<LinkRow[]> {
    const rows = await rowsOf<LinkRow>(
      this.db,
      `WITH l AS (
         INSERT INTO links AS l (organization_id, survey_id, link_type, link_name, link_token, link_quota, wave_id, expires_at,
           redirects)
         SELECT ?, ?, type, name, token, quota, wave_id, expires_at, redirects
         FROM json_to_recordset(?::json) AS given (place integer, type text, name text, token text, quota integer,
           wave_id bigint, expires_at timestamptz, redirects jsonb) ORDER BY place
         RETURNING ${LINK_COLUMNS})
       SELECT l.*, w.in_open_wave, 0 AS response_count, 0 AS complete_count FROM l ${LINK_WAVE}`,
      [
        organizationId,
        surveyId,
        JSON.stringify(
          links.map(({ expiresAt, waveId, ...link }, place) => ({
            ...link,
            place,
            expires_at: expiresAt,
            wave_id: waveId,
          })),
        ),
        now,
        now,
      ],
    );
    return rows.sort((one, other) => one.link_id - other.link_id);
  }

  /** The caller holds it. */
  async update(
    { organizationId, surveyId }: SurveyKey,
    linkId: number,
    link: LinkFields & { state: LinkState },
  ): Promise<void> {
    await countOf(
      this.db,
      `UPDATE links AS l SET link_name = ?, link_quota = ?, link_state = ?, wave_id = ?, expires_at = ?, redirects = ?
       WHERE ${OF_SURVEY} AND l.link_id = ?`,
      [
        link.name,
        link.quota,
        link.state,
        link.waveId,
        link.expiresAt,
        JSON.stringify(link.redirects),
        organizationId,
        surveyId,
        linkId,
      ],
    );
  }

  /** The caller holds them. */
  async setState(
    { organizationId, surveyId }: SurveyKey,
    linkIds: readonly number[],
    state: LinkState,
  ): Promise<void> {
    await countOf(
      this.db,
      `UPDATE links AS l SET link_state = ? WHERE ${OF_SURVEY} AND l.link_id = ANY(?::bigint[])`,
      [state, organizationId, surveyId, linkIds],
    );
  }

  /** The caller holds them. Nothing is erased. */
  async delete({ organizationId, surveyId }: SurveyKey, linkIds: readonly number[]): Promise<void> {
    await countOf(
      this.db,
      `UPDATE links AS l SET deleted_at = now() WHERE ${OF_SURVEY} AND l.link_id = ANY(?::bigint[])`,
      [organizationId, surveyId, linkIds],
    );
  }
}
