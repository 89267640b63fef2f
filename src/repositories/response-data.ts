import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';
import type { StoredAnswer } from '../domain/answers/codec.ts';
import type { LoadedValue } from '../domain/dataset/dataset-load.ts';
import type { ResponseRow, ResponseState } from '../domain/dataset/response-row.ts';
import {
  bytesOf,
  DAY_ZONE,
  METADATA_SQL,
  ROW,
  STATE,
  stateOf,
  type StateRow,
  type TextSource,
  type WholeRow,
  wholeRow,
} from './response-columns.ts';

/** Stands for "not shown" in JSON, where null is "skipped": no answer is an empty text. */
const NOT_SHOWN = '';

/** Once published, it stays so: a closed survey was published too. */
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

/** What changed since a snapshot, seen under a new one. */
interface Changes {
  /** Of the survey's definition. */
  revision: number;
  /** Of its derived columns. */
  columnsRevision: number;
  /** The zone whose days times are rounded to; null: they are exact. */
  dayZone: string | null;
  timeZone: string;
  isPublished: boolean;
  /** Hand it in next time. */
  snapshot: string;
  rows: ResponseRow[];
  /** There are more than the limit: reading everything anew is cheaper. */
  tooMany: boolean;
}

/** Values of some columns for a run of responses, in the order of their ids. */
interface ValueChunk {
  responseIds: number[];
  /** By asked column, parallel to the ids. */
  values: LoadedValue[][];
}

/** Targets of one SELECT; PostgreSQL takes 1,664. */
const TARGETS = 500;

/** Reading responses in bulk: into datasets, and for grids and exports. An author's previews are none of them. */
export class ResponseDataRepository {
  private readonly db: Database;
  private readonly watermark: string | null;

  /** `watermark`: on a replica, the snapshot that its view goes by instead of its own; see db/replicas.ts. */
  constructor(db: Database, watermark: string | null) {
    this.db = db;
    this.watermark = watermark;
  }

  /**
   * The snapshot of the transaction this repository is bound to, or an older one: what `changesSince` then measures from. null: no such
   * survey. The look at its segments makes sure that it is that of the server which has the survey's responses.
   */
  currentSnapshot(
    surveyId: number,
  ): Promise<{ snapshot: string; day_zone: string | null; is_published: boolean } | null> {
    return rowOf(
      this.db,
      `SELECT coalesce(?, pg_current_snapshot()::text) AS snapshot, ${DAY_ZONE}, ${IS_PUBLISHED}
       FROM surveys s, (SELECT count(*) FROM survey_segments WHERE survey_id = ?) AS here WHERE s.survey_id = ?`,
      [this.watermark, surveyId, surveyId],
    );
  }

  /**
   * Responses that transactions wrote which `snapshot` did not see. Exact in whichever order transactions commit: one that
   * was running when the snapshot was taken is not visible in it, however old its number is. null: the survey is gone.
   */
  async changesSince(surveyId: number, snapshot: string, limit: number): Promise<Changes | null> {
    const rows = await rowsOf<ChangedRow>(
      this.db,
      `SELECT s.revision, s.columns_revision, ${DAY_ZONE}, s.time_zone, ${IS_PUBLISHED},
         coalesce(?, pg_current_snapshot()::text) AS snapshot, ${ROW}
       FROM surveys s LEFT JOIN responses r ON r.survey_id = s.survey_id AND NOT r.is_preview
         AND r.changed_xid >= pg_snapshot_xmin(?::pg_snapshot)
         AND NOT pg_visible_in_snapshot(r.changed_xid, ?::pg_snapshot)
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

  /** The next responses after an id, with nothing but their states. */
  async statesAfter(surveyId: number, afterId: number, limit: number): Promise<ResponseState[]> {
    const row = await rowOf<{ chunk: StateRow[] }>(
      this.db,
      `SELECT coalesce(json_agg(chunk), '[]') AS chunk FROM (
         SELECT ${STATE} FROM responses WHERE survey_id = ? AND response_id > ? AND NOT is_preview ORDER BY response_id LIMIT ?) AS chunk`,
      [surveyId, afterId, limit],
    );
    return row!.chunk.map(stateOf);
  }

  /** The next responses after an id: the values of some columns, each a metadata column's or a question's code. */
  async valuesAfter(
    surveyId: number,
    codes: readonly string[],
    afterId: number,
    limit: number,
  ): Promise<ValueChunk> {
    const sources = codes.map((code) => METADATA_SQL.get(code) ?? `coalesce(answers -> ?, '"${NOT_SHOWN}"')`);
    const row = await rowOf<Record<string, unknown[] | null>>(
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

  /** What a file of the survey's responses says of it; null: no such survey. */
  survey(
    surveyId: number,
  ): Promise<{ survey_name: string; is_anonymous: boolean; time_zone: string } | null> {
    return rowOf(this.db, 'SELECT survey_name, is_anonymous, time_zone FROM surveys WHERE survey_id = ?', [
      surveyId,
    ]);
  }

  /** The bytes of the longest text of each source among all responses that are not deleted; parallel to `sources`. */
  async longestTexts(surveyId: number, sources: readonly TextSource[]): Promise<number[]> {
    const longest: number[] = [];
    for (let start = 0; start < sources.length; start += TARGETS) {
      const part = sources.slice(start, start + TARGETS);
      const row = await rowOf<Record<string, number | null>>(
        this.db,
        `SELECT ${part.map((source, index) => `max(${bytesOf(source)}) AS v${index}`).join(', ')}
         FROM responses WHERE survey_id = ? AND deleted_at IS NULL AND NOT is_preview`,
        [...part.flatMap(({ kind, code }) => (kind === 'metadata' ? [] : [code])), surveyId],
      );
      longest.push(...part.map((_, index) => row![`v${index}`] ?? 0));
    }
    return longest;
  }

  /** Whether one of these responses was written by a transaction that the snapshot did not see. */
  async changedAmong(surveyId: number, snapshot: string, responseIds: Float64Array): Promise<boolean> {
    const rows = await rowsOf<{ response_id: number }>(
      this.db,
      `SELECT response_id FROM responses
       WHERE survey_id = ? AND changed_xid >= pg_snapshot_xmin(?::pg_snapshot)
         AND NOT pg_visible_in_snapshot(changed_xid, ?::pg_snapshot)`,
      [surveyId, snapshot, snapshot],
    );
    if (rows.length === 0) return false;
    const changed = new Set(rows.map((row) => row.response_id));
    return responseIds.some((id) => changed.has(id));
  }

  /** Whole responses in the order of the given ids; ids that are not of this survey are passed over. */
  async byIds(surveyId: number, responseIds: readonly number[]): Promise<ResponseRow[]> {
    const rows = await rowsOf<WholeRow>(
      this.db,
      `SELECT ${ROW} FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted (response_id, place)
       JOIN responses r USING (response_id) JOIN surveys s USING (survey_id)
       WHERE survey_id = ? AND NOT is_preview ORDER BY place`,
      [responseIds, surveyId],
    );
    return rows.map(wholeRow);
  }
}
