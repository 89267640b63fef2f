import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryCount, queryPreparedRows, queryRows } from '../db/rows.ts';
import type { StoredAnswers } from '../domain/questions/answers/codec.ts';
import type { Presentation } from '../domain/responses/presentation.ts';
import type { EditableAnswers, ResponseStatus } from '../domain/responses/response-row.ts';
import type { ResponseQuality } from '../domain/responses/quality-flag.ts';
import { requireEntry, requireValue } from '../lib/require-value.ts';
import type { WaveTable } from './tables/field.ts';
import type { ResponseTable } from './tables/responses.ts';

export interface NewResponse {
  surveyId: number;
  /** Absent or null: the next of the sequence. If the survey has this id, the insert fails: see `isResponseIdTaken`. */
  responseId?: number | null;
  /** Idempotency key of the client, unique within the survey; null when the client sends none. */
  submissionId: string | null;
  responseToken: string;
  /** Proves that a repeated submission_id comes from the client that sent the first request; absent or null: no proof is possible. */
  clientSecretHash?: string | null;
  status: ResponseStatus;
  statusReason: string | null;
  /** The `reason` of the skip rule that ended it. */
  endReason?: string | null;
  /** An author's preview of the draft: a test that no statistic counts. */
  isPreview?: boolean;
  /** A test response; previews always are. */
  isTest?: boolean;
  /** A generated test response, which deleting seeded responses removes. */
  isSeeded?: boolean;
  surveyVersion: number;
  linkId: number | null;
  /** As hides_link of the table. */
  hidesLink?: boolean;
  waveId: number | null;
  /** The invited respondent; null in anonymous surveys. */
  respondentId?: number | null;
  externalId: string | null;
  language: string | null;
  lastPageId: number | null;
  startedAt: Date;
  completedAt: Date | null;
  /** The time zone to whose days the times are stored; null: they are exact. Absent: as the settings of the survey say. */
  dayZone?: string | null;
  durationSeconds: number | null;
  answers: StoredAnswers;
  hidden: Record<string, string> | null;
  /** Keys for finding duplicates, where the survey's settings ask for them; null in anonymous surveys. */
  addressHash?: string | null;
  fingerprint?: string | null;
  consentedAt?: Date | null;
  quality?: ResponseQuality | null;
  /** Cells of its wave's quotas in which it counts, or which screened it out; null: quotas were not evaluated. */
  quotaCells?: readonly number[] | null;
  /** What was random; absent or null: nothing. */
  presentation?: Presentation | null;
  /** The earlier response whose answers it carries; absent or null: none. */
  previous?: { surveyId: number; responseId: number } | null;
}

const SHARED = [
  'response_id',
  'response_token',
  'response_status',
  'status_reason',
  'link_id',
  'external_id',
  'is_preview',
] as const;
const WRITTEN = [...SHARED, 'client_secret_hash'] as const;
/** Of an open response, joined with its wave. `wave_id` is fixed when the response begins. */
const OPEN = [
  ...SHARED,
  'submission_id',
  'survey_version',
  'last_page_id',
  'language',
  'started_at',
  'updated_at',
  'answers',
  'hidden',
  'presentation',
  'respondent_id',
  'wave_id',
  'day_zone',
  'has_exact_times',
] as const;

type WrittenRow = Pick<ResponseTable, (typeof WRITTEN)[number]>;

/** The stored response of a submission. */
export interface WrittenResponse extends WrittenRow {
  /** False: a response with this submission_id existed and is unchanged. */
  created: boolean;
}

export interface KnownResponse extends Pick<ResponseTable, 'response_id' | 'submission_id'> {
  is_deleted: boolean;
}

export interface OpenResponseRow
  extends Pick<ResponseTable, (typeof OPEN)[number]>, Pick<WaveTable, 'wave_end_date' | 'quota_revision'> {}

/** Of a response without a wave. */
const NO_WAVE = { wave_end_date: null, quota_revision: 0 };

export interface ResponseEnd {
  status: 'complete' | 'screened_out';
  statusReason: string | null;
  endReason: string | null;
  answers: StoredAnswers;
  completedAt: Date;
  /** null: the response was in progress for so long that its exact times were removed. */
  durationSeconds: number | null;
  lastPageId: number | null;
  quality: ResponseQuality | null;
  /** As in NewResponse. */
  quotaCells: readonly number[] | null;
  presentation: Presentation | null;
}

const OPEN_RESPONSE = `SELECT ${OPEN.join(', ')} FROM responses WHERE survey_id = ? AND response_token = ? AND deleted_at IS NULL`;

