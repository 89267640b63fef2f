import type { Database } from '../db/connect.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import { type KnownRespondent, sameEmail } from '../domain/respondents/judge-row.ts';
import type { GivenRespondent } from '../domain/respondents/read-respondent-row.ts';
import type { RespondentRow } from './respondents.ts';

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

/** Lists of people coming in: many at a time. */
export class RespondentImportRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** One list at a time per workspace, until the transaction ends; single people are changed meanwhile. */
  async lockWorkspace({ organizationId, workspaceId }: InWorkspace): Promise<void> {
    await countOf(
      this.db,
      `SELECT 1 FROM workspaces WHERE organization_id = ? AND workspace_id = ? FOR NO KEY UPDATE`,
      [organizationId, workspaceId],
    );
  }

  /** Whom the workspace has of these, by their names in it; nobody else changes them until the transaction ends. */
  async lockKnown(
    { organizationId, workspaceId }: InWorkspace,
    people: readonly Pick<GivenRespondent, 'email' | 'externalId'>[],
  ): Promise<{ byEmail: Map<string, KnownRespondent>; byExternalId: Map<string, KnownRespondent> }> {
    const emails = people.flatMap(({ email }) => (email === null ? [] : [sameEmail(email)]));
    const externalIds = people.flatMap(({ externalId }) => externalId ?? []);
    const rows = await rowsOf<RespondentRow>(
      this.db,
      // One look-up by an index for each name: what a join would read of a large workspace is all of it.
      `SELECT r.respondent_id, r.respondent_email, r.respondent_name, r.external_id, r.language, r.attributes, r.opted_out_at
       FROM respondents r
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
    const pairs = <Key>(keyOf: (one: KnownRespondent) => Key | null) =>
      known.flatMap((one) => {
        const key = keyOf(one);
        return key === null ? [] : [[key, one] as const];
      });
    return {
      byEmail: new Map(pairs(({ email }) => (email === null ? null : sameEmail(email)))),
      byExternalId: new Map(pairs(({ externalId }) => externalId)),
    };
  }

  /** Those of the ids; nobody else changes them until the transaction ends. */
  async lockByIds(
    { organizationId, workspaceId }: InWorkspace,
    respondentIds: readonly number[],
  ): Promise<KnownRespondent[]> {
    const rows = await rowsOf<RespondentRow>(
      this.db,
      `SELECT respondent_id, respondent_email, respondent_name, external_id, language, attributes, opted_out_at FROM respondents
       WHERE organization_id = ? AND workspace_id = ? AND respondent_id = ANY(?::bigint[]) AND erased_at IS NULL
       ORDER BY respondent_id FOR NO KEY UPDATE`,
      [organizationId, workspaceId, respondentIds],
    );
    return rows.map(knownOf);
  }

  /** Gives the new ids, parallel to `people`. */
  async insertMany(
    { organizationId, workspaceId }: InWorkspace,
    people: readonly GivenRespondent[],
    now: Date,
  ): Promise<number[]> {
    if (people.length === 0) return [];
    const rows = await rowsOf<{ respondent_id: number; place: number }>(
      this.db,
      `WITH given AS MATERIALIZED (
         SELECT g.*, nextval(pg_get_serial_sequence('respondents', 'respondent_id')) AS respondent_id
         FROM json_to_recordset(?::json) AS g (${GIVEN}) ORDER BY g.place
       ), made AS (
         INSERT INTO respondents (respondent_id, organization_id, workspace_id, respondent_email, respondent_name, external_id,
                                  language, attributes, opted_out_at)
         SELECT respondent_id, ?::bigint, ?::bigint, email, name, external_id, language, attributes,
                CASE WHEN opted_out THEN ?::timestamptz END
         FROM given
       )
       SELECT respondent_id, place FROM given ORDER BY place`,
      [JSON.stringify(people.map(recordOf)), organizationId, workspaceId, now],
    );
    return rows.map((row) => row.respondent_id);
  }

  /** What is not said stays; parallel to `respondentIds`. */
  async updateMany(
    { organizationId, workspaceId }: InWorkspace,
    respondentIds: readonly number[],
    people: readonly GivenRespondent[],
    now: Date,
  ): Promise<void> {
    if (people.length === 0) return;
    const records = people.map((person, place) => ({
      ...recordOf(person, place),
      respondent_id: respondentIds[place],
    }));
    await countOf(
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
  'place integer, email text, name text, external_id text, language text, opted_out boolean, attributes jsonb';

const recordOf = (person: GivenRespondent, place: number) => ({
  place,
  email: person.email,
  name: person.name,
  external_id: person.externalId,
  language: person.language,
  opted_out: person.optedOut,
  attributes: person.attributes,
});

const knownOf = (row: RespondentRow): KnownRespondent => ({
  respondentId: row.respondent_id,
  email: row.respondent_email,
  name: row.respondent_name,
  externalId: row.external_id,
  language: row.language,
  optedOut: row.opted_out_at !== null,
  attributes: row.attributes,
});
