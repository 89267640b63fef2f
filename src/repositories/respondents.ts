import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';
import type { RespondentTable } from './tables/field.ts';

export const RESPONDENT_COLUMNS = [
  'respondent_id',
  'respondent_email',
  'respondent_name',
  'external_id',
  'language',
  'attributes',
  'opted_out_at',
  'last_invited_at',
  'created_at',
] as const satisfies readonly (keyof RespondentTable)[];

export type RespondentRow = Pick<RespondentTable, (typeof RESPONDENT_COLUMNS)[number]> & {
  /** Responses that are complete, not deleted, not test. */
  completed_count: number;
};

/** The fields of a respondent that a request sets. */
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

/** Subquery of a query on `respondents`. Reads the index on respondent_id, which holds responses of invited respondents only. */
export const countCompleted = (db: Database): Knex.QueryBuilder =>
  db('responses')
    .count()
    .where('responses.respondent_id', db.ref('respondents.respondent_id'))
    .where({ response_status: 'complete', is_test: false })
    .whereNull('deleted_at')
    .as('completed_count');

/** The people who can be invited to a workspace's surveys. Erased respondents are never returned. */
export class RespondentRepository {
  constructor(private readonly db: Database) {}

  async find(scope: InWorkspace, respondentId: number): Promise<RespondentRow | null> {
    return (await this.selectOne(scope, respondentId)) ?? null;
  }

  /** As find; locks the row until the transaction ends. */
  async lock(scope: InWorkspace, respondentId: number): Promise<RespondentRow | null> {
    return (await this.selectOne(scope, respondentId).forNoKeyUpdate()) ?? null;
  }

  private selectOne(scope: InWorkspace, respondentId: number) {
    return this.one(scope, respondentId).first<RespondentRow | undefined>(
      ...RESPONDENT_COLUMNS,
      countCompleted(this.db),
    );
  }

  async create({ organizationId, workspaceId }: InWorkspace, data: RespondentData): Promise<RespondentRow> {
    const [row] = await this.db('respondents')
      .insert({ organization_id: organizationId, workspace_id: workspaceId, ...valuesOf(data) })
      .returning(RESPONDENT_COLUMNS);
    return { ...row!, completed_count: 0 };
  }

  async update(scope: InWorkspace, respondentId: number, data: RespondentData): Promise<void> {
    await this.one(scope, respondentId).update(valuesOf(data));
  }

  /**
   * Removes personal data from the respondent and external_id from their responses. Returns false if there is no such respondent. The row
   * remains with what responses and limits refer to: its id, the opt-out and the time of the last invitation.
   */
  async erase(scope: InWorkspace, respondentId: number): Promise<boolean> {
    const erased = await this.one(scope, respondentId).update({
      respondent_email: null,
      respondent_name: null,
      external_id: null,
      language: null,
      attributes: '{}',
      erased_at: this.db.fn.now(),
    });
    if (erased === 0) return false;
    await this.db('responses')
      .where({ respondent_id: respondentId })
      .whereNotNull('external_id')
      .update({ external_id: null, updated_at: this.db.fn.now() });
    return true;
  }

  /** Returns the attributes by respondent; omits respondents who are missing or erased. */
  async attributesOf(
    organizationId: number,
    respondentIds: readonly number[],
  ): Promise<Map<number, Attributes>> {
    const rows = await this.db('respondents')
      .select('respondent_id', 'attributes')
      .where({ organization_id: organizationId })
      .whereRaw('respondent_id = ANY(?::bigint[])', [[...respondentIds]])
      .whereNull('erased_at');
    return new Map(rows.map((row) => [row.respondent_id, row.attributes]));
  }

  private one({ organizationId, workspaceId }: InWorkspace, respondentId: number) {
    return this.db('respondents')
      .where({ organization_id: organizationId, workspace_id: workspaceId, respondent_id: respondentId })
      .whereNull('erased_at');
  }
}

const valuesOf = (data: RespondentData) => ({
  respondent_email: data.email,
  respondent_name: data.name,
  external_id: data.externalId,
  language: data.language,
  attributes: JSON.stringify(data.attributes),
  opted_out_at: data.optedOutAt,
});
