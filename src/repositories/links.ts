import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { LinkState, LinkTable, LinkType } from './tables/field.ts';

export type { LinkState, LinkType } from './tables/field.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

export const LINK_COLUMNS = [
  'link_id',
  'survey_id',
  'link_type',
  'link_name',
  'link_token',
  'link_quota',
  'link_state',
  'wave_id',
  'expires_at',
  'redirects',
  'created_at',
] as const;

export type LinkRow = Pick<LinkTable, (typeof LINK_COLUMNS)[number]> & {
  /** The link's wave is active. For a link without a wave: one of its survey's waves is active, or the survey has none. */
  in_open_wave: boolean;
  /** Without deleted and test responses. */
  response_count: number;
  complete_count: number;
};

/** The properties of a link that a user sets. */
export interface LinkFields {
  name: string;
  quota: number | null;
  expiresAt: Date | null;
  redirects: LinkTable['redirects'];
  /** A wave of the same survey. */
  waveId: number | null;
}

export interface NewLink extends LinkFields {
  type: LinkType;
}

/**
 * Joins `counts` to `links`: one look-up by the key for each row shown. After a join with all counts at once the planner, which has no
 * statistics of ten thousand new links yet, would compare each link with each count.
 */
export const LINK_COUNTS = `CROSS JOIN LATERAL (
    SELECT coalesce(sum(n.response_count), 0)::bigint AS response_count, coalesce(sum(n.complete_count), 0)::bigint AS complete_count
    FROM response_counts n WHERE n.survey_id = links.survey_id AND n.link_id = links.link_id
  ) counts`;

/** Joins `wave` to `links`, with `in_open_wave` as repositories/open-links.ts decides it. Binds the current time twice. */
export const LINK_WAVE = `CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(coalesce(v.wave_start_date <= ?, true) AND coalesce(v.wave_end_date > ?, true)), true) AS in_open_wave
    FROM waves v
    WHERE v.survey_id = links.survey_id AND v.deleted_at IS NULL AND (links.wave_id IS NULL OR v.wave_id = links.wave_id)
  ) wave`;

/** The links of surveys, for the users who manage them. Deleted links are not found. */
export class LinkRepository {
  constructor(private readonly db: Database) {}

  /** Oldest first. */
  async listBySurvey(scope: SurveyKey, now: Date): Promise<LinkRow[]> {
    return this.selectRows(scope, now).orderBy('link_id');
  }

  async find(scope: SurveyKey, linkId: number, now: Date): Promise<LinkRow | null> {
    const [row] = await this.selectRows(scope, now).where({ link_id: linkId });
    return row ?? null;
  }

  /** Returns those of the ids that are links of the survey. Keeps others from changing or counting by them until the transaction ends. */
  async lock(scope: SurveyKey, linkIds: readonly number[]): Promise<Set<number>> {
    const locked = await this.linksOf(scope)
      .where({ link_id: anyOf(this.db, linkIds) })
      .orderBy('link_id')
      .forUpdate()
      .pluck('link_id');
    return new Set(locked);
  }

  async create(scope: SurveyKey, link: NewLink & { token: string }, now: Date): Promise<LinkRow> {
    const [row] = await this.createMany(scope, [link], now);
    return row!;
  }

  /** Creates all in one statement, in the order given. */
  async createMany(
    { organizationId, surveyId }: SurveyKey,
    links: readonly (NewLink & { token: string })[],
    now: Date,
  ): Promise<LinkRow[]> {
    // Raw SQL: bulk insert, joined with the waves of the new links.
    const rows = await queryRows<LinkRow>(
      this.db,
      `WITH created AS (
         INSERT INTO links (organization_id, survey_id, link_type, link_name, link_token, link_quota, wave_id, expires_at, redirects)
         SELECT ?, ?, type, name, token, quota, wave_id, expires_at, redirects
         FROM json_to_recordset(?::json) AS given (position integer, type text, name text, token text, quota integer,
           wave_id bigint, expires_at timestamptz, redirects jsonb) ORDER BY given.position
         RETURNING ${LINK_COLUMNS.join(', ')})
       SELECT ${qualifyColumns('links', LINK_COLUMNS).join(', ')}, wave.in_open_wave, 0 AS response_count, 0 AS complete_count
       FROM created AS links ${LINK_WAVE}`,
      [
        organizationId,
        surveyId,
        JSON.stringify(
          links.map(({ expiresAt, waveId, ...link }, position) => ({
            ...link,
            position,
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

  /** The caller has locked the link. */
  async update(scope: SurveyKey, linkId: number, link: LinkFields & { state: LinkState }): Promise<void> {
    await this.linksOf(scope)
      .where({ link_id: linkId })
      .update({
        link_name: link.name,
        link_quota: link.quota,
        link_state: link.state,
        wave_id: link.waveId,
        expires_at: link.expiresAt,
        redirects: JSON.stringify(link.redirects),
      });
  }

  /** The caller has locked the links. */
  async setState(scope: SurveyKey, linkIds: readonly number[], state: LinkState): Promise<void> {
    await this.linksOf(scope)
      .where({ link_id: anyOf(this.db, linkIds) })
      .update({ link_state: state });
  }

  /** Marks links as deleted and keeps their data. The caller has locked the links. */
  async delete(scope: SurveyKey, linkIds: readonly number[]): Promise<void> {
    await this.linksOf(scope)
      .where({ link_id: anyOf(this.db, linkIds) })
      .update({ deleted_at: this.db.fn.now() });
  }

  private linksOf({ organizationId, surveyId }: SurveyKey) {
    return this.db('links').where({
      organization_id: organizationId,
      survey_id: surveyId,
      deleted_at: null,
    });
  }

  private selectRows(scope: SurveyKey, now: Date) {
    return this.linksOf(scope)
      .joinRaw(LINK_COUNTS)
      .joinRaw(LINK_WAVE, [now, now])
      .select(...LINK_COLUMNS)
      .select<LinkRow[]>('wave.in_open_wave', 'counts.response_count', 'counts.complete_count');
  }
}
