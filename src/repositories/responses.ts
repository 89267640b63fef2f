import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { StoredAnswers } from '../domain/answers/codec.ts';
import type { ResponseStatus } from '../domain/dataset/response-row.ts';
import type { ResponseQuality } from '../domain/quality/quality-flag.ts';

export interface NewResponse {
  surveyId: number;
  /** The client's own name for it, unique within the survey; null when it has none. */
  submissionId: string | null;
  responseToken: string;
  /** Proves that a repeat of the submission_id comes from the client that sent the first request; absent or null: it cannot. */
  clientSecretHash?: string | null;
  status: ResponseStatus;
  statusReason: string | null;
  /** What the skip that ended it says. */
  endReason?: string | null;
  /** An author trying the draft: a test that nothing counts. */
  isPreview?: boolean;
  /** Synthetic; a preview is one anyway. */
  isTest?: boolean;
  /** A test response that removing what was seeded takes away. */
  isSeeded?: boolean;
  surveyVersion: number;
  linkId: number | null;
  waveId: number | null;
  /** Whoever was invited; never of an anonymous survey. */
  respondentId?: number | null;
  externalId: string | null;
  language: string | null;
  lastPageId: number | null;
  startedAt: Date;
  completedAt: Date | null;
  durationSeconds: number | null;
  answers: StoredAnswers;
  hidden: Record<string, string> | null;
  /** Who it may have come from, where the survey's settings want to know; never of an anonymous survey. */
  addressHash?: string | null;
  fingerprint?: string | null;
  consentedAt?: Date | null;
  quality?: ResponseQuality | null;
  /** The cells of its wave's quotas that it counts in, or that turned it away; null: nobody looked. */
  quotaCells?: readonly number[] | null;
}

/** What stands in the database for a response that was to be written. */
export interface WrittenResponse {
  response_id: number;
  response_token: string;
  response_status: ResponseStatus;
  status_reason: string | null;
  link_id: number | null;
  external_id: string | null;
  is_preview: boolean;
  client_secret_hash: string | null;
  /** False: a response with this submission_id was there already, and stays as it was. */
  created: boolean;
}

export interface KnownResponse {
  response_id: number;
  submission_id: string | null;
  is_deleted: boolean;
}

export interface OpenResponseRow extends Omit<WrittenResponse, 'created' | 'client_secret_hash'> {
  submission_id: string | null;
  survey_version: number;
  last_page_id: number | null;
  language: string | null;
  started_at: Date;
  answers: StoredAnswers;
  hidden: Record<string, string> | null;
  respondent_id: number | null;
  /** Fixed when it began; null: none. */
  wave_id: number | null;
  /** Of that wave, as it is now. */
  wave_end_date: Date | null;
  /** How often the quotas of that wave were set; 0: it has none. */
  quota_revision: number;
}

export interface ResponseEnd {
  status: 'complete' | 'screened_out';
  statusReason: string | null;
  endReason: string | null;
  answers: StoredAnswers;
  completedAt: Date;
  durationSeconds: number;
  lastPageId: number | null;
  quality: ResponseQuality | null;
  /** As in NewResponse. */
  quotaCells: readonly number[] | null;
}

const SHARED =
  'response_id, response_token, response_status, status_reason, link_id, external_id, is_preview';
const WRITTEN = `${SHARED}, client_secret_hash`;
const OPEN = `${SHARED}, submission_id, survey_version, last_page_id, language, started_at, answers, hidden, respondent_id,
  wave_id, v.wave_end_date, coalesce(v.quota_revision, 0) AS quota_revision`;
const WITH_WAVE = 'responses r LEFT JOIN waves v USING (survey_id, wave_id)';

