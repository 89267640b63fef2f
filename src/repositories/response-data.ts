import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';
import type { StoredAnswer, StoredAnswers } from '../domain/answers/codec.ts';
import type { LoadedValue } from '../domain/dataset/dataset-load.ts';
import type { ResponseQuality } from '../domain/quality/quality-flag.ts';
import type { ResponseCore, ResponseRow, ResponseStatus } from '../domain/dataset/response-row.ts';

/** As domain/quality/flag-review.ts has them: a flag without a review is pending. */
const REVIEWS = `jsonb_path_query_array(quality, '$.flags[*].review')`;
const QUALITY_STATUS = `CASE WHEN coalesce(jsonb_array_length(quality -> 'flags'), 0) = 0 THEN NULL
    WHEN ${REVIEWS} @> '["confirmed"]' THEN 'confirmed'
    WHEN jsonb_array_length(${REVIEWS}) < jsonb_array_length(quality -> 'flags') THEN 'pending' ELSE 'dismissed' END`;
const QUALITY_FLAGS = `(SELECT string_agg(name, ';' ORDER BY name COLLATE "C") FROM (
    SELECT DISTINCT flag ->> 'check' AS name FROM jsonb_array_elements(quality -> 'flags') AS flag) AS checks)`;

/** Metadata columns that are loaded when asked for, as PostgreSQL reads them. Times are milliseconds since 1970. */
const METADATA_SQL: ReadonlyMap<string, string> = new Map([
  ['submission_id', 'submission_id'],
  ['status_reason', 'status_reason'],
  ['updated_at', milliseconds('updated_at')],
  ['last_page_id', 'last_page_id'],
  ['language', 'language'],
  ['link_id', 'link_id'],
  ['wave_id', 'wave_id'],
  ['respondent_id', 'respondent_id'],
  ['external_id', 'external_id'],
  ['survey_version', 'survey_version'],
  ['quality_status', QUALITY_STATUS],
  ['quality_flags', QUALITY_FLAGS],
]);

/** Stands for "not shown" in JSON, where null is "skipped": no answer is an empty text. */
const NOT_SHOWN = '';

const CORE = `response_id, response_status, is_test, deleted_at IS NOT NULL AS is_deleted, originals IS NOT NULL AS is_edited,
  ${milliseconds('started_at')} AS started_at, ${milliseconds('completed_at')} AS completed_at, duration_seconds`;
const ROW = `${CORE}, submission_id, status_reason, ${milliseconds('updated_at')} AS updated_at, last_page_id, language, link_id,
  wave_id, respondent_id, external_id, survey_version, quality, answers`;

/** Of an anonymous survey only the day is told, so that nobody is known by when they answered; filters and sorting see no more. */
function milliseconds(column: string): string {
  const told = `CASE WHEN s.is_anonymous THEN date_trunc('day', ${column}, 'UTC') ELSE ${column} END`;
  return `floor(extract(epoch FROM ${told}) * 1000)::bigint`;
}

const WITH_SURVEY = 'responses r JOIN surveys s USING (survey_id)';

interface CoreRow {
  response_id: number;
  response_status: ResponseStatus;
  is_test: boolean;
  is_deleted: boolean;
  is_edited: boolean;
  started_at: number;
  completed_at: number | null;
  duration_seconds: number | null;
}

interface WholeRow extends CoreRow {
  submission_id: string | null;
  status_reason: string | null;
  updated_at: number;
  last_page_id: number | null;
  language: string | null;
  link_id: number | null;
  wave_id: number | null;
  respondent_id: number | null;
  external_id: string | null;
  survey_version: number;
  quality: ResponseQuality | null;
  answers: StoredAnswers;
}

interface ChangedRow extends Omit<WholeRow, 'response_id'> {
  revision: number;
  columns_revision: number;
  is_anonymous: boolean;
  snapshot: string;
  response_id: number | null;
}

/** What changed since a snapshot, seen under a new one. */
export interface Changes {
  /** Of the survey's definition. */
  revision: number;
  /** Of its derived columns. */
  columnsRevision: number;
  /** Whether times are told as days. */
  isAnonymous: boolean;
  /** Hand it in next time. */
  snapshot: string;
  rows: ResponseRow[];
  /** There are more than the limit: reading everything anew is cheaper. */
  tooMany: boolean;
}

/** Values of some columns for a run of responses, in the order of their ids. */
export interface ValueChunk {
  responseIds: number[];
  /** By asked column, parallel to the ids. */
  values: LoadedValue[][];
}

/** Texts of responses: a metadata column, the answers to a question, or what was typed beside its options. */
export interface TextSource {
  kind: 'metadata' | 'answer' | 'other';
  /** Of the metadata column or the question. */
  code: string;
}

