import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';
import { JobRepository } from './jobs.ts';

/** What was erased with responses. */
export interface ErasedCounts {
  changes: number;
  comments: number;
  files: number;
}

/** Tables with rows of a survey, in an order in which they can be emptied. Its responses are erased before. */
const SURVEY_TABLES = [
  'data_change_rows',
  'data_changes',
  'response_comments',
  'analysis_results',
  'survey_segments',
  'response_segments',
  'frozen_values',
  'derived_columns',
  'quota_reservations',
  'arm_reservations',
  'arm_counts',
  'link_reservations',
  'invitations',
  'campaigns',
  'link_entries',
  'link_mismatches',
  'link_mismatch_counts',
  'links',
  'link_limits',
  'quota_cells',
  'quotas',
  'waves',
  'wave_quotas',
  'wave_counts',
  'response_counts',
  'hourly_completes',
  'daily_uploads',
  'option_absences',
  'question_options',
  'questions',
  'survey_pages',
  'survey_blocks',
  'survey_designs',
  'survey_versions',
  'survey_images',
  'dashboard_charts',
  'chat_sessions',
] as const;

/** What a stored reply becomes whose contents were erased; the request stays done. */
const ERASED_REPLY = JSON.stringify({
  error: 1,
  message: 'The first request was done; its reply was erased together with a response',
  code: 'reply_erased',
});

/** Removes deleted data for good. */
export class ErasureRepository {
  private readonly jobs: JobRepository;

  constructor(private readonly db: Database) {
    this.jobs = new JobRepository(db);
  }

  /** Deleted responses, of all surveys, oldest first. */
  async listDeletedResponses(
    before: Date,
    limit: number,
  ): Promise<{ survey_id: number; response_id: number }[]> {
    return this.db('responses')
      .select('survey_id', 'response_id')
      .where('deleted_at', '<', before)
      .orderBy('deleted_at')
      .limit(limit);
  }

  /** Up to `limit` responses of a survey, deleted or not. */
  async listResponses(surveyId: number, limit: number): Promise<number[]> {
    return this.db('responses').where({ survey_id: surveyId }).limit(limit).pluck('response_id');
  }

  /** Locks a response that is no preview. Returns every text about it: answers, previous answers, hidden values, comments; null: no such response. */
  async lockTexts(surveyId: number, responseId: number): Promise<string[] | null> {
    const key = { survey_id: surveyId, response_id: responseId };
    const row = await this.db('responses')
      .first('answers', 'originals', 'hidden', 'external_id', 'submission_id')
      .where({ ...key, is_preview: false })
      .forUpdate();
    if (row === undefined) return null;
    const before = await this.db('data_change_rows').where(key).pluck('before');
    const comments = await this.db('response_comments').where(key).pluck('comment_text');
    const files = await this.db('response_files').where(key).pluck('original_name');
    return textsIn([row, before, comments, files]);
  }

  /** Removes what belongs to the responses; their rows remain. Files are marked as deleted. */
  async eraseContents(surveyId: number, responseIds: readonly number[]): Promise<ErasedCounts> {
    const key = { survey_id: surveyId, response_id: anyOf(this.db, responseIds) };
    // The reason of a change of this response alone can describe its contents.
    await this.db('data_changes')
      .where({ survey_id: surveyId, rows_changed: 1 })
      .whereIn('change_id', this.db('data_change_rows').select('change_id').where(key))
      .update({ reason: null });
    const changes = await this.db('data_change_rows').where(key).delete();
    const comments = await this.db('response_comments').where(key).delete();
    const files = await this.db('response_files')
      .where(key)
      .update({ deleted_at: this.db.fn.now(), original_name: '' });
    await this.db('quota_reservations').where(key).delete();
    const tokens = this.db('responses').select('response_token').where(key);
    await this.db('arm_reservations')
      .where({ survey_id: surveyId })
      .whereIn('response_token', tokens)
      .delete();
    await this.db('link_entries').where(key).delete();
    // Refused entries name no response, but the respondent.
    const found = await this.db('responses').where(key).whereNotNull('external_id').pluck('external_id');
    const externalIds = found.filter((id) => id !== null);
    await this.db('link_mismatches')
      .where({ survey_id: surveyId })
      .whereRaw('external_id = ANY(?::text[])', [externalIds])
      .delete();
    await this.db('link_mismatches').where(key).delete();
    await this.db('link_reservations').where(key).delete();
    await this.db('survey_segments').where({ survey_id: surveyId }).delete();
    await this.db('response_segments').where({ survey_id: surveyId }).delete();
    return { changes, comments, files };
  }

