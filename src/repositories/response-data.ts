import type { Database } from '../db/connect.ts';
import { queryPreparedRows, queryRow, queryRows } from '../db/rows.ts';
import type { StoredAnswer } from '../domain/questions/answers/codec.ts';
import type { LoadedValue } from '../domain/dataset/dataset.ts';
import type { ResponseRow, ResponseState } from '../domain/responses/response-row.ts';
import { readPresentationLoadCode } from '../domain/responses/presentation.ts';
import { requireItem, requireValue } from '../lib/require-value.ts';
import type { ResponseTable } from './tables/responses.ts';
import type { SurveyTable } from './tables/surveys.ts';

/** As domain/responses/quality-flag.ts has them: a flag without a review is pending. */
const REVIEWS = `jsonb_path_query_array(quality, '$.flags[*].review')`;
const QUALITY_STATUS = `CASE WHEN coalesce(jsonb_array_length(quality -> 'flags'), 0) = 0 THEN NULL
    WHEN ${REVIEWS} @> '["confirmed"]' THEN 'confirmed'
    WHEN jsonb_array_length(${REVIEWS}) < jsonb_array_length(quality -> 'flags') THEN 'pending' ELSE 'dismissed' END`;
const QUALITY_FLAGS = `(SELECT string_agg(name, ';' ORDER BY name COLLATE "C") FROM (
    SELECT DISTINCT flag ->> 'check' AS name FROM jsonb_array_elements(quality -> 'flags') AS flag) AS checks)`;

/**
 * An anonymous survey (its zone is in WITH_ZONE) shows nothing that the person who answered knows too: neither the id that the client sent,
 * nor the respondent of a response that was collected before it became anonymous, nor a link that one person got.
 */
const SUBMISSION_ID = 'CASE WHEN z.day_zone IS NULL THEN submission_id END';
const RESPONDENT_ID = 'CASE WHEN z.day_zone IS NULL THEN respondent_id END';
const LINK_ID = 'CASE WHEN NOT hides_link THEN link_id END';

/** Metadata columns as PostgreSQL reads them. Times are milliseconds since 1970, flags 0 and 1. */
const METADATA_SQL: ReadonlyMap<string, string> = new Map([
  ['response_id', 'response_id'],
  ['submission_id', SUBMISSION_ID],
  ['response_status', 'response_status'],
  ['status_reason', 'status_reason'],
  ['end_reason', 'end_reason'],
  ['started_at', milliseconds('started_at')],
  ['completed_at', milliseconds('completed_at')],
  ['updated_at', milliseconds('updated_at')],
  ['duration_seconds', 'duration_seconds'],
  ['last_page_id', 'last_page_id'],
  ['language', 'language'],
  ['link_id', LINK_ID],
  ['wave_id', 'wave_id'],
  ['respondent_id', RESPONDENT_ID],
  ['external_id', 'external_id'],
  ['survey_version', 'survey_version'],
  ['is_test', 'is_test::integer'],
  ['edited', '(originals IS NOT NULL)::integer'],
  ['quality_status', QUALITY_STATUS],
  ['quality_flags', QUALITY_FLAGS],
]);

/** Returns a metadata column, or one of what chance decided, as PostgreSQL reads it; undefined for questions. */
function metadataSql(loadCode: string): string | undefined {
  const presented = readPresentationLoadCode(loadCode);
  if (presented === null) return METADATA_SQL.get(loadCode);
  // Keys are ids and question codes: letters, digits, _ and, of items of loops, - in brackets.
  const { part, key } = presented;
  if (part === 'page_times') return `(page_times ->> '${key}')::double precision`;
  const text = `presentation #>> '{${part},"${key}"}'`;
  return part === 'positions' ? `(${text})::integer` : text;
}

/** What every dataset holds of a response. */
const STATE = `response_id, response_status, is_test, deleted_at IS NOT NULL AS is_deleted,
  coalesce(quality @> '{"flags":[{"review":"confirmed"}]}', false) AS has_confirmed_flags`;
/** A response without its answers, read from WITH_ZONE. */
const ROW_WITHOUT_ANSWERS = `${STATE}, originals IS NOT NULL AS is_edited, ${milliseconds('started_at')} AS started_at,
  ${milliseconds('completed_at')} AS completed_at, duration_seconds, ${SUBMISSION_ID} AS submission_id, status_reason, end_reason, ${milliseconds('updated_at')} AS updated_at, last_page_id, language,
  ${LINK_ID} AS link_id, wave_id, ${RESPONDENT_ID} AS respondent_id, external_id, survey_version, quality, presentation,
  page_times`;