const ON_REPEATED_SUBMISSION = `ON CONFLICT (survey_id, submission_id) WHERE submission_id IS NOT NULL DO NOTHING
       RETURNING ${WRITTEN.join(', ')}`;

/**
 * How a bulk insert passes its rows. `arrays` has the same text for every number of rows, so that a connection plans it once; a distributed
 * table would send such rows through the coordinator. `values`: one list of values for each row.
 */
type InsertForm = 'arrays' | 'values';

/** PostgreSQL accepts 65,535 values in a statement. */
const ROWS_PER_STATEMENT = 1_000;

/** Writes responses and finds single ones. repositories/response-data.ts reads them in bulk. */
export class ResponseRepository {
  constructor(private readonly db: Database) {}

  /**
   * Inserts all in one statement; the result is parallel to `responses`. One whose submission_id the survey has already, or that
   * repeats one of the same call, is not inserted: the result is the first one.
   */
  async insertMany(
    responses: readonly NewResponse[],
    form: InsertForm = 'values',
  ): Promise<WrittenResponse[]> {
    if (responses.length === 0) return [];
    const zoned = await this.withDayZones(responses);
    const inserted = await (form === 'arrays' && zoned.every(isPlain)
      ? this.insertPlain(zoned)
      : this.insertValues(zoned));
    const byToken = new Map(inserted.map((row) => [row.response_token, row]));
    const repeated = responses.filter((response) => !byToken.has(response.responseToken));
    const known = repeated.length === 0 ? new Map<string, never>() : await this.findBySubmission(repeated);
    return responses.map((response) => {
      const row = byToken.get(response.responseToken);
      if (row !== undefined) return { ...row, created: true };
      const key = submissionKey(response.surveyId, response.submissionId);
      return { ...requireEntry(known, key, 'submission'), created: false };
    });
  }

  private async withDayZones(responses: readonly NewResponse[]): Promise<readonly NewResponse[]> {
    const unknown = responses.filter(({ dayZone }) => dayZone === undefined);
    if (unknown.length === 0) return responses;
    const surveys = await this.db('surveys')
      .select('survey_id', 'is_anonymous', 'time_zone')
      .where({ survey_id: anyOf(this.db, [...new Set(unknown.map(({ surveyId }) => surveyId))]) });
    const zones = new Map(surveys.map((row) => [row.survey_id, row.is_anonymous ? row.time_zone : null]));
    return responses.map((one) => ({ dayZone: zones.get(one.surveyId) ?? null, ...one }));
  }

  /** Writes only the columns of plain responses, so that PostgreSQL parses one array for each instead of a JSON text of all columns. */
  private insertPlain(responses: readonly NewResponse[]): Promise<WrittenRow[]> {
    // Raw SQL: hot path; a prepared bulk insert from arrays, the same text for every number of responses.
    return queryPreparedRows<WrittenRow>(
      this.db,
      'insert_plain_responses',
      `INSERT INTO responses (survey_id, response_id, submission_id, response_token, client_secret_hash, response_status, survey_version, link_id,
         language, started_at, completed_at, day_zone, duration_seconds, answers, presentation)
       SELECT survey_id, coalesce(response_id, nextval('response_ids')), submission_id, response_token, client_secret_hash, response_status,
         survey_version, link_id, language, started_at, completed_at, day_zone, duration_seconds, answers::jsonb, presentation::jsonb
       FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::bigint[], ?::text[], ?::timestamptz[],
         ?::timestamptz[], ?::text[], ?::double precision[], string_to_array(?::text, chr(10)), string_to_array(?::text, chr(10), '')) AS given (survey_id, response_id, submission_id, response_token, client_secret_hash,
         response_status, survey_version, link_id, language, started_at, completed_at, day_zone, duration_seconds, answers, presentation)
       ${ON_REPEATED_SUBMISSION}`,
      [
        responses.map(({ surveyId }) => surveyId),
        responses.map(({ responseId }) => responseId ?? null),
        responses.map(({ submissionId }) => submissionId),
        responses.map(({ responseToken }) => responseToken),
        responses.map(({ clientSecretHash }) => clientSecretHash ?? null),
        responses.map(({ status }) => status),
        responses.map(({ surveyVersion }) => surveyVersion),
        responses.map(({ linkId }) => linkId),
        responses.map(({ language }) => language),
        responses.map(({ startedAt }) => startedAt.toISOString()),
        responses.map(({ completedAt }) => completedAt?.toISOString() ?? null),
        responses.map(({ dayZone }) => dayZone ?? null),
        responses.map(({ durationSeconds }) => durationSeconds),
        // A text with one line for each, since JSON.stringify writes no line breaks; an array would have every quotation mark escaped.
        responses.map(({ answers }) => JSON.stringify(answers)).join('\n'),
        responses.map(({ presentation }) => jsonOrNull(presentation) ?? '').join('\n'),
      ],
    );
  }