  /**
   * Removes the copies of answers that later responses carry from erased ones, and the caches that contain them. Returns the surveys of the
   * later responses.
   */
  async eraseCarried(surveyId: number, responseIds: readonly number[]): Promise<number[]> {
    const own = this.db('surveys').select('organization_id').where({ survey_id: surveyId });
    const candidates = await this.db('surveys').where('organization_id', own).pluck<number[]>('survey_id');
    const surveyIds = await this.db('responses')
      .distinct()
      .where({ survey_id: anyOf(this.db, candidates), previous_survey_id: surveyId })
      .where({ previous_response_id: anyOf(this.db, responseIds) })
      .pluck<number[]>('survey_id');
    for (const id of surveyIds) {
      // Raw SQL: removes the keys of an object that begin with a prefix.
      await queryCount(
        this.db,
        `UPDATE responses SET previous_survey_id = NULL, previous_response_id = NULL, updated_at = now(),
           answers = answers - ARRAY(SELECT code FROM jsonb_object_keys(answers) AS code WHERE code LIKE 'previous.%')
         WHERE survey_id = ? AND previous_survey_id = ? AND previous_response_id = ANY(?::bigint[])`,
        [id, surveyId, responseIds],
      );
      await this.db('survey_segments').where({ survey_id: id }).delete();
      await this.db('response_segments').where({ survey_id: id }).delete();
      await this.deleteAnalyses(id);
    }
    return surveyIds;
  }

  /** Empties a response and marks it as deleted, so that every cache drops it. */
  async emptyResponse(surveyId: number, responseId: number): Promise<void> {
    const now = new Date();
    await this.db('responses')
      .where({ survey_id: surveyId, response_id: responseId })
      .update({
        submission_id: null,
        // Unique within the survey, and no valid token.
        response_token: `erased-${responseId}`,
        client_secret_hash: null,
        status_reason: null,
        end_reason: null,
        respondent_id: null,
        external_id: null,
        language: null,
        answers: '{}',
        originals: null,
        hidden: null,
        page_times: null,
        presentation: null,
        previous_survey_id: null,
        previous_response_id: null,
        address_hash: null,
        fingerprint: null,
        quality: null,
        consented_at: null,
        duration_seconds: null,
        deleted_at: this.db.raw('coalesce(deleted_at, ?::timestamptz)', [now]),
        updated_at: this.db.fn.now(),
      });
  }

  /** Deletes the rows of deleted responses. */
  async deleteResponses(surveyId: number, responseIds: readonly number[]): Promise<void> {
    await this.db('responses')
      .where({ survey_id: surveyId, response_id: anyOf(this.db, responseIds) })
      .delete();
  }

  /** Deletes cached results of text analysis, also of analyses that run. They name no response, so those of all texts are deleted. */
  async deleteAnalyses(surveyId: number): Promise<void> {
    await this.db('surveys').where({ survey_id: surveyId }).increment('erasures', 1);
    await this.db('analysis_results').where({ survey_id: surveyId }).delete();
  }

  /** How often responses of the survey were erased. */
  async countErasures(surveyId: number): Promise<number> {
    const row = await this.db('surveys').first('erasures').where({ survey_id: surveyId });
    return row?.erasures ?? 0;
  }

  /** Whether responses of the survey were erased since they were counted. Waits for an erasure in progress. */
  async isErasedSince(surveyId: number, erasures: number): Promise<boolean> {
    const row = await this.db('surveys').first('erasures').where({ survey_id: surveyId }).forShare();
    return row?.erasures !== erasures;
  }