/** A whole response, read from WITH_ZONE. */
const ROW = `${ROW_WITHOUT_ANSWERS}, answers`;
/** Some of the answers, read from UNPACKED_ANSWERS; binds the codes of their questions. */
const SOME_ANSWERS = `(SELECT coalesce(jsonb_object_agg(code, unpacked.answers -> code), '{}')
    FROM unnest(?::text[]) AS code WHERE jsonb_exists(unpacked.answers, code))`;

/** The zone to whose days times are rounded, of the table surveys; null where they are exact. */
export const DAY_ZONE = 'CASE WHEN is_anonymous THEN time_zone END AS day_zone';

/** Responses, and the zone of DAY_ZONE as z; binds the zone. */
const WITH_ZONE = 'responses r CROSS JOIN (SELECT ?::text AS day_zone) z';

/** An anonymous survey shows only the day (in its time zone), so that no respondent is recognized by the moment of answering; filters and sorting see the day too. */
function milliseconds(column: string): string {
  const result = `CASE WHEN z.day_zone IS NULL THEN ${column} ELSE date_trunc('day', ${column}, z.day_zone) END`;
  return `floor(extract(epoch FROM ${result}) * 1000)::bigint`;
}

/**
 * Joins the answers of each response `r` as `unpacked.answers`, decompressed once; each `->` on the table's column decompresses them again,
 * which takes most of the time of reading many questions. OFFSET 0 keeps PostgreSQL from merging the subquery, and `||` returns the
 * decompressed value as it is.
 */
const UNPACKED_ANSWERS = `CROSS JOIN LATERAL (SELECT r.answers || '{}' AS answers OFFSET 0) AS unpacked`;

/**
 * Which transactions a reader has seen. `snapshot` has the syntax of pg_snapshot and is valid only in its `source`: a server, and the
 * table there that has the survey's responses. The source changes when the responses move to another server or partition.
 */
export interface Watermark {
  source: string;
  snapshot: string;
}

/** The table in which the responses of a survey are stored; null without responses. Binds survey_id. */
const RESPONSE_TABLE = '(SELECT tableoid FROM responses WHERE survey_id = ? LIMIT 1)';

/**
 * The server and its timeline. Only functions: a statement that also reads a catalog table is not evaluated on the server that has the
 * responses.
 */
const SERVER = `concat_ws('/', (SELECT system_identifier FROM pg_control_system()), (SELECT timeline_id FROM pg_control_checkpoint()))`;

/** A subquery with the current source and the table; binds survey_id. */
export const HERE = `(SELECT ${SERVER} || '/' || coalesce(response_table::text, '') AS source, response_table
  FROM (SELECT ${RESPONSE_TABLE} AS response_table) AS found)`;

/**
 * Condition on responses that a transaction outside a snapshot wrote in the table `here.response_table`; binds the snapshot twice. The
 * first half uses the index. Rows that were copied from another table were committed before any snapshot of this one.
 */
export const NOT_IN_SNAPSHOT =
  'changed_in = here.response_table AND changed_xid >= pg_snapshot_xmin(?::pg_snapshot) AND NOT pg_visible_in_snapshot(changed_xid, ?::pg_snapshot)';

/** As STATE is read. */
interface StateRow extends Pick<ResponseTable, 'response_id' | 'response_status' | 'is_test'> {
  is_deleted: boolean;
  has_confirmed_flags: boolean;
}

/** As ROW is read. */
interface WholeRow
  extends
    StateRow,
    Pick<
      ResponseTable,
      | 'duration_seconds'
      | 'submission_id'
      | 'status_reason'
      | 'end_reason'
      | 'last_page_id'
      | 'language'
      | 'link_id'
      | 'wave_id'
      | 'respondent_id'
      | 'external_id'
      | 'survey_version'
      | 'quality'
      | 'presentation'
      | 'page_times'
      | 'answers'
    > {
  is_edited: boolean;
  /** In milliseconds since 1970, as the other times. */
  started_at: number;
  completed_at: number | null;
  updated_at: number;
}

