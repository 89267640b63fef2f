import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import { countRows } from './list-queries.ts';
import type { SurveyImageTable } from './tables/surveys.ts';

export type SurveyImageRow = Pick<SurveyImageTable, 'content_type' | 'picture'>;

interface NewSurveyImage extends SurveyImageRow {
  token: string;
  organizationId: number;
  surveyId: number;
  userId: number;
}

/** Finds the token of an address. */
const TOKENS = `'/images/([A-Za-z0-9]{32})'`;

/** Images that authors upload for questions and options. */
export class SurveyImageRepository {
  constructor(private readonly db: Database) {}

  async create({ token, organizationId, surveyId, userId, ...image }: NewSurveyImage): Promise<void> {
    await this.db('survey_images').insert({
      image_token: token,
      organization_id: organizationId,
      survey_id: surveyId,
      uploaded_by: userId,
      ...image,
    });
  }

  async count(surveyId: number): Promise<number> {
    return countRows(this.db('survey_images').where({ survey_id: surveyId }));
  }

  async find(token: string): Promise<SurveyImageRow | null> {
    const row = await this.db('survey_images').first('content_type', 'picture').where({ image_token: token });
    return row ?? null;
  }

  /** Organizations with images that were uploaded, or last known to be in use, before a time. */
  async listOrganizationsToCheck(usedBefore: Date): Promise<number[]> {
    const rows = await this.db('survey_images')
      .distinct('organization_id')
      .where('used_at', '<', usedBefore)
      .orderBy('organization_id');
    return rows.map((row) => row.organization_id);
  }

  /**
   * Deletes the images that were last known to be in use before a time and that no survey or workspace of the organization refers to any more, neither
   * in its draft or settings nor in a published version. Surveys that were deleted after `deletedAfter` count, because they can be restored.
   */
  async deleteUnused(organizationId: number, usedBefore: Date, deletedAfter: Date): Promise<number> {
    // Raw SQL: addresses within texts and JSON documents.
    await queryCount(
      this.db,
      `WITH present AS (
         SELECT survey_id, survey_settings FROM surveys WHERE organization_id = ? AND (survey_status <> 0 OR deleted_at > ?))
       UPDATE survey_images SET used_at = now() WHERE organization_id = ? AND image_token IN (SELECT found[1] FROM (
         SELECT regexp_matches(survey_settings::text, ${TOKENS}, 'g') FROM present
         UNION ALL
         SELECT regexp_matches(workspace_look::text, ${TOKENS}, 'g') FROM workspaces WHERE organization_id = ?
         UNION ALL
         SELECT regexp_matches(question_settings ->> 'image_url', ${TOKENS}) FROM questions JOIN present USING (survey_id)
         UNION ALL
         SELECT regexp_matches(option_image, ${TOKENS}) FROM question_options JOIN present USING (survey_id)
         UNION ALL
         SELECT regexp_matches(definition::text, ${TOKENS}, 'g') FROM survey_versions JOIN present USING (survey_id)
       ) AS addresses (found))`,
      [organizationId, deletedAfter, organizationId, organizationId],
    );
    return this.db('survey_images')
      .where({ organization_id: organizationId })
      .where('used_at', '<', usedBefore)
      .delete();
  }
}
