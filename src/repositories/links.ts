import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryCount, queryPreparedRows, queryRows } from '../db/rows.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';
import { linkLimit, type LinkState, type LinkStatus, type LinkType } from '../domain/survey/status.ts';
import { requireRow } from '../lib/require-value.ts';
import { type MismatchFigures, NO_MISMATCHES, withMismatchCounts } from './link-signatures.ts';
import { countRows, type IdOrder, type IdPage, selectIdPage } from './list-queries.ts';
import { type LinkFigures, listFullLinks, listFullSurveys, withLinkCounts } from './response-counts.ts';
import { SHOWN_SETTINGS } from './surveys.ts';
import { qualifyColumns, qualifyValues } from './tables/table.ts';
import type { InvitationTable, LinkTable, RespondentTable, WaveTable } from './tables/field.ts';
import type { SurveyTable } from './tables/surveys.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

const LINK_COLUMNS = [
  'link_id',
  'survey_id',
  'link_type',
  'link_name',
  'link_token',
  'link_slug',
  'link_quota',
  'link_state',
  'wave_id',
  'expires_at',
  'redirects',
  'created_at',
  'requires_signature',
  'signing_key_created_at',
] as const;

type UncountedLinkRow = Pick<LinkTable, (typeof LINK_COLUMNS)[number]> & {
  /** The link's wave is active. For a link without a wave: one of its survey's waves is active, or the survey has none. */
  in_open_wave: boolean;
};

export type LinkRow = UncountedLinkRow & LinkFigures & MismatchFigures;

/** The properties of a link that a user sets. */
export interface LinkFields {
  name: string;
  /** Unique in the installation. */
  slug: string | null;
  quota: number | null;
  expiresAt: Date | null;
  redirects: LinkTable['redirects'];
  /** A wave of the same survey. */
  waveId: number | null;
  /** Refuses respondents without a valid signature of the panel. */
  requiresSignature: boolean;
}

export interface NewLink extends LinkFields {
  type: LinkType;
}

/** Joins `wave` to `links`, with `in_open_wave` as `findOpenByTokens` decides it. Binds the current time twice. */
const LINK_WAVE = `CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(coalesce(v.wave_start_date <= ?, true) AND coalesce(v.wave_end_date > ?, true)), true) AS in_open_wave
    FROM waves v
    WHERE v.survey_id = links.survey_id AND v.deleted_at IS NULL AND (links.wave_id IS NULL OR v.wave_id = links.wave_id)
  ) wave`;

/** Filters of the list; null: no filter. */
export interface LinkSearch {
  surveyId: number | null;
  type: LinkType | null;
  /** The status at `now`. */
  status: LinkStatus | null;
  /** A part of the name, ignoring case, or a token. */
  text: string | null;
  now: Date;
}

export interface LinkListPage extends IdPage {
  order: IdOrder;
}

export type ListedLinkRow = LinkRow &
  Pick<SurveyTable, 'survey_status'> & {
    /** The closing time of the survey. */
    closes_at: string | null;
  };

/** Links that accept no further response, because of their quota or the limit of their survey. */
interface FullLinks {
  linkIds: readonly number[];
  surveyIds: readonly number[];
}

const NOTHING_FULL: FullLinks = { linkIds: [], surveyIds: [] };

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

const CLOSES_AT = `surveys.survey_settings ->> 'closes_at'`;

/**
 * The status as domain/survey/status.ts decides it, from `links`, `surveys` and `wave`. Binds the current time twice, the full links and the
 * full surveys.
 */
const STATUS = `CASE WHEN links.expires_at <= ? THEN 'expired'
  WHEN surveys.survey_status <> 2 OR coalesce((${CLOSES_AT})::timestamptz <= ?, false) OR NOT wave.in_open_wave THEN 'closed'
  WHEN links.link_id = ANY(?::bigint[]) OR links.survey_id = ANY(?::bigint[]) THEN 'full' ELSE links.link_state END`;

const OPEN_LINK_COLUMNS = [
  'link_id',
  'link_type',
  'link_state',
  'link_quota',
  'expires_at',
  'deleted_at',
  'redirects',
  'requires_signature',
  'signing_key',
] as const;

const SURVEY_COLUMNS = [
  'survey_id',
  'survey_status',
  'published_version',
  'closed_at',
  'quality_settings',
] as const;

