import type { Knex } from 'knex';
import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryPreparedRows, queryRow, queryRows } from '../db/rows.ts';
import type { Arrangement } from '../domain/survey/blocks.ts';
import type { SurveyStatus } from '../domain/survey/status.ts';
import type { TranslationSources } from '../domain/questions/question.ts';
import { requireRow, requireValue } from '../lib/require-value.ts';
import { UTC } from '../lib/time-zone.ts';
import { countRows, splitKeys } from './list-queries.ts';
import { countBySurvey, NO_RESPONSES, type ResponseCounts } from './response-counts.ts';
import { qualifyColumns, qualifyValues } from './tables/table.ts';
import type { SurveyTable } from './tables/surveys.ts';

const STATE_COLUMNS = [
  'survey_id',
  'organization_id',
  'workspace_id',
  'survey_status',
  'survey_type',
  'survey_settings',
  'quality_settings',
  'revision',
  'published_version',
  'closed_at',
  'survey_updated',
] as const;
const COLUMNS = [
  ...STATE_COLUMNS,
  'survey_name',
  'survey_description',
  'translation_sources',
  'survey_arrangement',
  'published_revision',
  'survey_inserted',
  'updated_by',
] as const;

/** Decides how a survey is treated, and whether a cached copy of it is still valid. */
type SurveyStateRow = Pick<SurveyTable, (typeof STATE_COLUMNS)[number]>;

/** What a survey shows besides its own columns. */
interface SurveyFigures {
  /** Without deleted and test responses. */
  response_count: number;
  /** Of these, the complete ones. */
  complete_count: number;
  /** The name of the user in `updated_by`. */
  last_editor: string | null;
}

export type SurveyRow = Pick<SurveyTable, (typeof COLUMNS)[number]> & SurveyFigures;

/** The columns that `save` writes. */
export type SurveyFields = Pick<
  SurveyTable,
  | 'workspace_id'
  | 'survey_name'
  | 'survey_description'
  | 'survey_status'
  | 'survey_type'
  | 'survey_settings'
  | 'translation_sources'
  | 'quality_settings'
  | 'survey_arrangement'
  | 'closed_at'
>;

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

/** A survey and the user who changes it. */
interface SurveyChange extends SurveyKey {
  userId: number;
}

const arrangementJson = (arrangement: Arrangement | null): string | null =>
  arrangement === null ? null : JSON.stringify(arrangement);

const LAST_EDITOR = '(SELECT user_name FROM users WHERE users.user_id = surveys.updated_by) AS last_editor';

/** The keys by which a list of surveys can be sorted. Each is a text or a whole number, so that a cursor can carry it. */
const SORT_KEYS = {
  survey_id: { sql: 'surveys.survey_id', type: 'bigint' },
  survey_name: { sql: 'lower(survey_name)', type: 'text' },
  survey_status: { sql: 'survey_status::bigint', type: 'bigint' },
  survey_inserted: { sql: '(extract(epoch FROM survey_inserted) * 1000000)::bigint', type: 'bigint' },
  survey_updated: { sql: '(extract(epoch FROM survey_updated) * 1000000)::bigint', type: 'bigint' },
  response_count: { sql: 'coalesce(counts.response_count, 0)', type: 'bigint' },
} as const;

const LIST_COLUMNS = [
  'survey_id',
  'organization_id',
  'workspace_id',
  'survey_status',
  'survey_type',
  'revision',
  'published_version',
  'closed_at',
  'survey_name',
  'survey_description',
  'published_revision',
  'survey_inserted',
  'survey_updated',
  'updated_by',
  'deleted_at',
] as const;

/** Joins `counts`; binds survey_ids and their counts. */
const RESPONSE_COUNT = `LEFT JOIN unnest(?::bigint[], ?::bigint[]) AS counts (survey_id, response_count)
  ON counts.survey_id = surveys.survey_id`;

type SurveySortField = keyof typeof SORT_KEYS;

export const SURVEY_SORT_FIELDS = Object.keys(SORT_KEYS) as SurveySortField[];

