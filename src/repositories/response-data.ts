import type { Database } from '../db/connect.ts';
import { queryRow, queryRows } from '../db/rows.ts';
import type { StoredAnswer } from '../domain/answers/codec.ts';
import type { LoadedValue } from '../domain/dataset/dataset-load.ts';
import type { ResponseRow, ResponseState } from '../domain/dataset/response-row.ts';
import {
  bytesOf,
  DAY_ZONE,
  METADATA_SQL,
  NOT_IN_SNAPSHOT,
  ROW,
  STATE,
  stateOf,
  type StateRow,
  type TextSource,
  type WholeRow,
  wholeRow,
} from './response-columns.ts';
import type { SurveyTable } from './tables/surveys.ts';

/** Stands for "not shown" in JSON, where null is "skipped": no answer is an empty text. */
const NOT_SHOWN = '';

/** Closed surveys are published too. */
const IS_PUBLISHED = 's.published_version IS NOT NULL AS is_published';

const WITH_SURVEY = 'responses r JOIN surveys s USING (survey_id)';

interface ChangedRow extends Omit<WholeRow, 'response_id'> {
  revision: number;
  columns_revision: number;
  day_zone: string | null;
  time_zone: string;
  is_published: boolean;
  snapshot: string;
  response_id: number | null;
}

/** Changes since a snapshot, read under a new one. */
interface Changes {
  /** Of the survey's definition. */
  revision: number;
  /** Of its derived columns. */
  columnsRevision: number;
  /** The zone whose days times are rounded to; null: they are exact. */
  dayZone: string | null;
  timeZone: string;
  isPublished: boolean;
  /** Pass it to the next call. */
  snapshot: string;
  rows: ResponseRow[];
  /** There are more than the limit: reloading everything is cheaper. */
  tooMany: boolean;
}

/** Values of some columns for consecutive responses, by response_id. */
interface ValueChunk {
  responseIds: number[];
  /** By requested column, parallel to the ids. */
  values: LoadedValue[][];
}

/** Output columns of one SELECT; PostgreSQL allows 1,664. */
const TARGETS = 500;

/** Reads responses in bulk, for datasets, grids and exports. Leaves out previews. */
export class ResponseDataRepository {
  /** `watermark`: on a replica, the snapshot to use instead of its own; see db/replicas.ts. */
  constructor(
    private readonly db: Database,
    private readonly watermark: string | null,
  ) {}

  /**
   * The snapshot of the transaction this repository is bound to, or an older one, from which `changesSince` measures. null: no such
   * survey. Reading its segments ensures that the snapshot is that of the server with the survey's responses.
   */
  currentSnapshot(
    surveyId: number,
  ): Promise<{ snapshot: string; day_zone: string | null; is_published: boolean } | null> {
    // Raw SQL: crosses the survey with an aggregate whose only purpose is to touch the table of segments.
    return queryRow(
      this.db,
      `SELECT coalesce(?, pg_current_snapshot()::text) AS snapshot, ${DAY_ZONE}, ${IS_PUBLISHED}
       FROM surveys s, (SELECT count(*) FROM survey_segments WHERE survey_id = ?) AS here WHERE s.survey_id = ?`,
      [this.watermark, surveyId, surveyId],
    );
  }

  /**
   * Responses written by transactions that are not visible in `snapshot`. Exact whatever the order of commits: a transaction that
   * was running when the snapshot was taken is not visible in it, however old its id is. null: no such survey.
   */
  async changesSince(surveyId: number, snapshot: string, limit: number): Promise<Changes | null> {
    // Raw SQL: hot path; almost every column is an expression.
    const rows = await queryRows<ChangedRow>(
      this.db,
      `SELECT s.revision, s.columns_revision, ${DAY_ZONE}, s.time_zone, ${IS_PUBLISHED},
         coalesce(?, pg_current_snapshot()::text) AS snapshot, ${ROW}
       FROM surveys s LEFT JOIN responses r ON r.survey_id = s.survey_id AND NOT r.is_preview AND ${NOT_IN_SNAPSHOT}
       WHERE s.survey_id = ? LIMIT ?`,
      [this.watermark, snapshot, snapshot, surveyId, limit + 1],
    );
    const [first] = rows;
    if (first === undefined) return null;
    const changed = rows
      .filter((row): row is ChangedRow & WholeRow => row.response_id !== null)
      .map(wholeRow);
    return {
      revision: first.revision,
      columnsRevision: first.columns_revision,
      dayZone: first.day_zone,
      timeZone: first.time_zone,
      isPublished: first.is_published,
      snapshot: first.snapshot,
      rows: changed,
      tooMany: changed.length > limit,
    };
  }

