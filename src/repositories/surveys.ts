import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import { UTC } from '../lib/time-zone.ts';
import type { SurveyStatus } from '../domain/survey/publishing/lifecycle.ts';

export type SurveyType = 'quantitative' | 'qualitative' | 'mixed';

/** What decides how a survey is treated, and whether what a reader holds of it is still right. */
interface SurveyStateRow {
  survey_id: number;
  organization_id: number;
  workspace_id: number;
  survey_status: SurveyStatus;
  survey_type: SurveyType;
  /** Only what was chosen; see domain/survey/settings. */
  survey_settings: Record<string, unknown>;
  quality_settings: Record<string, unknown>;
  revision: number;
  published_version: number | null;
  closed_at: Date | null;
}

export interface SurveyRow extends SurveyStateRow {
  survey_name: string;
  survey_description: string | null;
  published_revision: number | null;
  survey_inserted: Date;
  survey_updated: Date;
  /** Not deleted, not test. */
  response_count: number;
}

/** What a change may set; everything else is set by its own method. */
export type SurveyFields = Pick<
  SurveyRow,
  | 'workspace_id'
  | 'survey_name'
  | 'survey_description'
  | 'survey_status'
  | 'survey_type'
  | 'survey_settings'
  | 'quality_settings'
  | 'closed_at'
>;

const STATE_COLUMNS =
  's.survey_id, s.organization_id, s.workspace_id, s.survey_status, s.survey_type, s.survey_settings, s.quality_settings, ' +
  's.revision, s.published_version, s.closed_at';
const COLUMNS = `${STATE_COLUMNS}, s.survey_name, s.survey_description, s.published_revision, s.survey_inserted, s.survey_updated`;
const RESPONSE_COUNT =
  '(SELECT coalesce(sum(c.response_count), 0) FROM response_counts c WHERE c.survey_id = s.survey_id)::bigint AS response_count';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

export class SurveyRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** null: there is no such survey, or it is deleted. Whoever asks has checked that the caller may know. */
  async state(surveyId: number): Promise<SurveyStateRow | null> {
    return (await this.states([surveyId])).get(surveyId) ?? null;
  }

  /** The same for several at once. */
  async states(surveyIds: number[]): Promise<Map<number, SurveyStateRow>> {
    const rows = await rowsOf<SurveyStateRow>(
      this.db,
      `SELECT ${STATE_COLUMNS} FROM surveys s WHERE s.survey_id = ANY(?) AND s.survey_status <> 0`,
      [surveyIds],
    );
    return new Map(rows.map((row) => [row.survey_id, row]));
  }

  /** By `organizationId:surveyId`, with everything that is shown of a survey besides its definition. */
  async shown(keys: string[]): Promise<Map<string, SurveyRow>> {
    const pairs = keys.map((key) => key.split(':'));
    const surveyIds = pairs.map((pair) => pair[1]!);
    const rows = await rowsOf<SurveyRow>(
      this.db,
      `SELECT ${COLUMNS}, ${RESPONSE_COUNT}
       FROM unnest(?::bigint[], ?::bigint[]) AS k (organization_id, survey_id)
       JOIN surveys s ON s.organization_id = k.organization_id AND s.survey_id = k.survey_id AND s.survey_status <> 0
       WHERE s.survey_id = ANY(?::bigint[])`,
      [pairs.map((pair) => pair[0]!), surveyIds, surveyIds],
    );
    return new Map(rows.map((row) => [`${row.organization_id}:${row.survey_id}`, row]));
  }

  /** Nobody else changes the survey or what it asks until the transaction ends. Responses keep coming in meanwhile. */
  lock({ organizationId, surveyId }: SurveyKey): Promise<SurveyRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS}, ${RESPONSE_COUNT} FROM surveys s
       WHERE s.organization_id = ? AND s.survey_id = ? AND s.survey_status <> 0 FOR NO KEY UPDATE OF s`,
      [organizationId, surveyId],
    );
  }

  /** Whether it is the name of a time zone, whatever its case. */
  async knowsTimeZone(name: string): Promise<boolean> {
    const row = await rowOf<{ known: boolean }>(
      this.db,
      `SELECT lower(?) = 'utc' OR EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower(?)) AS known`,
      [name, name],
    );
    return row!.known;
  }

  /** The name of a survey's time zone. */
  async timeZone(surveyId: number): Promise<string> {
    const row = await rowOf<{ time_zone: string }>(
      this.db,
      'SELECT time_zone FROM surveys WHERE survey_id = ?',
      [surveyId],
    );
    return row?.time_zone ?? UTC;
  }

  async create(
    survey: Pick<SurveyKey, 'organizationId'> & { workspaceId: number; userId: number },
    fields: Omit<SurveyFields, 'workspace_id' | 'survey_status' | 'closed_at'>,
  ): Promise<SurveyRow> {
    const row = await rowOf<SurveyRow>(
      this.db,
      `INSERT INTO surveys AS s (organization_id, workspace_id, created_by, survey_name, survey_description, survey_type,
         survey_settings, quality_settings)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}, 0::bigint AS response_count`,
      [
        survey.organizationId,
        survey.workspaceId,
        survey.userId,
        fields.survey_name,
        fields.survey_description,
        fields.survey_type,
        JSON.stringify(fields.survey_settings),
        JSON.stringify(fields.quality_settings),
      ],
    );
    return row!;
  }

  /** `asked`: what respondents see changed, so that the revision is raised. */
  async save({ organizationId, surveyId }: SurveyKey, fields: SurveyFields, asked: boolean): Promise<void> {
    await countOf(
      this.db,
      `UPDATE surveys SET workspace_id = ?, survey_name = ?, survey_description = ?, survey_status = ?, survey_type = ?,
         survey_settings = ?, quality_settings = ?, closed_at = ?, revision = revision + ?, survey_updated = now()
       WHERE organization_id = ? AND survey_id = ?`,
      [
        fields.workspace_id,
        fields.survey_name,
        fields.survey_description,
        fields.survey_status,
        fields.survey_type,
        JSON.stringify(fields.survey_settings),
        JSON.stringify(fields.quality_settings),
        fields.closed_at,
        asked ? 1 : 0,
        organizationId,
        surveyId,
      ],
    );
  }

  /** What is asked was changed. */
  async raiseRevision({ organizationId, surveyId }: SurveyKey): Promise<void> {
    await countOf(
      this.db,
      `UPDATE surveys SET revision = revision + 1, survey_updated = now() WHERE organization_id = ? AND survey_id = ?`,
      [organizationId, surveyId],
    );
  }

  /** Active, with what is asked now as the version that respondents get. */
  async notePublished({ organizationId, surveyId }: SurveyKey, version: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE surveys SET survey_status = 2, published_version = ?, published_revision = revision, survey_updated = now()
       WHERE organization_id = ? AND survey_id = ?`,
      [version, organizationId, surveyId],
    );
  }

  /** Whether there is a response of any kind: deleted and test ones have answers too. Previews are gone with their draft. */
  async hasResponses(surveyId: number): Promise<boolean> {
    const row = await rowOf<{ found: boolean }>(
      this.db,
      `SELECT EXISTS (SELECT 1 FROM responses WHERE survey_id = ? AND NOT is_preview) AS found`,
      [surveyId],
    );
    return row!.found;
  }
}