export interface SurveyListing {
  sort: { field: SurveySortField; descending: boolean };
  /** 0: deleted surveys. */
  status: SurveyStatus | undefined;
  /** Deleted surveys only if they were deleted after this time; undefined: all. */
  deletedAfter?: Date | undefined;
  /** A part of the name or description, ignoring case. */
  search: string | undefined;
  limit: number;
  offset: number;
  /** The last item of the page before. */
  after: { key: string | number; surveyId: number } | undefined;
}

/** The settings that a list needs: all settings of many surveys would be large, with their translations. */
/** The stored settings for respondents, with the look of the workspace where the survey sets none. Needs a join with `workspaces`. */
export const SHOWN_SETTINGS = 'workspaces.workspace_look || surveys.survey_settings AS survey_settings';

const LISTED_SETTINGS = `jsonb_strip_nulls(jsonb_build_object('timezone', survey_settings -> 'timezone',
  'closes_at', survey_settings -> 'closes_at', 'response_limit', survey_settings -> 'response_limit')) AS survey_settings`;

/** A survey as a list shows it: without its quality settings, and with few others. */
export type ListedSurveyRow = Pick<SurveyTable, (typeof LIST_COLUMNS)[number] | 'survey_settings'> &
  SurveyFigures & { sort_key: string | number };

/** Complete responses of a survey in one period. */
interface PeriodCompletes {
  survey_id: number;
  /** 0: the first period. */
  period: number;
  complete_count: number;
}

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

/** Surveys without their definition, one by one and page by page. Deleted surveys (status 0) are not found. */
export class SurveyRepository {
  constructor(private readonly db: Database) {}

  /** null: the survey does not exist or is deleted. The caller has checked access. */
  async findState(surveyId: number): Promise<SurveyStateRow | null> {
    const row = await this.db('surveys')
      .first(...STATE_COLUMNS)
      .where({ survey_id: surveyId })
      .whereNot({ survey_status: 0 });
    return row ?? null;
  }

  /** Returns the stored settings for respondents. null: the survey is deleted. */
  async findShownSettings(surveyId: number): Promise<Record<string, unknown> | null> {
    const row = await this.db('surveys')
      .join('workspaces', 'workspaces.workspace_id', 'surveys.workspace_id')
      .where(qualifyValues('surveys', { survey_id: surveyId }))
      .whereNot('surveys.survey_status', 0)
      .first<{ survey_settings: Record<string, unknown> } | undefined>(this.db.raw(SHOWN_SETTINGS));
    return row?.survey_settings ?? null;
  }

  /** By survey_id. */
  async findStates(surveyIds: number[]): Promise<Map<number, SurveyStateRow>> {
    const rows: SurveyStateRow[] = await this.db('surveys')
      .select(...STATE_COLUMNS)
      .where({ survey_id: anyOf(this.db, surveyIds) })
      .whereNot({ survey_status: 0 });
    return new Map(rows.map((row) => [row.survey_id, row]));
  }

  /** Takes keys `organizationId:surveyId`, and returns by them everything of a survey that the API shows besides its definition. */
  async findByKeys(keys: string[]): Promise<Map<string, SurveyRow>> {
    const [organizationIds, surveyIds] = splitKeys(keys, ':');
    // Raw SQL: unnests the pairs; the hot path of GET /api/surveys/:id.
    const found = queryRows<Omit<SurveyRow, keyof ResponseCounts>>(
      this.db,
      `SELECT ${qualifyColumns('surveys', COLUMNS).join(', ')}, ${LAST_EDITOR}
       FROM unnest(?::bigint[], ?::bigint[]) AS k (organization_id, survey_id)
       JOIN surveys ON surveys.organization_id = k.organization_id AND surveys.survey_id = k.survey_id AND surveys.survey_status <> 0
       WHERE surveys.survey_id = ANY(?::bigint[])`,
      [organizationIds, surveyIds, surveyIds],
    );
    const [rows, counts] = await Promise.all([found, countBySurvey(this.db, surveyIds.map(Number))]);
    return new Map(
      rows.map((row) => [
        `${row.organization_id}:${row.survey_id}`,
        { ...row, ...(counts.get(row.survey_id) ?? NO_RESPONSES) },
      ]),
    );
  }