/**
 * The length that PostgreSQL assumes for an array in a plan without values. A shorter array seems cheaper, so that PostgreSQL plans each
 * execution for its values; repeating an element prevents this and does not change the result.
 */
const ASSUMED_ARRAY_LENGTH = 10;

/** A link with its survey, as a respondent who opens it needs it. A deleted link may still finish responses for a while. */
export type OpenLinkRow = Pick<LinkTable, 'link_token' | (typeof OPEN_LINK_COLUMNS)[number]> &
  Pick<SurveyTable, (typeof SURVEY_COLUMNS)[number] | 'survey_settings'> &
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

/** The links of surveys. Deleted links are not found. */
export class LinkRepository {
  constructor(private readonly db: Database) {}

  /** Oldest first. */
  async listBySurvey(scope: SurveyKey, now: Date): Promise<LinkRow[]> {
    return this.withFigures(await this.selectRows(scope, now).orderBy('link_id'));
  }

  async find(scope: SurveyKey, linkId: number, now: Date): Promise<LinkRow | null> {
    const [row] = await this.withFigures(await this.selectRows(scope, now).where({ link_id: linkId }));
    return row ?? null;
  }

  /** Returns those of the ids that are links of the survey. Keeps others from changing or counting by them until the transaction ends. */
  async lock(scope: SurveyKey, linkIds: readonly number[]): Promise<Set<number>> {
    const locked = await this.queryLinks(scope)
      .where({ link_id: anyOf(this.db, linkIds) })
      .orderBy('link_id')
      .forUpdate()
      .pluck('link_id');
    return new Set(locked);
  }

  async create(scope: SurveyKey, link: NewLink & { token: string }, now: Date): Promise<LinkRow> {
    return requireRow(await this.createMany(scope, [link], now), 'links');
  }

  /** Creates all in one statement, in the order given. */
  async createMany(
    { organizationId, surveyId }: SurveyKey,
    links: readonly (NewLink & { token: string })[],
    now: Date,
  ): Promise<LinkRow[]> {
    // Raw SQL: bulk insert, joined with the waves of the new links.
    const created = await queryRows<Omit<LinkRow, keyof MismatchFigures>>(
      this.db,
      `WITH created AS (
         INSERT INTO links (organization_id, survey_id, link_type, link_name, link_token, link_slug, link_quota, wave_id, expires_at, redirects, requires_signature)
         SELECT ?, ?, type, name, token, slug, quota, wave_id, expires_at, redirects, requires_signature
         FROM json_to_recordset(?::json) AS given (position integer, type text, name text, token text, slug text, quota integer,
           wave_id bigint, expires_at timestamptz, redirects jsonb, requires_signature boolean) ORDER BY given.position
         RETURNING ${LINK_COLUMNS.join(', ')})
       SELECT ${qualifyColumns('links', LINK_COLUMNS).join(', ')}, wave.in_open_wave, 0 AS response_count, 0 AS complete_count, false AS is_survey_full
       FROM created AS links ${LINK_WAVE}`,
      [
        organizationId,
        surveyId,
        JSON.stringify(
          links.map(({ expiresAt, waveId, requiresSignature, ...link }, position) => ({
            ...link,
            position,
            expires_at: expiresAt,
            wave_id: waveId,
            requires_signature: requiresSignature,
          })),
        ),
        now,
        now,
      ],
    );
    const rows = created.map((row) => ({ ...row, ...NO_MISMATCHES }));
    rows.sort((one, other) => one.link_id - other.link_id);
    await this.setLimits(surveyId, rows);
    return rows;
  }

  /** The caller has locked the link. */
  async update(scope: SurveyKey, linkId: number, link: LinkFields & { state: LinkState }): Promise<void> {
    const updated = await this.queryLinks(scope)
      .where({ link_id: linkId })
      .update({
        link_name: link.name,
        link_slug: link.slug,
        link_quota: link.quota,
        link_state: link.state,
        wave_id: link.waveId,
        expires_at: link.expiresAt,
        redirects: JSON.stringify(link.redirects),
        requires_signature: link.requiresSignature,
      })
      .returning(['link_id', 'link_type', 'link_quota']);
    await this.setLimits(scope.surveyId, updated);
  }

