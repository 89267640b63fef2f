import type { MediaType } from '../domain/questions/media-address.ts';
import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import { countRows } from './list-queries.ts';
import type { SurveyMediaTable } from './tables/surveys.ts';

/** A completely stored file. */
export type SurveyMediaRow = Pick<SurveyMediaTable, 'media_type' | 'stored_name'> & { size_bytes: number };

interface NewSurveyMedia {
  token: string;
  organizationId: number;
  surveyId: number;
  userId: number;
  type: MediaType;
  storedName: string;
}

/** Finds the token of an address. */
const TOKENS = `'/media/([A-Za-z0-9]{32})'`;

/** Sound, video and captions that authors upload for questions: the rows about them, not their bytes. */
export class SurveyMediaRepository {
  constructor(private readonly db: Database) {}

  /** Inserts the row before the first byte is stored. */
  async create({ token, organizationId, surveyId, userId, type, storedName }: NewSurveyMedia): Promise<void> {
    await this.db('survey_media').insert({
      media_token: token,
      organization_id: organizationId,
      survey_id: surveyId,
      uploaded_by: userId,
      media_type: type,
      stored_name: storedName,
    });
  }

  /** Records that all bytes are stored. */
  async markStored(token: string, sizeBytes: number): Promise<void> {
    await this.db('survey_media').where({ media_token: token }).update({ size_bytes: sizeBytes });
  }

  async count(surveyId: number): Promise<number> {
    return countRows(this.db('survey_media').where({ survey_id: surveyId, deleted_at: null }));
  }

  async find(token: string, type: MediaType): Promise<SurveyMediaRow | null> {
    const row = await this.db('survey_media')
      .first('media_type', 'stored_name', 'size_bytes')
      .where({ media_token: token, media_type: type, deleted_at: null })
      .whereNotNull('size_bytes');
    return (row ?? null) as SurveyMediaRow | null;
  }

  /** Hides a file from every reader; a scheduled task removes its bytes. */
  async markDeleted(token: string): Promise<void> {
    await this.db('survey_media').where({ media_token: token }).update({ deleted_at: this.db.fn.now() });
  }

  /** Organizations with files that were uploaded, or last known to be in use, before a time. */
  async listOrganizationsToCheck(usedBefore: Date): Promise<number[]> {
    const rows = await this.db('survey_media')
      .distinct('organization_id')
      .where('used_at', '<', usedBefore)
      .whereNull('deleted_at')
      .orderBy('organization_id');
    return rows.map((row) => row.organization_id);
  }

  /**
   * Marks the files as deleted that were last known to be in use before a time and that no survey of the organization refers to any more,
   * neither in its draft nor in a published version. Surveys that were deleted after `deletedAfter` count, because they can be restored.
   */
  async markUnused(organizationId: number, usedBefore: Date, deletedAfter: Date): Promise<void> {
    // Raw SQL: addresses within JSON documents.
    await queryCount(
      this.db,
      `WITH present AS (
         SELECT survey_id FROM surveys WHERE organization_id = ? AND (survey_status <> 0 OR deleted_at > ?))
       UPDATE survey_media SET used_at = now() WHERE organization_id = ? AND media_token IN (SELECT found[1] FROM (
         SELECT regexp_matches(question_settings::text, ${TOKENS}, 'g') FROM questions JOIN present USING (survey_id)
         UNION ALL
         SELECT regexp_matches(definition::text, ${TOKENS}, 'g') FROM survey_versions JOIN present USING (survey_id)
       ) AS addresses (found))`,
      [organizationId, deletedAfter, organizationId],
    );
    await this.db('survey_media')
      .where({ organization_id: organizationId, deleted_at: null })
      .where('used_at', '<', usedBefore)
      .update({ deleted_at: this.db.fn.now() });
  }

  /** Deleted files of all surveys whose bytes are not removed yet, in any order. */
  async listDeleted(atMost: number): Promise<Pick<SurveyMediaTable, 'media_token' | 'stored_name'>[]> {
    return this.db('survey_media')
      .select('media_token', 'stored_name')
      .whereNotNull('deleted_at')
      .limit(atMost);
  }

  /** Deletes the row of a file and takes its bytes from the organization's total. Call within a transaction. */
  async remove(token: string): Promise<void> {
    const removed = await this.db('survey_media')
      .first('organization_id', 'size_bytes')
      .where({ media_token: token })
      .forUpdate();
    await this.db('survey_media').where({ media_token: token }).delete();
    if (removed === undefined || removed.size_bytes === null) return;
    await this.db('upload_totals')
      .where({ organization_id: removed.organization_id })
      .update({ bytes: this.db.raw('greatest(0, bytes - ?::bigint)', [removed.size_bytes]) });
  }
}