  /** Keeps others from changing the survey and its definition until the transaction ends. Responses are still accepted. */
  async lock({ organizationId, surveyId }: SurveyKey): Promise<SurveyRow | null> {
    return this.lockWhere((query) =>
      query.where({ organization_id: organizationId, survey_id: surveyId }).whereNot({ survey_status: 0 }),
    );
  }

  /** The same for a survey that was deleted after a time; null: there is none. */
  async lockDeleted({ organizationId, surveyId }: SurveyKey, deletedAfter: Date): Promise<SurveyRow | null> {
    return this.lockWhere((query) =>
      query
        .where({ organization_id: organizationId, survey_id: surveyId, survey_status: 0 })
        .where('deleted_at', '>', deletedAfter),
    );
  }

  private async lockWhere(
    addConditions: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
  ): Promise<SurveyRow | null> {
    const [row] = await this.db('surveys')
      .select(...COLUMNS)
      .select<Omit<SurveyRow, keyof ResponseCounts>[]>(this.db.raw(LAST_EDITOR))
      .where((query) => void addConditions(query))
      .forNoKeyUpdate('surveys');
    if (row === undefined) return null;
    const counts = await countBySurvey(this.db, [row.survey_id]);
    return { ...row, ...(counts.get(row.survey_id) ?? NO_RESPONSES) };
  }

  /** Compares without regard to case. */
  async isTimeZone(name: string): Promise<boolean> {
    // Raw SQL: reads no table of ours.
    const row = requireValue(
      await queryRow<{ known: boolean }>(
        this.db,
        `SELECT lower(?) = 'utc' OR EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower(?)) AS known`,
        [name, name],
      ),
      'time zone',
    );
    return row.known;
  }

  /** Returns UTC where the survey does not exist. */
  async findTimeZone(surveyId: number): Promise<string> {
    const row = await this.db('surveys').first('time_zone').where({ survey_id: surveyId });
    return row?.time_zone ?? UTC;
  }

  async create(
    survey: Pick<SurveyKey, 'organizationId'> & { workspaceId: number; userId: number },
    fields: Omit<SurveyFields, 'workspace_id' | 'survey_status' | 'closed_at'>,
  ): Promise<SurveyRow> {
    const row = requireRow(
      await this.db('surveys')
        .insert({
          organization_id: survey.organizationId,
          workspace_id: survey.workspaceId,
          created_by: survey.userId,
          updated_by: survey.userId,
          survey_name: fields.survey_name,
          survey_description: fields.survey_description,
          survey_type: fields.survey_type,
          survey_settings: JSON.stringify(fields.survey_settings),
          translation_sources: JSON.stringify(fields.translation_sources),
          quality_settings: JSON.stringify(fields.quality_settings),
          survey_arrangement: arrangementJson(fields.survey_arrangement),
        })
        .returning([...COLUMNS, this.db.raw(LAST_EDITOR)])
        .then((rows) => rows as unknown as Omit<SurveyRow, keyof ResponseCounts>[]),
      'surveys',
    );
    return { ...row, ...NO_RESPONSES };
  }

  /** `definitionChanged`: respondents would see something different, so the revision is raised. */
  async save(
    { organizationId, surveyId, userId }: SurveyChange,
    fields: SurveyFields,
    definitionChanged: boolean,
  ): Promise<void> {
    await this.db('surveys')
      .where({ organization_id: organizationId, survey_id: surveyId })
      .update({
        workspace_id: fields.workspace_id,
        survey_name: fields.survey_name,
        survey_description: fields.survey_description,
        survey_status: fields.survey_status,
        survey_type: fields.survey_type,
        survey_settings: JSON.stringify(fields.survey_settings),
        translation_sources: JSON.stringify(fields.translation_sources),
        quality_settings: JSON.stringify(fields.quality_settings),
        survey_arrangement: arrangementJson(fields.survey_arrangement),
        closed_at: fields.closed_at,
        revision: this.db.raw('revision + ?', [definitionChanged ? 1 : 0]),
        survey_updated: this.db.fn.now(),
        updated_by: userId,
      });
  }

