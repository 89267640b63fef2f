import type { Database } from '../db/connect.ts';
import { RESPONSE_TABLES } from '../db/distribution/response-tables.ts';
import { queryRows } from '../db/rows.ts';

/** A column of a table of responses that refers to a definition; the definition's table names its key the same. */
export interface ResponseReference {
  table: (typeof RESPONSE_TABLES)[number];
  column: 'link_id' | 'wave_id' | 'respondent_id' | 'user_id' | 'column_id';
  definitions: 'links' | 'waves' | 'respondents' | 'users' | 'derived_columns';
}

/** Besides survey_id, which each table of responses has. */
export const RESPONSE_REFERENCES: readonly ResponseReference[] = [
  { table: 'responses', column: 'link_id', definitions: 'links' },
  { table: 'responses', column: 'wave_id', definitions: 'waves' },
  { table: 'responses', column: 'respondent_id', definitions: 'respondents' },
  { table: 'response_comments', column: 'user_id', definitions: 'users' },
  { table: 'frozen_values', column: 'column_id', definitions: 'derived_columns' },
  { table: 'quotas', column: 'wave_id', definitions: 'waves' },
  { table: 'wave_quotas', column: 'wave_id', definitions: 'waves' },
  { table: 'link_limits', column: 'link_id', definitions: 'links' },
];

/** A count and what the rows say. */
export interface WrongCount {
  /** What is counted, with the id of the link, wave or cell. */
  name: string;
  counted: number;
  rows: number;
}

/** A value that is stored with a definition and again beside the responses. */
export interface StoredCopy {
  id: number;
  value: number;
}

/** A statement that returns a WrongCount where the sums of `counts` (id, name, n) differ from those of `rows`. */
const compare = (what: string, counts: string, rows: string): string =>
  `SELECT '${what} ' || id || ': ' || name AS name, coalesce(c.n, 0) AS counted, coalesce(r.n, 0) AS rows
   FROM (${counts}) c FULL JOIN (${rows}) r USING (id, name) WHERE coalesce(c.n, 0) <> coalesce(r.n, 0) ORDER BY id, name`;

/** One row (id, name, n) for each of several sums (name, SQL). */
const sums = (from: string, id: string, each: Record<string, string>): string =>
  `SELECT id, name, n FROM (SELECT ${id} AS id, ${Object.values(each)
    .map((sum, index) => `coalesce(${sum}, 0)::bigint AS n${index}`)
    .join(', ')} FROM ${from} GROUP BY 1) s
   CROSS JOIN LATERAL (VALUES ${Object.keys(each)
     .map((name, index) => `('${name}', n${index})`)
     .join(', ')}) AS v (name, n)`;

const isStatus = (status: string): string => `count(*) FILTER (WHERE response_status = '${status}')`;
const COUNTED_RESPONSES = 'responses WHERE survey_id = ? AND deleted_at IS NULL AND NOT is_test';

/** Link 0: responses without a link. */
const LINK_COUNTS = compare(
  'link',
  sums('response_counts WHERE survey_id = ?', 'link_id', {
    responses: 'sum(response_count)',
    complete: 'sum(complete_count)',
  }),
  sums(COUNTED_RESPONSES, 'coalesce(link_id, 0)', { responses: 'count(*)', complete: isStatus('complete') }),
);

/** The id is the hour, in hours since 1970 UTC. */
const HOURLY_COMPLETES = compare(
  'hour',
  sums('hourly_completes WHERE survey_id = ?', 'hour', {
    quarter_1: 'sum(quarter_1)',
    quarter_2: 'sum(quarter_2)',
    quarter_3: 'sum(quarter_3)',
    quarter_4: 'sum(quarter_4)',
  }),
  sums(
    `(SELECT floor(extract(epoch FROM completed_at) / 900)::integer AS quarter
      FROM ${COUNTED_RESPONSES} AND response_status = 'complete' AND completed_at IS NOT NULL) AS completes`,
    'quarter >> 2',
    {
      quarter_1: 'count(*) FILTER (WHERE quarter & 3 = 0)',
      quarter_2: 'count(*) FILTER (WHERE quarter & 3 = 1)',
      quarter_3: 'count(*) FILTER (WHERE quarter & 3 = 2)',
      quarter_4: 'count(*) FILTER (WHERE quarter & 3 = 3)',
    },
  ),
);