  private async insertValues(responses: readonly NewResponse[]): Promise<WrittenRow[]> {
    const inserted: WrittenRow[] = [];
    for (let start = 0; start < responses.length; start += ROWS_PER_STATEMENT)
      inserted.push(
        ...(await this.db('responses')
          .insert(responses.slice(start, start + ROWS_PER_STATEMENT).map(toInsertedRow))
          .onConflict(this.db.raw('(survey_id, submission_id) WHERE submission_id IS NOT NULL'))
          .ignore()
          .returning(WRITTEN)),
      );
    return inserted;
  }

  /** The response that an earlier request with this submission_id wrote; null when there is none. */
  async findSubmission(surveyId: number, submissionId: string | null): Promise<WrittenResponse | null> {
    const [found] = await this.findSubmissions([{ surveyId, submissionId }]);
    return found ?? null;
  }

  /** The same for several; the result is parallel to `responses`. */
  async findSubmissions(
    responses: readonly Pick<NewResponse, 'surveyId' | 'submissionId'>[],
  ): Promise<(WrittenResponse | null)[]> {
    const named = responses.filter(({ submissionId }) => submissionId !== null);
    if (named.length === 0) return responses.map(() => null);
    const known = await this.findBySubmission(named);
    const found = ({ surveyId, submissionId }: (typeof named)[number]) =>
      known.get(submissionKey(surveyId, submissionId));
    return responses.map(found).map((row) => (row === undefined ? null : { ...row, created: false }));
  }

  /** Responses of the survey with one of these submission_ids or response_ids. Includes deleted ones, leaves out previews. */
  async findExistingIds(
    surveyId: number,
    submissionIds: readonly string[],
    responseIds: readonly number[],
  ): Promise<KnownResponse[]> {
    return this.db('responses')
      .select('response_id', 'submission_id', { is_deleted: this.db.raw<boolean>('deleted_at IS NOT NULL') })
      .where({ survey_id: surveyId, is_preview: false })
      .whereRaw('(submission_id = ANY(?::text[]) OR response_id = ANY(?::bigint[]))', [
        [...submissionIds],
        [...responseIds],
      ]);
  }

  private async findBySubmission(
    responses: readonly Pick<NewResponse, 'surveyId' | 'submissionId'>[],
  ): Promise<Map<string, WrittenRow>> {
    const surveyIds = [...new Set(responses.map((response) => response.surveyId))];
    // Raw SQL: hot path; the same text for every number of responses. May find rows of other pairs, which the caller does not look for.
    const rows = await queryRows<WrittenRow & Pick<ResponseTable, 'survey_id' | 'submission_id'>>(
      this.db,
      `SELECT ${WRITTEN.join(', ')}, survey_id, submission_id FROM responses
       WHERE survey_id = ANY(?::bigint[]) AND submission_id = ANY(?::text[])`,
      [surveyIds, responses.map((response) => response.submissionId)],
    );
    return new Map(rows.map((row) => [submissionKey(row.survey_id, row.submission_id), row]));
  }

  /** What a response answers, and what edits replaced. */
  async findAnswers(surveyId: number, responseId: number): Promise<EditableAnswers> {
    const row = await this.db('responses')
      .first('answers', 'originals')
      .where({ survey_id: surveyId, response_id: responseId });
    return requireValue(row, 'response');
  }

  /**
   * Returns the response of a respondent that was the newest complete one at a time, without tests and deleted ones; null: there was none.
   * A member of a panel has the external_id in responses through the link of that panel.
   */
  async findNewestComplete(
    surveyId: number,
    respondent: { respondentId: number } | { externalId: string; linkId: number },
    before: Date,
  ): Promise<Pick<ResponseTable, 'response_id' | 'answers'> | null> {
    const found = await this.db('responses')
      .first('response_id', 'answers')
      .where({ survey_id: surveyId, response_status: 'complete', is_test: false, deleted_at: null })
      .where(
        'respondentId' in respondent
          ? { respondent_id: respondent.respondentId }
          : { external_id: respondent.externalId, link_id: respondent.linkId },
      )
      .where('completed_at', '<', before)
      .orderBy('completed_at', 'desc')
      .orderBy('response_id', 'desc');
    return found ?? null;
  }

  /** Whether a survey has responses that are not tests, deleted ones included. */
  async hasReal(surveyId: number): Promise<boolean> {
    const response = await this.db('responses')
      .first('response_id')
      .where({ survey_id: surveyId, is_test: false });
    return response !== undefined;
  }