  /** Hides the survey with its data until it is restored. */
  async delete({ organizationId, surveyId }: SurveyKey, now: Date): Promise<void> {
    await this.db('surveys')
      .where({ organization_id: organizationId, survey_id: surveyId })
      .update({ survey_status: 0, deleted_at: now, survey_updated: this.db.fn.now() });
  }

  /** The status before deletion follows from what else is stored. */
  async restore({ organizationId, surveyId }: SurveyKey): Promise<void> {
    await this.db('surveys')
      .where({ organization_id: organizationId, survey_id: surveyId, survey_status: 0 })
      .update({
        survey_status: this.db.raw(
          'CASE WHEN closed_at IS NOT NULL THEN 3 WHEN published_version IS NOT NULL THEN 2 ELSE 1 END',
        ),
        deleted_at: null,
        survey_updated: this.db.fn.now(),
      });
  }

  /** For changes of the definition. Returns the new revision. */
  async incrementRevision({ organizationId, surveyId, userId }: SurveyChange): Promise<number> {
    const rows = await this.db('surveys')
      .where({ organization_id: organizationId, survey_id: surveyId })
      .update({
        revision: this.db.raw('revision + 1'),
        survey_updated: this.db.fn.now(),
        updated_by: userId,
      })
      .returning('revision');
    return requireRow(rows, 'surveys').revision;
  }

  /** Makes the survey active and the version, frozen from the current revision, the one that respondents get. */
  async markPublished({ organizationId, surveyId, userId }: SurveyChange, version: number): Promise<void> {
    await this.db('surveys')
      .where({ organization_id: organizationId, survey_id: surveyId })
      .update({
        survey_status: 2,
        published_version: version,
        published_revision: this.db.ref('revision'),
        survey_updated: this.db.fn.now(),
        updated_by: userId,
      });
  }

  /** Nobody has edited the survey, as an example of the first start. */
  async markUnedited({ organizationId, surveyId }: SurveyKey): Promise<void> {
    await this.db('surveys')
      .where({ organization_id: organizationId, survey_id: surveyId })
      .update({ updated_by: null });
  }

  /** The draft is again what was published. */
  async markUnchanged({ organizationId, surveyId }: SurveyKey): Promise<void> {
    await this.db('surveys')
      .where({ organization_id: organizationId, survey_id: surveyId })
      .update({ published_revision: this.db.ref('revision') });
  }

  /** The next revision, which is about to be made, is what was published too: respondents see no difference. */
  async markNextUnchanged({ organizationId, surveyId }: SurveyKey): Promise<void> {
    await this.db('surveys')
      .where({ organization_id: organizationId, survey_id: surveyId })
      .update({ published_revision: this.db.raw('revision + 1') });
  }

  async saveTranslationSources(
    { organizationId, surveyId }: SurveyKey,
    sources: TranslationSources,
  ): Promise<void> {
    await this.db('surveys')
      .where({ organization_id: organizationId, survey_id: surveyId })
      .update({ translation_sources: JSON.stringify(sources) });
  }

  async findTranslationSources({ organizationId, surveyId }: SurveyKey): Promise<TranslationSources> {
    const row = await this.db('surveys')
      .first('translation_sources')
      .where({ organization_id: organizationId, survey_id: surveyId });
    return row?.translation_sources ?? {};
  }

  /** Counts deleted and test responses too, but no previews: they are deleted with their draft. */
  async hasResponses(surveyId: number): Promise<boolean> {
    const row = await this.db('responses')
      .first('response_id')
      .where({ survey_id: surveyId, is_preview: false });
    return row !== undefined;
  }