  /** Replaces stored replies that name the response or contain one of the texts. */
  async eraseReplies(responseId: number, texts: readonly string[]): Promise<void> {
    // Raw SQL: a condition with a pattern and an array of texts.
    await queryCount(
      this.db,
      `UPDATE idempotency_keys SET status = 409, reply = ?
       WHERE reply ~ ? OR EXISTS (SELECT FROM unnest(?::text[]) AS given (part) WHERE position(part IN reply) > 0)`,
      [ERASED_REPLY, `"response_id":\\s*${responseId}\\M`, texts.map(jsonPart)],
    );
  }

  /**
   * Replaces chat messages about the survey that name the response or contain one of the texts, and answers that are being generated: they
   * can quote it later. Their generation ends.
   */
  async eraseChatMessages(surveyId: number, responseId: number, texts: readonly string[]): Promise<void> {
    const parts = [...new Set(texts.flatMap((text) => [text, ...quotedStart(text)]))];
    // Raw SQL: patterns and arrays of texts over messages of several sessions. The update precedes the deletion of events, so that no
    // event of a running answer is added afterwards.
    const messages = await queryRows<{ message_id: number }>(
      this.db,
      `UPDATE chat_messages SET content = '[erased]', planned_content = NULL, figures = '[]',
         message_state = CASE WHEN message_state = 'answering' THEN 'stopped' ELSE message_state END,
         reservation_id = CASE WHEN message_state = 'answering' THEN NULL ELSE reservation_id END
       WHERE session_id IN (SELECT session_id FROM chat_sessions WHERE survey_id = ?) AND (
         message_state = 'answering' OR figures::text ~ ? OR content ~ ?
         OR EXISTS (SELECT FROM unnest(?::text[], ?::text[]) AS given (plain, part)
           WHERE position(plain IN content) > 0 OR position(plain IN coalesce(planned_content, '')) > 0 OR position(part IN figures::text) > 0))
       RETURNING message_id`,
      [
        surveyId,
        `"response_ids?": (\\[[^]]*)?\\m${responseId}\\M`,
        `\\mresponse ${responseId}\\M`,
        parts,
        parts.map(jsonPart),
      ],
    );
    await this.db('chat_events')
      .where({
        message_id: anyOf(
          this.db,
          messages.map(({ message_id: id }) => id),
        ),
      })
      .delete();
  }

  /**
   * Deletes the jobs of a survey with their results, and the jobs of reports that may show its data: those with a slide about the survey,
   * and those whose report, or a chart on it, changed since the job was started. Returns the names of stored files.
   */
  async deleteJobs(surveyId: number): Promise<string[]> {
    const ofSurvey = await this.db('jobs').where({ survey_id: surveyId }).pluck('job_id');
    // Raw SQL: searches JSON for references to the survey and to charts.
    const ofReports = await queryRows<{ job_id: number }>(
      this.db,
      `SELECT j.job_id FROM jobs j JOIN reports r ON r.report_id = j.report_id
       WHERE j.organization_id = (SELECT organization_id FROM surveys WHERE survey_id = ?) AND (
         r.updated_at >= j.created_at
         OR EXISTS (SELECT FROM report_slides l WHERE l.report_id = r.report_id AND l.slide_content::text ~ ?)
         OR EXISTS (
           SELECT FROM report_slides l
           CROSS JOIN LATERAL jsonb_path_query(l.slide_content, '$.**.chart_id') AS reference (chart)
           LEFT JOIN dashboard_charts c ON c.chart_id = (reference.chart #>> '{}')::bigint
           LEFT JOIN dashboards d ON d.dashboard_id = c.dashboard_id
           WHERE l.report_id = r.report_id
             AND (c.survey_id = ? OR d.dashboard_id IS NULL OR d.updated_at >= j.created_at)))`,
      [surveyId, `"survey_id": ${surveyId}\\M`, surveyId],
    );
    return this.jobs.removeAll([...ofSurvey, ...ofReports.map(({ job_id: id }) => id)]);
  }

  /** The surveys that have derived columns which were deleted before a moment. */
  async listSurveysWithDeletedColumns(before: Date): Promise<number[]> {
    return this.db('derived_columns').distinct().where('deleted_at', '<', before).pluck('survey_id');
  }