/** Texts of responses: a metadata column, the answers to a question, or what was typed beside its options. */
export interface TextSource {
  kind: 'metadata' | 'answer' | 'other';
  /** Of the metadata column or the question. */
  code: string;
}

/** The bytes of a text, read from `r` and UNPACKED_ANSWERS; what it binds is the question's code. */
function bytesOf({ kind, code }: TextSource): string {
  // A reason instead of an answer is an object.
  if (kind === 'answer')
    return `octet_length((SELECT answer #>> '{}' FROM (SELECT unpacked.answers -> ? AS answer) a WHERE jsonb_typeof(answer) = 'string'))`;
  if (kind === 'other') {
    // Of one choice, or of each of several.
    const texts = `jsonb_path_query(unpacked.answers -> ?, 'lax $.other') AS other`;
    return `(SELECT max(octet_length(other #>> '{}')) FROM ${texts})`;
  }
  const column = metadataSql(code);
  if (column === undefined) throw new Error(`${code} is no metadata column that is loaded`);
  return `octet_length(${column})`;
}

function stateOf(row: StateRow): ResponseState {
  return {
    responseId: row.response_id,
    status: row.response_status,
    isTest: row.is_test,
    isDeleted: row.is_deleted,
    hasConfirmedFlags: row.has_confirmed_flags,
  };
}

/** Every member written out: spreading `stateOf` takes three times as long, and exports make millions of these. */
function wholeRow(row: WholeRow): ResponseRow {
  return {
    responseId: row.response_id,
    status: row.response_status,
    isTest: row.is_test,
    isDeleted: row.is_deleted,
    hasConfirmedFlags: row.has_confirmed_flags,
    isEdited: row.is_edited,
    startedAtMs: row.started_at,
    completedAtMs: row.completed_at,
    durationSeconds: row.duration_seconds,
    submissionId: row.submission_id,
    statusReason: row.status_reason,
    endReason: row.end_reason,
    updatedAtMs: row.updated_at,
    lastPageId: row.last_page_id,
    language: row.language,
    linkId: row.link_id,
    waveId: row.wave_id,
    respondentId: row.respondent_id,
    externalId: row.external_id,
    surveyVersion: row.survey_version,
    quality: row.quality,
    presentation: row.presentation,
    pageTimes: row.page_times,
    answers: row.answers,
  };
}

/** Stands for "not shown" in JSON, where null is "skipped": no answer is an empty text. */
const NOT_SHOWN = '';

/** What the cached data of a survey depend on besides its responses. */
export interface SurveyDataState {
  /** Of the survey's definition. */
  revision: number;
  /** Of its derived columns and waves. */
  columns_revision: number;
  /** The zone to whose days times are rounded; null: they are exact. */
  day_zone: string | null;
  time_zone: string;
  /** Closed surveys are published too. */
  is_published: boolean;
}

interface ChangedRow extends Omit<WholeRow, 'response_id'>, Watermark {
  response_id: number | null;
}

/** Changes since a watermark, read under a new one. */
interface Changes {
  /** Pass it to the next call. */
  watermark: Watermark;
  rows: ResponseRow[];
  /** `rows` is not all: the source is another one, or there are more than the limit. Everything must be read again. */
  isIncomplete: boolean;
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
  /** `replicaSnapshot`: the snapshot of the primary server, for a repository that reads from a replica; see db/replicas.ts. */
  constructor(
    private readonly db: Database,
    private readonly replicaSnapshot: string | null,
  ) {}

  /** Returns null where the survey does not exist. */
  async findSurveyState(surveyId: number): Promise<SurveyDataState | null> {
    // Raw SQL: hot path of every figure.
    const [row] = await queryPreparedRows<SurveyDataState>(
      this.db,
      'survey_data_state',
      `SELECT revision, columns_revision, ${DAY_ZONE}, time_zone, published_version IS NOT NULL AS is_published
       FROM surveys WHERE survey_id = ?`,
      [surveyId],
    );
    return row ?? null;
  }

  /** The watermark of the transaction this repository is bound to, or an older one, for `listChangesSince`. */
  async readWatermark(surveyId: number): Promise<Watermark> {
    // Raw SQL: reads no columns.
    const row = await queryRow<Watermark>(
      this.db,
      `SELECT here.source, coalesce(?, pg_current_snapshot()::text) AS snapshot FROM ${HERE} AS here`,
      [this.replicaSnapshot, surveyId],
    );
    return requireValue(row, 'watermark');
  }