  /** The states of the next at most `limit` responses after an id, by response_id. */
  async statesAfter(surveyId: number, afterId: number, limit: number): Promise<ResponseState[]> {
    // Raw SQL: aggregates the rows as one JSON value, which the driver reads several times faster.
    const row = await queryRow<{ chunk: StateRow[] }>(
      this.db,
      `SELECT coalesce(json_agg(chunk), '[]') AS chunk FROM (
         SELECT ${STATE} FROM responses WHERE survey_id = ? AND response_id > ? AND NOT is_preview ORDER BY response_id LIMIT ?) AS chunk`,
      [surveyId, afterId, limit],
    );
    return row!.chunk.map(stateOf);
  }

  /** Values of the next at most `limit` responses after an id; each code is that of a metadata column or a question. */
  async valuesAfter(
    surveyId: number,
    codes: readonly string[],
    afterId: number,
    limit: number,
  ): Promise<ValueChunk> {
    const sources = codes.map((code) => METADATA_SQL.get(code) ?? `coalesce(answers -> ?, '"${NOT_SHOWN}"')`);
    // Raw SQL: aggregates each column as one JSON value, which the driver reads several times faster.
    const row = await queryRow<Record<string, unknown[] | null>>(
      this.db,
      `SELECT json_agg(response_id) AS ids ${codes.map((_, index) => `, json_agg(v${index}) AS v${index}`).join('')}
       FROM (SELECT response_id ${sources.map((sql, index) => `, ${sql} AS v${index}`).join('')}
             FROM ${WITH_SURVEY} WHERE survey_id = ? AND response_id > ? AND NOT is_preview ORDER BY response_id LIMIT ?) AS chunk`,
      [...codes.filter((code) => !METADATA_SQL.has(code)), surveyId, afterId, limit],
    );
    return {
      responseIds: (row!.ids ?? []) as number[],
      values: codes.map((code, index) => {
        const values = (row![`v${index}`] ?? []) as (StoredAnswer | null)[];
        return METADATA_SQL.has(code)
          ? values
          : values.map((value) => (value === NOT_SHOWN ? undefined : value));
      }),
    };
  }

  /** The survey of an exported file; null when it does not exist. */
  async survey(
    surveyId: number,
  ): Promise<Pick<SurveyTable, 'survey_name' | 'is_anonymous' | 'time_zone'> | null> {
    const survey = await this.db('surveys')
      .first('survey_name', 'is_anonymous', 'time_zone')
      .where({ survey_id: surveyId });
    return survey ?? null;
  }

  /** The bytes of the longest text of each source among all responses that are not deleted; parallel to `sources`. */
  async longestTexts(surveyId: number, sources: readonly TextSource[]): Promise<number[]> {
    const longest: number[] = [];
    for (let start = 0; start < sources.length; start += TARGETS) {
      const part = sources.slice(start, start + TARGETS);
      const targets = part.map((source, index) => `max(${bytesOf(source)}) AS v${index}`).join(', ');
      const codes = part.flatMap(({ kind, code }) => (kind === 'metadata' ? [] : [code]));
      const [row] = await this.db('responses')
        .select<Record<string, number | null>[]>(this.db.raw(targets, codes))
        .where({ survey_id: surveyId, deleted_at: null, is_preview: false });
      longest.push(...part.map((_, index) => row![`v${index}`] ?? 0));
    }
    return longest;
  }

  /** Whether a transaction that is not visible in the snapshot wrote one of these responses. */
  async changedAmong(surveyId: number, snapshot: string, responseIds: Float64Array): Promise<boolean> {
    const changed = await this.db('responses')
      .where({ survey_id: surveyId })
      .whereRaw(NOT_IN_SNAPSHOT, [snapshot, snapshot])
      .pluck('response_id');
    if (changed.length === 0) return false;
    const ids = new Set(changed);
    return responseIds.some((id) => ids.has(id));
  }

  /** Whole responses in the order of the given ids; ids that the survey does not have are left out. */
  async byIds(surveyId: number, responseIds: readonly number[]): Promise<ResponseRow[]> {
    // Raw SQL: hot path; joins the ids with their positions, and almost every column is an expression.
    const rows = await queryRows<WholeRow>(
      this.db,
      `SELECT ${ROW} FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted (response_id, place)
       JOIN responses r USING (response_id) JOIN surveys s USING (survey_id)
       WHERE survey_id = ? AND NOT is_preview ORDER BY place`,
      [responseIds, surveyId],
    );
    return rows.map(wholeRow);
  }
}
