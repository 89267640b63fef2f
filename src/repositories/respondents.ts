import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';

export interface RespondentRow {
  respondent_id: number;
  respondent_email: string | null;
  respondent_name: string | null;
  external_id: string | null;
  language: string | null;
  attributes: Attributes;
  opted_out_at: Date | null;
  last_invited_at: Date | null;
  created_at: Date;
  /** Responses that are complete, not deleted, not test. */
  completed_count: number;
}

/** What is said of a respondent. */
export interface RespondentData {
  email: string | null;
  name: string | null;
  externalId: string | null;
  language: string | null;
  attributes: Attributes;
  optedOutAt: Date | null;
}

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

export const RESPONDENT_COLUMNS = `r.respondent_id, r.respondent_email, r.respondent_name, r.external_id, r.language, r.attributes,
  r.opted_out_at, r.last_invited_at, r.created_at`;
/** Of respondents `r`: counted when asked for, by an index that holds invited people's responses only. */
export const COMPLETED_COUNT = `(SELECT count(*) FROM responses a WHERE a.respondent_id = r.respondent_id
  AND a.response_status = 'complete' AND a.deleted_at IS NULL AND NOT a.is_test) AS completed_count`;
const LIVE = 'r.organization_id = ? AND r.workspace_id = ? AND r.erased_at IS NULL';

/** The people who can be invited to a workspace's surveys. Whoever was erased is not there. */
export class RespondentRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  find({ organizationId, workspaceId }: InWorkspace, respondentId: number): Promise<RespondentRow | null> {
    return rowOf(
      this.db,
      `SELECT ${RESPONDENT_COLUMNS}, ${COMPLETED_COUNT} FROM respondents r WHERE ${LIVE} AND r.respondent_id = ?`,
      [organizationId, workspaceId, respondentId],
    );
  }

  /** As find; until the transaction ends nobody else changes this one. */
  lock({ organizationId, workspaceId }: InWorkspace, respondentId: number): Promise<RespondentRow | null> {
    return rowOf(
      this.db,
      `SELECT ${RESPONDENT_COLUMNS}, ${COMPLETED_COUNT} FROM respondents r
       WHERE ${LIVE} AND r.respondent_id = ? FOR NO KEY UPDATE OF r`,
      [organizationId, workspaceId, respondentId],
    );
  }

  async create({ organizationId, workspaceId }: InWorkspace, given: RespondentData): Promise<RespondentRow> {
    const row = await rowOf<RespondentRow>(
      this.db,
      `INSERT INTO respondents AS r (organization_id, workspace_id, respondent_email, respondent_name, external_id, language,
                                     attributes, opted_out_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${RESPONDENT_COLUMNS}, 0 AS completed_count`,
      [organizationId, workspaceId, ...valuesOf(given)],
    );
    return row!;
  }

  async update(
    { organizationId, workspaceId }: InWorkspace,
    respondentId: number,
    given: RespondentData,
  ): Promise<void> {
    await countOf(
      this.db,
      `UPDATE respondents r SET respondent_email = ?, respondent_name = ?, external_id = ?, language = ?, attributes = ?, opted_out_at = ?
       WHERE ${LIVE} AND r.respondent_id = ?`,
      [...valuesOf(given), organizationId, workspaceId, respondentId],
    );
  }

  /**
   * Forgets the person and the names by which their responses know them; false: there is nobody of that id. The row stays, and with it
   * what counts: the responses' respondent_id, when they were invited and that they opted out.
   */
  async erase({ organizationId, workspaceId }: InWorkspace, respondentId: number): Promise<boolean> {
    const erased = await countOf(
      this.db,
      `UPDATE respondents r SET respondent_email = NULL, respondent_name = NULL, external_id = NULL, language = NULL,
              attributes = '{}', erased_at = now()
       WHERE ${LIVE} AND r.respondent_id = ?`,
      [organizationId, workspaceId, respondentId],
    );
    if (erased === 0) return false;
    await countOf(
      this.db,
      `UPDATE responses SET external_id = NULL, updated_at = now() WHERE respondent_id = ? AND external_id IS NOT NULL`,
      [respondentId],
    );
    return true;
  }

  /** What is known of these people besides the usual; those who are missing or erased are left out. */
  async attributesOf(
    organizationId: number,
    respondentIds: readonly number[],
  ): Promise<Map<number, Attributes>> {
    const rows = await rowsOf<Pick<RespondentRow, 'respondent_id' | 'attributes'>>(
      this.db,
      `SELECT respondent_id, attributes FROM respondents
       WHERE organization_id = ? AND respondent_id = ANY(?::bigint[]) AND erased_at IS NULL`,
      [organizationId, respondentIds],
    );
    return new Map(rows.map((row) => [row.respondent_id, row.attributes]));
  }
}

const valuesOf = (given: RespondentData) => [
  given.email,
  given.name,
  given.externalId,
  given.language,
  JSON.stringify(given.attributes),
  given.optedOutAt,
];