  /** Locks a response until the transaction ends; null when the survey has no response with this token. */
  lockByToken(surveyId: number, responseToken: string): Promise<OpenResponseRow | null> {
    return this.findOpen('lock_open_response', `${OPEN_RESPONSE} FOR UPDATE`, surveyId, responseToken);
  }

  /** Ends the token and the client secret of a response. `consentedAt` null keeps the stored time. */
  async replaceToken(
    surveyId: number,
    responseId: number,
    given: { responseToken: string; clientSecretHash: string | null; consentedAt: Date | null },
  ): Promise<void> {
    await this.db('responses')
      .where({ survey_id: surveyId, response_id: responseId })
      .update({
        response_token: given.responseToken,
        client_secret_hash: given.clientSecretHash,
        ...(given.consentedAt === null ? {} : { consented_at: given.consentedAt }),
      });
  }

  findByToken(surveyId: number, responseToken: string): Promise<OpenResponseRow | null> {
    return this.findOpen('open_response', OPEN_RESPONSE, surveyId, responseToken);
  }

  private async findOpen(
    name: string,
    sql: string,
    surveyId: number,
    responseToken: string,
  ): Promise<OpenResponseRow | null> {
    // Raw SQL: hot path of opening, saving and submitting.
    const [response] = await queryPreparedRows<Omit<OpenResponseRow, keyof typeof NO_WAVE>>(
      this.db,
      name,
      sql,
      [surveyId, responseToken],
    );
    if (response === undefined) return null;
    if (response.wave_id === null) return { ...response, ...NO_WAVE };
    // Raw SQL: hot path of saving and submitting in a wave.
    const [wave] = await queryPreparedRows<Pick<OpenResponseRow, keyof typeof NO_WAVE>>(
      this.db,
      'wave_of_response',
      'SELECT wave_end_date, quota_revision FROM waves WHERE survey_id = ? AND wave_id = ?',
      [surveyId, response.wave_id],
    );
    return { ...response, ...(wave ?? NO_WAVE) };
  }

  /**
   * Merges answers into the stored ones, by question code, and removes those of the `removed` codes. `lastPageId` null keeps the stored
   * page.
   */
  async saveAnswers({
    surveyId,
    responseId,
    answers,
    removed,
    lastPageId,
    presentation,
  }: {
    surveyId: number;
    responseId: number;
    answers: StoredAnswers;
    removed: readonly string[];
    lastPageId: number | null;
    presentation: Presentation | null;
  }): Promise<void> {
    // Raw SQL: hot path of saving.
    await queryPreparedRows(
      this.db,
      'save_answers',
      `UPDATE responses SET answers = (answers || ?::jsonb) - ?::text[], last_page_id = coalesce(?, last_page_id), updated_at = now(),
         presentation = coalesce(?::jsonb, presentation)
       WHERE survey_id = ? AND response_id = ?`,
      [JSON.stringify(answers), removed, lastPageId, jsonOrNull(presentation), surveyId, responseId],
    );
  }

  /**
   * Ends a response with its final answers; `lastPageId` null keeps the stored page. Where the clock was set back since the response
   * began, completed_at is started_at.
   */
  async finish(surveyId: number, responseId: number, end: ResponseEnd): Promise<void> {
    // Raw SQL: hot path of submitting.
    await queryPreparedRows(
      this.db,
      'finish_response',
      `UPDATE responses SET answers = ?, response_status = ?, status_reason = ?, end_reason = ?, completed_at = greatest(?::timestamptz, started_at),
         updated_at = now(), duration_seconds = ?, last_page_id = coalesce(?, last_page_id), quality = ?,
         quota_cells = ?::bigint[], presentation = ?::jsonb
       WHERE survey_id = ? AND response_id = ?`,
      [
        JSON.stringify(end.answers),
        end.status,
        end.statusReason,
        end.endReason,
        end.completedAt,
        end.durationSeconds,
        end.lastPageId,
        end.quality === null ? null : JSON.stringify(end.quality),
        end.quotaCells,
        jsonOrNull(end.presentation),
        surveyId,
        responseId,
      ],
    );
  }