const WAVE_COUNTS = compare(
  'wave',
  sums('wave_counts WHERE survey_id = ?', 'wave_id', {
    partial: 'sum(partial)',
    complete: 'sum(complete)',
    screened_out: 'sum(screened_out)',
  }),
  sums(`${COUNTED_RESPONSES} AND wave_id IS NOT NULL`, 'wave_id', {
    partial: isStatus('partial'),
    complete: isStatus('complete'),
    screened_out: isStatus('screened_out'),
  }),
);

/** Cells that were deleted since a response was counted have no row. */
const QUOTA_COUNTS = compare(
  'quota cell',
  sums('quota_cells WHERE survey_id = ?', 'cell_id', {
    completed: 'sum(completed)',
    over_quota: 'sum(over_quota)',
  }),
  `SELECT r.* FROM (${sums(
    `(SELECT unnest(quota_cells) AS cell_id, response_status, status_reason FROM ${COUNTED_RESPONSES}) AS counted`,
    'cell_id',
    {
      completed: isStatus('complete'),
      over_quota: `count(*) FILTER (WHERE response_status = 'screened_out' AND status_reason = 'over_quota')`,
    },
  )}) r WHERE id IN (SELECT cell_id FROM quota_cells WHERE survey_id = ?)`,
);

/** Compares what is stored twice. Each statement reads one survey, so it is exact while responses arrive. */
export class ConsistencyRepository {
  constructor(private readonly db: Database) {}

  /** The surveys that have rows in this table, in order. */
  async listSurveys(table: 'surveys' | (typeof RESPONSE_TABLES)[number]): Promise<number[]> {
    return this.db(table).distinct('survey_id').orderBy('survey_id').pluck<number[]>('survey_id');
  }

  /** The next values of a reference in this survey, greater than `after`. */
  async listReferences(
    { table, column }: ResponseReference,
    surveyId: number,
    { after, limit }: { after: number; limit: number },
  ): Promise<number[]> {
    return this.db(table)
      .distinct(column)
      .where('survey_id', surveyId)
      .where(column, '>', after)
      .orderBy(column)
      .limit(limit)
      .pluck<number[]>(column);
  }

  /** Those of the ids that no definition has. */
  async findMissing({ column, definitions }: ResponseReference, ids: readonly number[]): Promise<number[]> {
    // Raw SQL: an array as a table.
    const rows = await queryRows<{ id: number }>(
      this.db,
      `SELECT id FROM unnest(?::bigint[]) AS id WHERE id NOT IN (SELECT ${column} FROM ${definitions}) ORDER BY id`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }

  /** Counts of a survey that differ from its responses. */
  async listWrongCounts(surveyId: number): Promise<WrongCount[]> {
    const found: WrongCount[] = [];
    for (const statement of [LINK_COUNTS, HOURLY_COMPLETES, WAVE_COUNTS, QUOTA_COUNTS]) {
      const parameters = Array.from({ length: statement.split('?').length - 1 }, () => surveyId);
      // Raw SQL: full joins of aggregates.
      found.push(...(await queryRows<WrongCount>(this.db, statement, parameters)));
    }
    return found;
  }

  /** The quota revision of each wave that has one: of the definition, or of its copy beside the responses. */
  listQuotaRevisions(table: 'waves' | 'wave_quotas', surveyId: number): Promise<StoredCopy[]> {
    return this.db(table)
      .select({ id: 'wave_id', value: 'quota_revision' })
      .where('survey_id', surveyId)
      .where('quota_revision', '>', 0)
      .orderBy('wave_id');
  }

  /**
   * The most complete responses of each link that has a limit, and of the survey (id 0): of the definition, or of its copy beside the
   * responses.
   */
  async listLinkLimits(table: 'links' | 'link_limits', surveyId: number): Promise<StoredCopy[]> {
    if (table === 'link_limits')
      return this.db(table)
        .select({ id: 'link_id', value: 'max_completes' })
        .where('survey_id', surveyId)
        .orderBy('link_id');
    // Raw SQL: CASE.
    return queryRows(
      this.db,
      `SELECT 0 AS id, (survey_settings ->> 'response_limit')::integer AS value FROM surveys
       WHERE survey_id = ? AND survey_settings ->> 'response_limit' IS NOT NULL
       UNION ALL
       SELECT link_id, CASE WHEN link_type = 'unique' THEN 1 ELSE link_quota END FROM links
       WHERE survey_id = ? AND (link_type = 'unique' OR link_quota IS NOT NULL) ORDER BY id`,
      [surveyId, surveyId],
    );
  }
}