/** Writing responses. Reading them in bulk is repositories/response-data.ts. */
export class ResponseRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /**
   * Writes all in one statement, parallel to `responses`. One whose submission_id is known in its survey, from before or
   * from the same call, is not written again: the first one is given back.
   */
  async insertMany(responses: readonly NewResponse[]): Promise<WrittenResponse[]> {
    const inserted = await rowsOf<Omit<WrittenResponse, 'created'>>(
      this.db,
      `INSERT INTO responses (survey_id, submission_id, response_token, client_secret_hash, response_status, status_reason, survey_version, link_id,
         wave_id, respondent_id, external_id, language, last_page_id, started_at, completed_at, updated_at, duration_seconds, answers, hidden,
         address_hash, fingerprint, consented_at, quality, end_reason, is_preview, is_test,
         is_seeded, quota_cells)
       SELECT survey_id, submission_id, response_token, client_secret_hash, response_status, status_reason, survey_version, link_id,
         wave_id, respondent_id, external_id, language, last_page_id, started_at, completed_at, now(),
         duration_seconds, answers, hidden, address_hash, fingerprint, consented_at, quality, end_reason, is_preview,
         is_preview OR is_test, is_seeded, quota_cells
       FROM json_to_recordset(?::json) AS given (survey_id bigint, submission_id text, response_token text,
         client_secret_hash text, response_status text, status_reason text, survey_version integer, link_id bigint, wave_id bigint,
         respondent_id bigint, external_id text, language text, last_page_id bigint, started_at timestamptz, completed_at timestamptz,
         duration_seconds double precision, answers jsonb, hidden jsonb, address_hash text, fingerprint text,
         consented_at timestamptz, quality jsonb, end_reason text, is_preview boolean, is_test boolean,
         is_seeded boolean, quota_cells bigint[])
       ON CONFLICT (survey_id, submission_id) WHERE submission_id IS NOT NULL DO NOTHING
       RETURNING ${WRITTEN}`,
      [JSON.stringify(responses.map(asRecord))],
    );
    const byToken = new Map(inserted.map((row) => [row.response_token, row]));
    const repeated = responses.filter((response) => !byToken.has(response.responseToken));
    const known = repeated.length === 0 ? new Map<string, never>() : await this.bySubmission(repeated);
    return responses.map((response) => {
      const row = byToken.get(response.responseToken);
      if (row !== undefined) return { ...row, created: true };
      return { ...known.get(submissionKey(response.surveyId, response.submissionId))!, created: false };
    });
  }

  /** What an earlier request with this submission_id wrote; null when there was none. */
  async findSubmission(surveyId: number, submissionId: string | null): Promise<WrittenResponse | null> {
    return (await this.findSubmissions([{ surveyId, submissionId }]))[0]!;
  }

  /** The same for several, parallel to them. */
  async findSubmissions(
    responses: readonly Pick<NewResponse, 'surveyId' | 'submissionId'>[],
  ): Promise<(WrittenResponse | null)[]> {
    const named = responses.filter(({ submissionId }) => submissionId !== null);
    if (named.length === 0) return responses.map(() => null);
    const known = await this.bySubmission(named);
    const found = ({ surveyId, submissionId }: (typeof named)[number]) =>
      known.get(submissionKey(surveyId, submissionId));
    return responses.map(found).map((row) => (row === undefined ? null : { ...row, created: false }));
  }

  /** Which of these a survey has already, deleted ones too; previews are not its responses. */
  known(
    surveyId: number,
    submissionIds: readonly string[],
    responseIds: readonly number[],
  ): Promise<KnownResponse[]> {
    return rowsOf(
      this.db,
      `SELECT response_id, submission_id, deleted_at IS NOT NULL AS is_deleted FROM responses
       WHERE survey_id = ? AND NOT is_preview AND (submission_id = ANY(?::text[]) OR response_id = ANY(?::bigint[]))`,
      [surveyId, submissionIds, responseIds],
    );
  }

  private async bySubmission(
    responses: readonly Pick<NewResponse, 'surveyId' | 'submissionId'>[],
  ): Promise<Map<string, Omit<WrittenResponse, 'created'>>> {
    const surveyIds = responses.map((response) => response.surveyId);
    const rows = await rowsOf<
      Omit<WrittenResponse, 'created'> & { survey_id: number; submission_id: string }
    >(
      this.db,
      `SELECT ${WRITTEN}, survey_id, submission_id
       FROM unnest(?::bigint[], ?::text[]) AS wanted (survey_id, submission_id)
       JOIN responses USING (survey_id, submission_id) WHERE survey_id = ANY(?::bigint[])`,
      [surveyIds, responses.map((response) => response.submissionId), surveyIds],
    );
    return new Map(rows.map((row) => [submissionKey(row.survey_id, row.submission_id), row]));
  }

  /** Whether a survey has responses, deleted ones included, that are no tests. */
  async hasReal(surveyId: number): Promise<boolean> {
    const row = await rowOf(this.db, `SELECT 1 FROM responses WHERE survey_id = ? AND NOT is_test LIMIT 1`, [
      surveyId,
    ]);
    return row !== null;
  }

  /** Locks a response until the transaction ends; null when the token is of no response of this survey. */
  lockByToken(surveyId: number, responseToken: string): Promise<OpenResponseRow | null> {
    return rowOf(
      this.db,
      `SELECT ${OPEN} FROM ${WITH_WAVE} WHERE survey_id = ? AND response_token = ? AND r.deleted_at IS NULL FOR UPDATE OF r`,
      [surveyId, responseToken],
    );
  }

  findByToken(surveyId: number, responseToken: string): Promise<OpenResponseRow | null> {
    return rowOf(
      this.db,
      `SELECT ${OPEN} FROM ${WITH_WAVE} WHERE survey_id = ? AND response_token = ? AND r.deleted_at IS NULL`,
      [surveyId, responseToken],
    );
  }

  /** Puts the given answers over those that are there. */
  async saveAnswers(
    surveyId: number,
    responseId: number,
    answers: StoredAnswers,
    lastPageId: number | null,
  ): Promise<void> {
    await countOf(
      this.db,
      `UPDATE responses SET answers = answers || ?::jsonb, last_page_id = coalesce(?, last_page_id), updated_at = now()
       WHERE survey_id = ? AND response_id = ?`,
      [JSON.stringify(answers), lastPageId, surveyId, responseId],
    );
  }

  /**
   * Ends a response with its final answers; `lastPageId` null keeps the page that was noted before. Where the clock was set back since
   * the response began, it ends when it began.
   */
  async finish(surveyId: number, responseId: number, end: ResponseEnd): Promise<void> {
    await countOf(
      this.db,
      `UPDATE responses SET answers = ?, response_status = ?, status_reason = ?, end_reason = ?, completed_at = greatest(?::timestamptz, started_at),
         updated_at = now(), duration_seconds = ?, last_page_id = coalesce(?, last_page_id), quality = ?,
         quota_cells = ?::bigint[]
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
        surveyId,
        responseId,
      ],
    );
  }

  /**
   * Every seeded response, those that are deleted already too: undoing a change made before `removalId`, a change id of its own,
   * brings none of them back. Says how many there were.
   */
  async deleteSeeded(surveyId: number, removalId: number): Promise<number> {
    const row = await rowOf<{ removed: number }>(
      this.db,
      `WITH seeded AS (
         SELECT response_id, deleted_at IS NULL AS is_there FROM responses
         WHERE survey_id = ? AND is_seeded AND (deleted_at IS NULL OR seed_removal IS NULL OR seed_removal <
           (SELECT max(change_id) FROM data_changes WHERE survey_id = ?))
         ORDER BY response_id FOR UPDATE),
       gone AS (
         UPDATE responses r SET deleted_at = coalesce(deleted_at, now()), seed_removal = ?, updated_at = now()
         FROM seeded s WHERE r.survey_id = ? AND r.response_id = s.response_id RETURNING s.is_there)
       SELECT count(*) FILTER (WHERE is_there) AS removed FROM gone`,
      [surveyId, surveyId, removalId, surveyId],
    );
    return row!.removed;
  }
}

const submissionKey = (surveyId: number, submissionId: string | null): string =>
  `${surveyId} ${submissionId}`;

function asRecord(response: NewResponse): Record<string, unknown> {
  return {
    survey_id: response.surveyId,
    submission_id: response.submissionId,
    response_token: response.responseToken,
    client_secret_hash: response.clientSecretHash ?? undefined,
    response_status: response.status,
    status_reason: response.statusReason,
    survey_version: response.surveyVersion,
    link_id: response.linkId,
    wave_id: response.waveId,
    respondent_id: response.respondentId,
    external_id: response.externalId,
    language: response.language,
    last_page_id: response.lastPageId,
    started_at: response.startedAt,
    completed_at: response.completedAt,
    duration_seconds: response.durationSeconds,
    answers: response.answers,
    hidden: response.hidden,
    address_hash: response.addressHash,
    fingerprint: response.fingerprint,
    consented_at: response.consentedAt,
    quality: response.quality ?? undefined,
    end_reason: response.endReason,
    is_preview: response.isPreview ?? false,
    is_test: response.isTest ?? false,
    is_seeded: response.isSeeded ?? false,
    quota_cells: response.quotaCells ?? undefined,
  };
}