/** Targets of one SELECT; PostgreSQL takes 1,664. */
const TARGETS = 500;

/** Reading responses in bulk: into datasets, and for grids and exports. An author's previews are none of them. */
export class ResponseDataRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** The snapshot of the transaction this repository is bound to: what `changesSince` then measures from. null: no such survey. */
  currentSnapshot(surveyId: number): Promise<{ snapshot: string; is_anonymous: boolean } | null> {
    return rowOf(
      this.db,
      `SELECT pg_current_snapshot()::text AS snapshot, is_anonymous FROM surveys WHERE survey_id = ?`,
      [surveyId],
    );
  }

  /**
   * Responses that transactions wrote which `snapshot` did not see. Exact in whichever order transactions commit: one that
   * was running when the snapshot was taken is not visible in it, however old its number is. null: the survey is gone.
   */
  async changesSince(surveyId: number, snapshot: string, limit: number): Promise<Changes | null> {
    const rows = await rowsOf<ChangedRow>(
      this.db,
      `SELECT s.revision, s.columns_revision, s.is_anonymous, pg_current_snapshot()::text AS snapshot, ${ROW}
       FROM surveys s LEFT JOIN responses r ON r.survey_id = s.survey_id AND NOT r.is_preview
         AND r.changed_xid >= pg_snapshot_xmin(?::pg_snapshot)
         AND NOT pg_visible_in_snapshot(r.changed_xid, ?::pg_snapshot)
       WHERE s.survey_id = ? LIMIT ?`,
      [snapshot, snapshot, surveyId, limit + 1],
    );
    const [first] = rows;
    if (first === undefined) return null;
    const changed = rows
      .filter((row): row is ChangedRow & WholeRow => row.response_id !== null)
      .map(wholeRow);
    return {
      revision: first.revision,
      columnsRevision: first.columns_revision,
      isAnonymous: first.is_anonymous,
      snapshot: first.snapshot,
      rows: changed,
      tooMany: changed.length > limit,
    };
  }

  /** The next responses after an id, without their answers. */
  async coreAfter(surveyId: number, afterId: number, limit: number): Promise<ResponseCore[]> {
    const row = await rowOf<{ chunk: CoreRow[] }>(
      this.db,
      `SELECT coalesce(json_agg(chunk), '[]') AS chunk FROM (
         SELECT ${CORE} FROM ${WITH_SURVEY} WHERE survey_id = ? AND response_id > ? AND NOT is_preview ORDER BY response_id LIMIT ?) AS chunk`,
      [surveyId, afterId, limit],
    );
    return row!.chunk.map(core);
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
  survey(surveyId: number): Promise<{ survey_name: string; is_anonymous: boolean } | null> {
    return rowOf(this.db, 'SELECT survey_name, is_anonymous FROM surveys WHERE survey_id = ?', [surveyId]);
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

function bytesOf({ kind, code }: TextSource): string {
  if (kind === 'answer') return 'octet_length(answers ->> ?)';
  if (kind === 'other') {
    // Of one choice, or of each of several.
    const texts = `jsonb_path_query(answers -> ?, 'lax $.other') AS other`;
    return `(SELECT max(octet_length(other #>> '{}')) FROM ${texts})`;
  }
  const column = METADATA_SQL.get(code);
  if (column === undefined) throw new Error(`${code} is no metadata column that is loaded`);
  return `octet_length(${column})`;
}

function core(row: CoreRow): ResponseCore {
  return {
    responseId: row.response_id,
    status: row.response_status,
    isTest: row.is_test,
    isDeleted: row.is_deleted,
    isEdited: row.is_edited,
    startedAtMs: row.started_at,
    completedAtMs: row.completed_at,
    durationSeconds: row.duration_seconds,
  };
}

/** Every member written out: spreading `core` takes three times as long, and exports make millions of these. */
function wholeRow(row: WholeRow): ResponseRow {
  return {
    responseId: row.response_id,
    status: row.response_status,
    isTest: row.is_test,
    isDeleted: row.is_deleted,
    isEdited: row.is_edited,
    startedAtMs: row.started_at,
    completedAtMs: row.completed_at,
    durationSeconds: row.duration_seconds,
    submissionId: row.submission_id,
    statusReason: row.status_reason,
    updatedAtMs: row.updated_at,
    lastPageId: row.last_page_id,
    language: row.language,
    linkId: row.link_id,
    waveId: row.wave_id,
    respondentId: row.respondent_id,
    externalId: row.external_id,
    surveyVersion: row.survey_version,
    quality: row.quality,
    answers: row.answers,
  };
}