  /**
   * Deletes derived columns of a survey that were deleted before a moment, with their stored values and what the change log stores of them.
   * Those changes can no longer be undone.
   */
  async eraseDeletedColumns(surveyId: number, before: Date): Promise<void> {
    const key = { survey_id: surveyId };
    // As every change of the survey's data, so that none is undone meanwhile.
    await this.db('surveys').first('survey_id').where(key).forNoKeyUpdate();
    const ids = await this.db('derived_columns')
      .where(key)
      .where('deleted_at', '<', before)
      .pluck<number[]>('column_id');
    if (ids.length === 0) return;
    // Raw SQL: replaces elements of JSON arrays.
    await queryCount(
      this.db,
      `UPDATE data_changes c SET columns_before = g.columns_before,
         reason = CASE WHEN g.is_only_erased AND c.rows_changed = 0 THEN NULL ELSE c.reason END,
         details = CASE WHEN g.is_only_erased AND c.rows_changed = 0 THEN '{}' ELSE c.details END
       FROM (
         SELECT change_id, bool_and(is_erased) AS is_only_erased, jsonb_agg(
           CASE WHEN is_erased THEN jsonb_build_object('column_id', value -> 'column_id', 'before', NULL, 'erased', true) ELSE value END
           ORDER BY ordinality) AS columns_before
         FROM (
           SELECT d.change_id, b.value, b.ordinality,
             (b.value ->> 'column_id')::bigint = ANY(?::bigint[]) OR jsonb_exists(b.value, 'erased') AS is_erased
           FROM data_changes d, jsonb_array_elements(d.columns_before) WITH ORDINALITY AS b (value, ordinality)
           WHERE d.survey_id = ?) AS parts
         GROUP BY change_id HAVING bool_or(is_erased)) AS g
       WHERE c.survey_id = ? AND c.change_id = g.change_id`,
      [ids, surveyId, surveyId],
    );
    const columns = { ...key, column_id: anyOf(this.db, ids) };
    await this.db('frozen_values').where(columns).delete();
    await this.db('derived_columns').where(columns).delete();
  }

  /** Workspaces that were deleted before a moment and are not erased. */
  async listDeletedWorkspaces(before: Date): Promise<number[]> {
    return this.db('workspaces')
      .where({ erased_at: null })
      .where('deleted_at', '<', before)
      .orderBy('workspace_id')
      .pluck('workspace_id');
  }

  /** Marks the surveys, dashboards and reports of a deleted workspace as deleted at the same time, unless they were before. */
  async deleteContents(workspaceId: number): Promise<void> {
    const key = { workspace_id: workspaceId };
    const deletedAt = this.db.raw<Date>('(SELECT deleted_at FROM workspaces WHERE workspace_id = ?)', [
      workspaceId,
    ]);
    await this.db('surveys')
      .where({ ...key, erased_at: null, deleted_at: null })
      .update({ survey_status: 0, deleted_at: deletedAt });
    await this.db('dashboards').where(key).whereNull('deleted_at').update({ deleted_at: deletedAt });
    await this.db('reports').where(key).whereNull('deleted_at').update({ deleted_at: deletedAt });
  }

  /** Up to `limit` respondents of a workspace who are not erased. */
  async listRespondents(
    workspaceId: number,
    limit: number,
  ): Promise<{ organization_id: number; respondent_id: number }[]> {
    return this.db('respondents')
      .select('organization_id', 'respondent_id')
      .where({ workspace_id: workspaceId, erased_at: null })
      .limit(limit);
  }

  /** Deletes the members, the name and the look of a workspace whose contents are erased. */
  async eraseWorkspace(workspaceId: number): Promise<void> {
    const key = { workspace_id: workspaceId };
    await this.db('workspace_members').where(key).delete();
    await this.db('workspaces')
      .where(key)
      .update({ workspace_name: 'Erased workspace', workspace_look: '{}', erased_at: this.db.fn.now() });
  }

