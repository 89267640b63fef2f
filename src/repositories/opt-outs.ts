import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import { statusesBefore } from '../domain/invitations/invitation-status.ts';

/** Whom an address for opting out is of. */
export interface InvitedRow {
  invitation_id: number;
  organization_id: number;
  organization_name: string;
  respondent_id: number;
  workspace_id: number;
  /** null: erased. */
  respondent_email: string | null;
  language: string | null;
  survey_settings: Record<string, unknown>;
  opted_out: boolean;
}

/** Who does not want to be written to: respondents of a workspace, and addresses of the whole organization. */
export class OptOutRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Those of the addresses, in lower case. */
  async among(organizationId: number, emails: readonly string[]): Promise<Set<string>> {
    const rows = await rowsOf<{ email: string }>(
      this.db,
      `SELECT given.email FROM unnest(?::text[]) AS given (email)
       JOIN opted_out_addresses a ON a.organization_id = ? AND a.address_digest = address_digest(?, given.email)`,
      [emails, organizationId, organizationId],
    );
    return new Set(rows.map((row) => row.email));
  }

  /** By the token for opting out, or by that of the survey where earlier mails named it in the address for opting out. */
  byToken(token: string): Promise<InvitedRow | null> {
    return rowOf(
      this.db,
      `SELECT i.invitation_id, i.organization_id, o.organization_name, i.respondent_id, r.workspace_id, r.respondent_email,
              r.language, s.survey_settings, r.opted_out_at IS NOT NULL OR EXISTS (
                SELECT FROM opted_out_addresses a WHERE a.organization_id = i.organization_id
                  AND a.address_digest = address_digest(i.organization_id, r.respondent_email)) AS opted_out
       FROM invitations i JOIN organizations o USING (organization_id) JOIN respondents r USING (respondent_id)
       JOIN surveys s USING (survey_id) WHERE i.opt_out_token = ? OR (i.link_token = ? AND i.link_token_opts_out)`,
      [token, token],
    );
  }

  /** The respondent, the address everywhere in the organization, and the invitations that are under way. */
  async optOut(person: InvitedRow): Promise<void> {
    const { organization_id: organizationId, respondent_id: respondentId, respondent_email: email } = person;
    await countOf(
      this.db,
      `UPDATE respondents SET opted_out_at = coalesce(opted_out_at, now()) WHERE respondent_id = ?`,
      [respondentId],
    );
    await countOf(
      this.db,
      `UPDATE invitations SET invitation_status = 'opted_out' WHERE respondent_id = ? AND invitation_status = ANY(?)`,
      [respondentId, statusesBefore('opted_out')],
    );
    if (email === null) return;
    await countOf(
      this.db,
      `INSERT INTO opted_out_addresses (organization_id, address_digest) VALUES (?, address_digest(?, ?))
       ON CONFLICT (organization_id, address_digest) DO NOTHING`,
      [organizationId, organizationId, email],
    );
  }

  async optIn(
    person: Pick<InvitedRow, 'organization_id' | 'respondent_id' | 'respondent_email'>,
  ): Promise<void> {
    await countOf(this.db, `UPDATE respondents SET opted_out_at = NULL WHERE respondent_id = ?`, [
      person.respondent_id,
    ]);
    if (person.respondent_email !== null)
      await this.forgetAddress(person.organization_id, person.respondent_email);
  }

  /** The organization may write to it again. */
  async forgetAddress(organizationId: number, email: string): Promise<void> {
    await countOf(
      this.db,
      `DELETE FROM opted_out_addresses WHERE organization_id = ? AND address_digest = address_digest(?, ?)`,
      [organizationId, organizationId, email],
    );
  }
}