  /**
   * Responses written by transactions that are not visible in `watermark`. Exact whatever the order of commits: a transaction that
   * was running when the snapshot was taken is not visible in it, however old its id is. `dayZone`: as in SurveyDataState. `lastId`: only
   * of responses up to this one.
   */
  async listChangesSince({
    surveyId,
    watermark: { source, snapshot },
    dayZone,
    limit,
    lastId = null,
  }: {
    surveyId: number;
    watermark: Watermark;
    dayZone: string | null;
    limit: number;
    lastId?: number | null;
  }): Promise<Changes> {
    const bound =
      lastId === null
        ? { name: 'responses_changed_since', sql: '', values: [] }
        : { name: 'responses_changed_since_up_to', sql: 'AND r.response_id <= ?', values: [lastId] };
    // Raw SQL: hot path; almost every column is an expression. Prepared: planning takes longer than running.
    const rows = await queryPreparedRows<ChangedRow>(
      this.db,
      bound.name,
      `SELECT here.source, coalesce(?::text, pg_current_snapshot()::text) AS snapshot, ${ROW}
       FROM ${HERE} AS here CROSS JOIN (SELECT ?::text AS day_zone) z
       LEFT JOIN responses r ON r.survey_id = ? AND NOT r.is_preview AND ${NOT_IN_SNAPSHOT} ${bound.sql}
       LIMIT ?`,
      [this.replicaSnapshot, surveyId, dayZone, surveyId, snapshot, snapshot, ...bound.values, limit + 1],
    );
    const first = requireItem(rows, 0, 'watermark');
    const changed = rows
      .filter((row): row is ChangedRow & WholeRow => row.response_id !== null)
      .map(wholeRow);
    return {
      watermark: { source: first.source, snapshot: first.snapshot },
      rows: changed,
      isIncomplete: first.source !== source || changed.length > limit,
    };
  }

  /** The states of the next at most `limit` responses after an id, by response_id. */
  async listStatesAfter(surveyId: number, afterId: number, limit: number): Promise<ResponseState[]> {
    // Raw SQL: aggregates the rows as one JSON value, which the driver reads several times faster.
    const row = requireValue(
      await queryRow<{ chunk: StateRow[] }>(
        this.db,
        `SELECT coalesce(json_agg(chunk), '[]') AS chunk FROM (
         SELECT ${STATE} FROM responses WHERE survey_id = ? AND response_id > ? AND NOT is_preview ORDER BY response_id LIMIT ?) AS chunk`,
        [surveyId, afterId, limit],
      ),
      'chunk of responses',
    );
    return row.chunk.map(stateOf);
  }

  /** Values of the next at most `limit` responses after an id; each code is that of a metadata column or a question. */
  async listValuesAfter({
    surveyId,
    dayZone,
    codes,
    afterId,
    limit,
  }: {
    surveyId: number;
    dayZone: string | null;
    codes: readonly string[];
    afterId: number;
    limit: number;
  }): Promise<ValueChunk> {
    const questionCodes = codes.filter((code) => metadataSql(code) === undefined);
    const sources = codes.map(
      (code) => metadataSql(code) ?? `coalesce(unpacked.answers -> ?, '"${NOT_SHOWN}"')`,
    );
    const unpacked = questionCodes.length > 0 ? UNPACKED_ANSWERS : '';
    // Raw SQL: aggregates each column as one JSON value, which the driver reads several times faster.
    const row = requireValue(
      await queryRow<Record<string, unknown[] | null>>(
        this.db,
        `SELECT json_agg(response_id) AS ids ${codes.map((_, index) => `, json_agg(v${index}) AS v${index}`).join('')}
       FROM (SELECT response_id ${sources.map((sql, index) => `, ${sql} AS v${index}`).join('')}
             FROM ${WITH_ZONE} ${unpacked} WHERE survey_id = ? AND response_id > ? AND NOT is_preview ORDER BY response_id LIMIT ?) AS chunk`,
        [...questionCodes, dayZone, surveyId, afterId, limit],
      ),
      'chunk of values',
    );
    return {
      responseIds: (row.ids ?? []) as number[],
      values: codes.map((code, index) => {
        const values = (row[`v${index}`] ?? []) as (StoredAnswer | null)[];
        return metadataSql(code) !== undefined
          ? values
          : values.map((value) => (value === NOT_SHOWN ? undefined : value));
      }),
    };
  }