  /** Waits for transactions that count responses of these links. */
  private async setLimits(
    surveyId: number,
    links: readonly Pick<LinkTable, 'link_id' | 'link_type' | 'link_quota'>[],
  ): Promise<void> {
    const limits = links.map((link) => ({
      linkId: link.link_id,
      limit: linkLimit(link.link_type, link.link_quota),
    }));
    const unlimited = limits.filter(({ limit }) => limit === null).map(({ linkId }) => linkId);
    if (unlimited.length > 0)
      await this.db('link_limits')
        .where({ survey_id: surveyId, link_id: anyOf(this.db, unlimited) })
        .delete();
    const limited = limits.filter(({ limit }) => limit !== null);
    if (limited.length === 0) return;
    // Raw SQL: a bulk upsert from unnest.
    await queryCount(
      this.db,
      `INSERT INTO link_limits (survey_id, link_id, max_completes)
       SELECT ?, link_id, max_completes FROM unnest(?::bigint[], ?::integer[]) AS given (link_id, max_completes)
       ON CONFLICT (survey_id, link_id) DO UPDATE SET max_completes = excluded.max_completes`,
      [surveyId, limited.map(({ linkId }) => linkId), limited.map(({ limit }) => limit)],
    );
  }

  /** The caller has locked the links. */
  async setState(scope: SurveyKey, linkIds: readonly number[], state: LinkState): Promise<void> {
    await this.queryLinks(scope)
      .where({ link_id: anyOf(this.db, linkIds) })
      .update({ link_state: state });
  }

  /** Marks links as deleted and keeps their data. The caller has locked the links. */
  async delete(scope: SurveyKey, linkIds: readonly number[]): Promise<void> {
    await this.queryLinks(scope)
      .where({ link_id: anyOf(this.db, linkIds) })
      .update({ deleted_at: this.db.fn.now() });
  }

  /** Returns the slug, if a link has it, and those that begin with it and a hyphen; deleted links keep theirs. */
  async listSlugsLike(slug: string): Promise<Set<string>> {
    const slugs = await this.db('links')
      .where((similar) => {
        void similar.where({ link_slug: slug }).orWhereLike('link_slug', `${slug}-%`);
      })
      .whereNotNull('link_slug')
      .pluck('link_slug');
    return new Set(slugs.filter((one) => one !== null));
  }

  /** Takes a slug from the deleted links of an organization, which can then use it again. */
  async releaseSlug(organizationId: number, slug: string): Promise<void> {
    await this.db('links')
      .where({ organization_id: organizationId, link_slug: slug })
      .whereNotNull('deleted_at')
      .update({ link_slug: null });
  }

  /** Returns the token of the link with this slug, also of a deleted one; null: no link has it. */
  async findTokenBySlug(slug: string): Promise<string | null> {
    const link = await this.db('links').where({ link_slug: slug }).first('link_token');
    return link?.link_token ?? null;
  }

  private async withFigures<Link extends UncountedLinkRow>(
    links: readonly Link[],
  ): Promise<(Link & LinkFigures & MismatchFigures)[]> {
    return withMismatchCounts(this.db, await withLinkCounts(this.db, links));
  }

  private queryLinks({ organizationId, surveyId }: SurveyKey) {
    return this.db('links').where({
      organization_id: organizationId,
      survey_id: surveyId,
      deleted_at: null,
    });
  }

  private selectRows(scope: SurveyKey, now: Date) {
    return this.queryLinks(scope)
      .joinRaw(LINK_WAVE, [now, now])
      .select(...LINK_COLUMNS)
      .select<UncountedLinkRow[]>('wave.in_open_wave');
  }

  /** Returns one row more than `limit` if there are more. */
  async list(
    scope: InWorkspace,
    search: LinkSearch,
    { order, ...page }: LinkListPage,
  ): Promise<{ found: ListedLinkRow[]; total: number }> {
    const full = search.status === null ? NOTHING_FULL : await this.listFull(scope, search);
    const rows = this.queryMatching(scope, search, full).select(
      ...qualifyColumns('links', LINK_COLUMNS),
      'surveys.survey_status',
      this.db.raw(`${CLOSES_AT} AS closes_at`),
    );
    const found = await this.db
      .withMaterialized('page', selectIdPage(rows, { idColumn: 'links.link_id', order }, page))
      .from({ links: 'page' })
      .joinRaw(LINK_WAVE, [search.now, search.now])
      .select<Omit<ListedLinkRow, keyof LinkFigures | keyof MismatchFigures>[]>(
        'links.*',
        'wave.in_open_wave',
      )
      .orderBy('links.link_id', order === 'oldest_first' ? 'asc' : 'desc');
    return {
      found: await this.withFigures(found),
      total: await countRows(this.queryMatching(scope, search, full)),
    };
  }

