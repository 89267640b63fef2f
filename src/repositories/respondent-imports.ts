import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';
import { emailKey, type ExistingRespondent, type RespondentInput } from '../domain/import/respondent-row.ts';
import type { RespondentTable } from './tables/field.ts';

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

const KNOWN_COLUMNS = [
  'respondent_id',
  'respondent_email',
  'respondent_name',
  'external_id',
  'language',
  'attributes',
  'opted_out_at',
] as const satisfies readonly (keyof RespondentTable)[];
type KnownRow = Pick<RespondentTable, (typeof KNOWN_COLUMNS)[number]>;

/** Creates and updates many respondents at a time. */
export class RespondentImportRepository {
  constructor(private readonly db: Database) {}

  /** Allows one import at a time per workspace, until the transaction ends. Changes to single respondents do not wait. */
  async lockWorkspace({ organizationId, workspaceId }: InWorkspace): Promise<void> {
    await this.db('workspaces')
      .select('workspace_id')
      .where({ organization_id: organizationId, workspace_id: workspaceId })
      .forNoKeyUpdate();
  }

  /** Returns the respondents with one of these email addresses or external ids, and locks them until the transaction ends. */
  async lockKnown(
    { organizationId, workspaceId }: InWorkspace,
    respondents: readonly Pick<RespondentInput, 'email' | 'externalId'>[],
  ): Promise<{ byEmail: Map<string, ExistingRespondent>; byExternalId: Map<string, ExistingRespondent> }> {
    const emails = respondents.flatMap(({ email }) => (email === null ? [] : [emailKey(email)]));
    const externalIds = respondents.flatMap(({ externalId }) => externalId ?? []);
    // Raw SQL: one index look-up for each value in a lateral subquery; a join would read the whole workspace.
    const rows = await queryRows<KnownRow>(
      this.db,
      `SELECT ${KNOWN_COLUMNS.join(', ')} FROM respondents r
       WHERE r.organization_id = ? AND r.respondent_id IN (
         SELECT one.respondent_id FROM unnest(?::text[]) AS given (email), LATERAL (
           SELECT respondent_id FROM respondents WHERE workspace_id = ? AND lower(respondent_email) = given.email LIMIT 1) one
         UNION
         SELECT one.respondent_id FROM unnest(?::text[]) AS given (external_id), LATERAL (
           SELECT respondent_id FROM respondents WHERE workspace_id = ? AND external_id = given.external_id LIMIT 1) one
       )
       ORDER BY r.respondent_id FOR NO KEY UPDATE`,
      [organizationId, emails, workspaceId, externalIds, workspaceId],
    );
    const known = rows.map(knownOf);
    const pairs = <Key>(keyOf: (one: ExistingRespondent) => Key | null) =>
      known.flatMap((one) => {
        const key = keyOf(one);
        return key === null ? [] : [[key, one] as const];
      });
    return {
      byEmail: new Map(pairs(({ email }) => (email === null ? null : emailKey(email)))),
      byExternalId: new Map(pairs(({ externalId }) => externalId)),
    };
  }

  /** Returns the respondents with these ids, and locks them until the transaction ends. */
  async lockByIds(
    { organizationId, workspaceId }: InWorkspace,
    respondentIds: readonly number[],
  ): Promise<ExistingRespondent[]> {
    const rows = await this.db('respondents')
      .select(...KNOWN_COLUMNS)
      .where({ organization_id: organizationId, workspace_id: workspaceId })
      .whereRaw('respondent_id = ANY(?::bigint[])', [[...respondentIds]])
      .whereNull('erased_at')
      .orderBy('respondent_id')
      .forNoKeyUpdate();
    return rows.map(knownOf);
  }

  /** Returns the new ids, parallel to `respondents`. */
  async insertMany(
    { organizationId, workspaceId }: InWorkspace,
    respondents: readonly RespondentInput[],
    now: Date,
  ): Promise<number[]> {
    if (respondents.length === 0) return [];
    // Raw SQL: inserts any number of rows and returns their ids in order; RETURNING promises no order.
    const rows = await queryRows<Pick<RespondentTable, 'respondent_id'>>(
      this.db,
      `WITH given AS MATERIALIZED (
         SELECT g.*, nextval(pg_get_serial_sequence('respondents', 'respondent_id')) AS respondent_id
         FROM json_to_recordset(?::json) AS g (${GIVEN}) ORDER BY g.index
       ), inserted AS (
         INSERT INTO respondents (respondent_id, organization_id, workspace_id, respondent_email, respondent_name, external_id,
                                  language, attributes, opted_out_at)
         SELECT respondent_id, ?::bigint, ?::bigint, email, name, external_id, language, attributes,
                CASE WHEN opted_out THEN ?::timestamptz END
         FROM given
       )
       SELECT respondent_id FROM given ORDER BY index`,
      [JSON.stringify(respondents.map(recordOf)), organizationId, workspaceId, now],
    );
    return rows.map((row) => row.respondent_id);
  }

  /** Updates the fields that are not null and merges attributes. `respondents` is parallel to `respondentIds`. */
  async updateMany({
    inWorkspace: { organizationId, workspaceId },
    respondentIds,
    respondents,
    now,
  }: {
    inWorkspace: InWorkspace;
    respondentIds: readonly number[];
    respondents: readonly RespondentInput[];
    now: Date;
  }): Promise<void> {
    if (respondents.length === 0) return;
    const records = respondents.map((person, index) => ({
      ...recordOf(person, index),
      respondent_id: respondentIds[index],
    }));
    // Raw SQL: updates any number of rows from one JSON array.
    await queryCount(
      this.db,
      `UPDATE respondents r SET
         respondent_email = coalesce(g.email, r.respondent_email), respondent_name = coalesce(g.name, r.respondent_name),
         external_id = coalesce(g.external_id, r.external_id), language = coalesce(g.language, r.language),
         attributes = r.attributes || g.attributes,
         opted_out_at = coalesce(r.opted_out_at, CASE WHEN g.opted_out THEN ?::timestamptz END)
       FROM json_to_recordset(?::json) AS g (respondent_id bigint, ${GIVEN})
       WHERE r.respondent_id = g.respondent_id AND r.organization_id = ? AND r.workspace_id = ? AND r.erased_at IS NULL`,
      [now, JSON.stringify(records), organizationId, workspaceId],
    );
  }
}

const GIVEN =
  'index integer, email text, name text, external_id text, language text, opted_out boolean, attributes jsonb';

const recordOf = (person: RespondentInput, index: number) => ({
  index,
  email: person.email,
  name: person.name,
  external_id: person.externalId,
  language: person.language,
  opted_out: person.optedOut,
  attributes: person.attributes,
});

const knownOf = (row: KnownRow): ExistingRespondent => ({
  respondentId: row.respondent_id,
  email: row.respondent_email,
  name: row.respondent_name,
  externalId: row.external_id,
  language: row.language,
  optedOut: row.opted_out_at !== null,
  attributes: row.attributes,
});