  /** The survey of an exported file; null when it does not exist. */
  async findExportedSurvey(
    surveyId: number,
  ): Promise<Pick<SurveyTable, 'survey_name' | 'is_anonymous' | 'time_zone'> | null> {
    const survey = await this.db('surveys')
      .first('survey_name', 'is_anonymous', 'time_zone')
      .where({ survey_id: surveyId });
    return survey ?? null;
  }

  /** The bytes of the longest text of each source among all responses that are not deleted; parallel to `sources`. */
  async findLongestTexts(surveyId: number, sources: readonly TextSource[]): Promise<number[]> {
    const dayZone = (await this.findSurveyState(surveyId))?.day_zone ?? null;
    const longest: number[] = [];
    for (let start = 0; start < sources.length; start += TARGETS) {
      const part = sources.slice(start, start + TARGETS);
      const targets = part.map((source, index) => `max(${bytesOf(source)}) AS v${index}`).join(', ');
      const codes = part.flatMap(({ kind, code }) => (kind === 'metadata' ? [] : [code]));
      // Raw SQL: joins a subquery of each row.
      const row = await queryRow<Record<string, number | null>>(
        this.db,
        `SELECT ${targets} FROM responses r CROSS JOIN (SELECT ?::text AS day_zone) z
           ${codes.length > 0 ? UNPACKED_ANSWERS : ''} WHERE survey_id = ? AND deleted_at IS NULL AND NOT is_preview`,
        [...codes, dayZone, surveyId],
      );
      longest.push(...part.map((_, index) => row?.[`v${index}`] ?? 0));
    }
    return longest;
  }

  /** Whether a transaction that is not visible in the watermark wrote one of these responses, or may have. */
  async filterChanged(
    surveyId: number,
    { source, snapshot }: Watermark,
    responseIds: Float64Array,
  ): Promise<boolean> {
    // Raw SQL: joins the source in one statement.
    const rows = await queryRows<{ source: string; response_id: number | null }>(
      this.db,
      `SELECT here.source, r.response_id FROM ${HERE} AS here LEFT JOIN responses r ON r.survey_id = ? AND ${NOT_IN_SNAPSHOT}`,
      [surveyId, surveyId, snapshot, snapshot],
    );
    if (requireItem(rows, 0, 'source').source !== source) return true;
    const ids = new Set(rows.map((row) => row.response_id));
    return responseIds.some((id) => ids.has(id));
  }

  /** Whether the survey has this response, and it is neither deleted nor a preview. */
  async isVisible(surveyId: number, responseId: number): Promise<boolean> {
    const response = await this.db('responses')
      .first('response_id')
      .where({ survey_id: surveyId, response_id: responseId, deleted_at: null, is_preview: false });
    return response !== undefined;
  }

  /**
   * Whole responses in the order of the given ids; ids that the survey does not have are left out. `dayZone`: as in SurveyDataState.
   * `questionCodes`: reads only the answers to these questions.
   */
  async listByIds({
    surveyId,
    dayZone,
    responseIds,
    questionCodes = null,
  }: {
    surveyId: number;
    dayZone: string | null;
    responseIds: readonly number[];
    questionCodes?: readonly string[] | null;
  }): Promise<ResponseRow[]> {
    const row =
      questionCodes === null
        ? { name: 'responses_by_ids', sql: ROW, unpacked: '' }
        : {
            name: 'responses_by_ids_some_answers',
            sql: `${ROW_WITHOUT_ANSWERS}, ${SOME_ANSWERS} AS answers`,
            unpacked: UNPACKED_ANSWERS,
          };
    // Raw SQL: hot path; joins the ids with their positions, and almost every column is an expression. Prepared: exports repeat it.
    const rows = await queryPreparedRows<WholeRow>(
      this.db,
      row.name,
      `SELECT ${row.sql} FROM unnest(?::bigint[]) WITH ORDINALITY AS requested (response_id, position)
       JOIN responses r USING (response_id) CROSS JOIN (SELECT ?::text AS day_zone) z ${row.unpacked}
       WHERE survey_id = ? AND NOT is_preview ORDER BY requested.position`,
      [...(questionCodes === null ? [] : [questionCodes]), responseIds, dayZone, surveyId],
    );
    return rows.map(wholeRow);
  }
}