  /** The ids of dashboards or reports that were deleted before a moment. */
  async listDeletedContent(type: 'dashboard' | 'report', before: Date): Promise<number[]> {
    return this.db<{ deleted_at: Date }>(`${type}s`)
      .where('deleted_at', '<', before)
      .orderBy(`${type}_id`)
      .pluck(`${type}_id`);
  }

  /** Deletes a dashboard with its pages, charts and shares, unless it was restored. Slides that show its charts say that they are gone. */
  async eraseDashboard(dashboardId: number, before: Date): Promise<void> {
    const key = { dashboard_id: dashboardId };
    const found = await this.db('dashboards')
      .first('dashboard_id')
      .where(key)
      .where('deleted_at', '<', before)
      .forUpdate();
    if (found === undefined) return;
    await this.db('dashboard_charts').where(key).delete();
    await this.db('dashboard_pages').where(key).delete();
    await this.db('dashboard_shares').where(key).delete();
    await this.db('dashboards').where(key).delete();
  }

  /** Deletes a report with its slides, pictures and jobs, unless it was restored. Returns the names of stored files of its jobs. */
  async eraseReport(reportId: number, before: Date): Promise<string[]> {
    const key = { report_id: reportId };
    const found = await this.db('reports')
      .first('report_id')
      .where(key)
      .where('deleted_at', '<', before)
      .forUpdate();
    if (found === undefined) return [];
    const files = await this.jobs.removeAll(await this.db('jobs').where(key).pluck('job_id'));
    await this.db('report_slides').where(key).delete();
    await this.db('report_images').where(key).delete();
    await this.db('reports').where(key).delete();
    return files;
  }

  /** Surveys that were deleted before a moment and are not erased. */
  async listDeletedSurveys(before: Date): Promise<number[]> {
    return this.db('surveys')
      .where({ survey_status: 0, erased_at: null })
      .where('deleted_at', '<', before)
      .orderBy('survey_id')
      .pluck('survey_id');
  }

  /** Marks the files of a survey as deleted. */
  async markFilesDeleted(surveyId: number): Promise<void> {
    await this.db('response_files')
      .where({ survey_id: surveyId, deleted_at: null })
      .update({ deleted_at: this.db.fn.now(), original_name: '' });
    await this.db('survey_media')
      .where({ survey_id: surveyId, deleted_at: null })
      .update({ deleted_at: this.db.fn.now() });
  }

  /** Deletes everything of a survey without responses except its row, which loses its texts. */
  async eraseSurvey(surveyId: number): Promise<void> {
    const invitations = this.db('invitations').select('invitation_id').where({ survey_id: surveyId });
    await this.db('mails').whereIn('invitation_id', invitations).delete();
    await this.db('campaigns').where({ survey_id: surveyId }).update({ parent_campaign_id: null });
    for (const table of SURVEY_TABLES)
      await this.db.table<{ survey_id: number }>(table).where('survey_id', surveyId).delete();
    await this.db('surveys').where({ survey_id: surveyId }).update({
      survey_name: 'Erased survey',
      survey_description: null,
      survey_settings: '{}',
      quality_settings: '{}',
      translation_sources: '{}',
      survey_arrangement: null,
      published_version: null,
      published_revision: null,
      // Cannot be restored any more.
      deleted_at: null,
      erased_at: this.db.fn.now(),
    });
  }
}

/** The text within a JSON text. */
const jsonPart = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The chat quotes long answers on one line and shortened; so many characters of them identify an answer. */
const QUOTED_CHARACTERS = 60;

/** The beginning of a long text as the chat quotes it; none for a short text. */
function quotedStart(text: string): string[] {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === text && line.length <= QUOTED_CHARACTERS) return [];
  return [line.slice(0, QUOTED_CHARACTERS).toWellFormed()];
}

/** Shorter texts, such as codes, occur everywhere; messages that quote them name the response. */
const MIN_TEXT = 4;

/** Returns all texts in a value, without repetition. */
function textsIn(value: unknown): string[] {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part === 'string') {
      if (part.length >= MIN_TEXT) found.add(part);
    } else if (Array.isArray(part)) part.forEach(visit);
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(visit);
  };
  visit(value);
  return [...found];
}