  /** What is full of the surveys in which links are searched. */
  private async listFull(
    { organizationId, workspaceId }: InWorkspace,
    { surveyId }: LinkSearch,
  ): Promise<FullLinks> {
    const surveys = this.db('surveys')
      .where({ organization_id: organizationId, workspace_id: workspaceId })
      .whereNot({ survey_status: 0 });
    if (surveyId !== null) void surveys.where({ survey_id: surveyId });
    const surveyIds = await surveys.pluck('survey_id');
    return {
      linkIds: await listFullLinks(this.db, surveyIds),
      surveyIds: await listFullSurveys(this.db, surveyIds),
    };
  }

  private queryMatching(
    { organizationId, workspaceId }: InWorkspace,
    { surveyId, type, status, text, now }: LinkSearch,
    full: FullLinks,
  ) {
    const query = this.db('surveys')
      .join('links', 'links.survey_id', 'surveys.survey_id')
      .where(qualifyValues('surveys', { organization_id: organizationId, workspace_id: workspaceId }))
      .whereNot(qualifyValues('surveys', { survey_status: 0 }))
      .where(qualifyValues('links', { organization_id: organizationId, deleted_at: null }));
    if (surveyId !== null) void query.where(qualifyValues('links', { survey_id: surveyId }));
    if (type !== null) void query.where(qualifyValues('links', { link_type: type }));
    if (text !== null)
      void query.whereRaw('(links.link_token = ? OR position(lower(?) IN lower(links.link_name)) > 0)', [
        text,
        text,
      ]);
    if (status !== null)
      void query
        .joinRaw(LINK_WAVE, [now, now])
        .whereRaw(`${STATUS} = ?`, [now, now, [...full.linkIds], [...full.surveyIds], status]);
    return query;
  }

  /**
   * Returns rows by token, with the wave that applies at `now`: that of the link, else the open wave of the survey that started last.
   * While no wave is open: the one that ended last if that was after `recently`, else the next to start, else the last to end.
   */
  async findOpenByTokens(
    tokens: string[],
    { now, recently }: { now: Date; recently: Date },
  ): Promise<Map<string, OpenLinkRow>> {
    const missing = Math.max(0, ASSUMED_ARRAY_LENGTH - tokens.length);
    const padded = [...tokens, ...Array<string | null>(missing).fill(tokens[0] ?? null)];
    // Raw SQL: the hot path of opening a link; looks in two tables for the token and picks the wave in a lateral join. Prepared: planning
    // takes eight times as long as running.
    const rows = await queryPreparedRows<OpenLinkRow>(
      this.db,
      'open_links_by_token',
      `SELECT t.link_token, t.invitation, ${qualifyColumns('links', OPEN_LINK_COLUMNS).join(', ')},
              v.wave_id, v.wave_start_date, v.wave_end_date, coalesce(v.quota_revision, 0) AS quota_revision,
              ${qualifyColumns('surveys', SURVEY_COLUMNS).join(', ')}, ${SHOWN_SETTINGS}
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
       JOIN workspaces ON workspaces.workspace_id = surveys.workspace_id AND workspaces.deleted_at IS NULL
       LEFT JOIN LATERAL (
         SELECT v.* FROM waves v
         CROSS JOIN LATERAL (SELECT CASE WHEN v.wave_end_date <= ? THEN CASE WHEN v.wave_end_date > ? THEN 2 ELSE 4 END
           WHEN v.wave_start_date > ? THEN 3 ELSE 1 END AS rank) r
         WHERE v.survey_id = links.survey_id AND v.deleted_at IS NULL AND (links.wave_id IS NULL OR v.wave_id = links.wave_id)
         ORDER BY r.rank, CASE WHEN r.rank = 3 THEN v.wave_start_date END,
           CASE WHEN r.rank IN (2, 4) THEN v.wave_end_date END DESC, v.wave_start_date DESC NULLS LAST, v.wave_id DESC
         LIMIT 1) v ON true`,
      [padded, padded, now, recently, now],
    );
    return new Map(rows.map((row) => [row.link_token, row]));
  }

  /** Returns the token of the oldest link of the oldest active survey with this name. */
  async findOpenTokenBySurveyName(name: string): Promise<string | null> {
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
}