  /**
   * Rounds the times of responses to anonymous surveys that are in progress but were not saved since `before`, and deletes their
   * reservations, which have ended long ago: those contain the time of the last save.
   */
  async roundAbandoned(before: Date): Promise<void> {
    const rounded = await this.db('responses')
      .where({ has_exact_times: true })
      .where('updated_at', '<', before)
      .update({ has_exact_times: false }, ['survey_id', 'response_id']);
    for (const surveyId of new Set(rounded.map((row) => row.survey_id))) {
      const ids = rounded.flatMap((row) => (row.survey_id === surveyId ? [row.response_id] : []));
      for (const table of ['link_reservations', 'quota_reservations'] as const)
        await this.db(table)
          .where({ survey_id: surveyId, response_id: anyOf(this.db, ids) })
          .where('reserved_until', '<', before)
          .delete();
      const tokens = this.db('responses')
        .select('response_token')
        .where({ survey_id: surveyId, response_id: anyOf(this.db, ids) });
      await this.db('arm_reservations')
        .where({ survey_id: surveyId })
        .whereIn('response_token', tokens)
        .where('reserved_until', '<', before)
        .delete();
    }
  }

  /**
   * Marks every seeded response as deleted, and those that already are as removed by `removalId`, a reserved change_id: undoing an
   * earlier change restores none of them. Returns how many were not deleted before.
   */
  async deleteSeeded(surveyId: number, removalId: number): Promise<number> {
    const [latest] = await this.db('data_changes')
      .max<{ change_id: number | null }[]>({ change_id: 'change_id' })
      .where({ survey_id: surveyId });
    const latestChangeId = latest?.change_id ?? null;
    const seeded = await this.db('responses')
      .select('response_id', 'deleted_at')
      .where({ survey_id: surveyId, is_seeded: true })
      .whereRaw('(deleted_at IS NULL OR seed_removal IS NULL OR seed_removal < ?)', [latestChangeId])
      .orderBy('response_id')
      .forUpdate();
    // Raw SQL: an expression of the column and a value.
    await queryCount(
      this.db,
      `UPDATE responses SET deleted_at = coalesce(deleted_at, ?::timestamptz), seed_removal = ?, updated_at = now()
       WHERE survey_id = ? AND response_id = ANY(?::bigint[])`,
      [new Date(), removalId, surveyId, seeded.map((row) => row.response_id)],
    );
    return seeded.filter((row) => row.deleted_at === null).length;
  }
}

const submissionKey = (surveyId: number, submissionId: string | null): string =>
  `${surveyId} ${submissionId}`;

/** Members that a response of an open link in a survey without waves, quality rules and hidden fields does not have. */
const RARE_MEMBERS = [
  'hidesLink',
  'statusReason',
  'endReason',
  'isPreview',
  'isTest',
  'isSeeded',
  'waveId',
  'respondentId',
  'externalId',
  'lastPageId',
  'hidden',
  'addressHash',
  'fingerprint',
  'consentedAt',
  'quality',
  'quotaCells',
  'previous',
] as const satisfies readonly (keyof NewResponse)[];

/** Whether all values of the response fit `insertPlain`. */
const isPlain = (response: NewResponse): boolean =>
  RARE_MEMBERS.every(
    (member) => response[member] === undefined || response[member] === null || response[member] === false,
  );

function toInsertedRow(response: NewResponse) {
  const isPreview = response.isPreview ?? false;
  return {
    survey_id: response.surveyId,
    // Where it is absent, the builder writes DEFAULT.
    ...(response.responseId == null ? {} : { response_id: response.responseId }),
    submission_id: response.submissionId,
    response_token: response.responseToken,
    client_secret_hash: response.clientSecretHash ?? null,
    response_status: response.status,
    status_reason: response.statusReason,
    survey_version: response.surveyVersion,
    link_id: response.linkId,
    hides_link: response.hidesLink ?? false,
    wave_id: response.waveId,
    respondent_id: response.respondentId ?? null,
    external_id: response.externalId,
    language: response.language,
    last_page_id: response.lastPageId,
    started_at: response.startedAt,
    completed_at: response.completedAt,
    day_zone: response.dayZone ?? null,
    duration_seconds: response.durationSeconds,
    answers: JSON.stringify(response.answers),
    hidden: jsonOrNull(response.hidden),
    address_hash: response.addressHash ?? null,
    fingerprint: response.fingerprint ?? null,
    consented_at: response.consentedAt ?? null,
    quality: jsonOrNull(response.quality),
    end_reason: response.endReason ?? null,
    is_preview: isPreview,
    is_test: isPreview || (response.isTest ?? false),
    is_seeded: response.isSeeded ?? false,
    quota_cells: response.quotaCells == null ? null : [...response.quotaCells],
    presentation: jsonOrNull(response.presentation),
    previous_survey_id: response.previous?.surveyId ?? null,
    previous_response_id: response.previous?.responseId ?? null,
  };
}

const jsonOrNull = (value: object | null | undefined): string | null =>
  value == null ? null : JSON.stringify(value);