  async list(
    scope: InWorkspace,
    listing: SurveyListing,
  ): Promise<{ rows: ListedSurveyRow[]; total: number }> {
    const { sql: key, type } = SORT_KEYS[listing.sort.field];
    const direction = listing.sort.descending ? 'desc' : 'asc';
    const page = this.queryMatching(scope, listing)
      .select(...qualifyColumns('surveys', LIST_COLUMNS))
      .select<Omit<ListedSurveyRow, keyof ResponseCounts>[]>(
        this.db.raw(LAST_EDITOR),
        this.db.raw(LISTED_SETTINGS),
        this.db.raw(`${key} AS sort_key`),
      )
      .orderByRaw(`${key} ${direction}, surveys.survey_id ${direction}`)
      .limit(listing.limit)
      .offset(listing.offset);
    if (listing.sort.field === 'response_count') {
      const all = await this.queryMatching(scope, listing).pluck('survey_id');
      const counts = await countBySurvey(this.db, all);
      void page.joinRaw(RESPONSE_COUNT, [
        [...counts.keys()],
        [...counts.values()].map(({ response_count: count }) => count),
      ]);
    }
    if (listing.after !== undefined)
      page.whereRaw(`(${key}, surveys.survey_id) ${listing.sort.descending ? '<' : '>'} (?::${type}, ?)`, [
        listing.after.key,
        listing.after.surveyId,
      ]);
    const [found, total] = await Promise.all([page, countRows(this.queryMatching(scope, listing))]);
    const counts = await countBySurvey(
      this.db,
      found.map((row) => row.survey_id),
    );
    const rows = found.map((row) => ({ ...row, ...(counts.get(row.survey_id) ?? NO_RESPONSES) }));
    return { rows, total };
  }

  /**
   * Returns how many complete responses each survey has in each period, where there are any. `starts`: for each survey where its periods
   * begin, ascending, in quarters of an hour since 1970 UTC, the last being the end of the last period; the same number for each.
   */
  async listCompletesByPeriod(starts: ReadonlyMap<number, readonly number[]>): Promise<PeriodCompletes[]> {
    const [first] = starts.values();
    if (first === undefined) return [];
    const all = [...starts.values()].flat();
    // Raw SQL: width_bucket. The limits are a parameter, because surveys can be on another server than the counts. OFFSET 0: each slice is
    // made once for a survey, not for each hour. Prepared: planning takes longer than running.
    return queryPreparedRows<PeriodCompletes>(
      this.db,
      'completes_by_period',
      `SELECT h.survey_id, width_bucket(h.hour * 4 + q.quarter, s.starts) - 1 AS period, sum(q.completes)::bigint AS complete_count
       FROM (
         SELECT survey_id, hour, sum(quarter_1) AS n1, sum(quarter_2) AS n2, sum(quarter_3) AS n3, sum(quarter_4) AS n4
         FROM hourly_completes WHERE survey_id = ANY(?::bigint[]) AND hour >= ? AND hour <= ? GROUP BY survey_id, hour) h
       JOIN (
         SELECT survey_id, (?::integer[])[(n - 1) * ? + 1 : n * ?] AS starts
         FROM unnest(?::bigint[]) WITH ORDINALITY AS u (survey_id, n) OFFSET 0) s ON s.survey_id = h.survey_id
       CROSS JOIN LATERAL (VALUES (0, h.n1), (1, h.n2), (2, h.n3), (3, h.n4)) AS q (quarter, completes)
       WHERE h.hour * 4 + q.quarter >= s.starts[1] AND h.hour * 4 + q.quarter < s.starts[?]
       GROUP BY 1, 2 HAVING sum(q.completes) <> 0`,
      [
        [...starts.keys()],
        Math.floor(Math.min(...all) / 4),
        Math.floor(Math.max(...all) / 4),
        all,
        first.length,
        first.length,
        [...starts.keys()],
        first.length,
      ],
    );
  }

  private queryMatching(scope: InWorkspace, { status, search, deletedAfter }: SurveyListing) {
    const query = this.db('surveys').where({
      organization_id: scope.organizationId,
      workspace_id: scope.workspaceId,
    });
    if (status === undefined) void query.whereNot({ survey_status: 0 });
    else void query.where({ survey_status: status });
    if (status === 0 && deletedAfter !== undefined) void query.where('deleted_at', '>', deletedAfter);
    if (search !== undefined)
      void query.whereRaw(
        `position(lower(?) IN lower(survey_name || ' ' || coalesce(survey_description, ''))) > 0`,
        [search],
      );
    return query;
  }
}

/** Whether a cursor of a list sorted by this field may carry the key. */
export function isSortKey(field: SurveySortField, key: unknown): key is string | number {
  return SORT_KEYS[field].type === 'text' ? typeof key === 'string' : Number.isSafeInteger(key);
}
