import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import { statusesBefore } from '../domain/invitations/invitation-status.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { InvitationTable, RespondentTable } from './tables/field.ts';
import type { OrganizationTable } from './tables/users.ts';

const INVITATION_COLUMNS = ['invitation_id', 'organization_id', 'respondent_id'] as const;
const RESPONDENT_COLUMNS = ['workspace_id', 'respondent_email', 'language'] as const;

/** The respondent whom an unsubscribe link belongs to. The email address is null for an erased respondent. */
export type InvitedRow = Pick<InvitationTable, (typeof INVITATION_COLUMNS)[number]> &
  Pick<OrganizationTable, 'organization_name'> &
  Pick<RespondentTable, (typeof RESPONDENT_COLUMNS)[number]> & {
    survey_settings: Record<string, unknown>;
    opted_out: boolean;
  };

/** Opt-outs: of respondents of a workspace, and of addresses for the whole organization. */
export class OptOutRepository {
  constructor(private readonly db: Database) {}

  /** Returns those of the addresses that opted out. `emails` are in lower case. */
  async filterOptedOut(organizationId: number, emails: readonly string[]): Promise<Set<string>> {
    // Raw SQL: joins a list of values.
    const rows = await queryRows<{ email: string }>(
      this.db,
      `SELECT given.email FROM unnest(?::text[]) AS given (email)
       JOIN opted_out_addresses a ON a.organization_id = ? AND a.address_digest = address_digest(?, given.email)`,
      [emails, organizationId, organizationId],
    );
    return new Set(rows.map((row) => row.email));
  }

  /** Finds a respondent by the opt-out token, or by the link token if earlier mails had it in their unsubscribe link. */
  async findByToken(token: string): Promise<InvitedRow | null> {
    const row = await this.db('invitations')
      .join('organizations', 'organizations.organization_id', 'invitations.organization_id')
      .join('respondents', 'respondents.respondent_id', 'invitations.respondent_id')
      .join('surveys', 'surveys.survey_id', 'invitations.survey_id')
      .where('invitations.opt_out_token', token)
      .orWhere((byLinkToken) => {
        void byLinkToken
          .where('invitations.link_token', token)
          .where('invitations.link_token_opts_out', true);
      })
      .first<InvitedRow | undefined>(
        ...qualifyColumns('invitations', INVITATION_COLUMNS),
        ...qualifyColumns('organizations', ['organization_name']),
        ...qualifyColumns('respondents', RESPONDENT_COLUMNS),
        ...qualifyColumns('surveys', ['survey_settings']),
        this.db.raw(`respondents.opted_out_at IS NOT NULL OR EXISTS (
          SELECT FROM opted_out_addresses a WHERE a.organization_id = invitations.organization_id
            AND a.address_digest = address_digest(invitations.organization_id, respondents.respondent_email)) AS opted_out`),
      );
    return row ?? null;
  }

  /** Opts out the respondent, the address in the whole organization, and the invitations in progress. */
  async optOut(person: InvitedRow): Promise<void> {
    const { organization_id: organizationId, respondent_id: respondentId, respondent_email: email } = person;
    await this.db('respondents')
      .where({ respondent_id: respondentId })
      .update({ opted_out_at: this.db.raw('coalesce(opted_out_at, now())') });
    await this.db('invitations')
      .where({ respondent_id: respondentId })
      .whereIn('invitation_status', statusesBefore('opted_out'))
      .update({ invitation_status: 'opted_out' });
    if (email === null) return;
    await this.db('opted_out_addresses')
      .insert({
        organization_id: organizationId,
        address_digest: this.db.raw('address_digest(?, ?)', [organizationId, email]),
      })
      .onConflict(['organization_id', 'address_digest'])
      .ignore();
  }

  async optIn(
    person: Pick<InvitedRow, 'organization_id' | 'respondent_id' | 'respondent_email'>,
  ): Promise<void> {
    await this.db('respondents')
      .where({ respondent_id: person.respondent_id })
      .update({ opted_out_at: null });
    if (person.respondent_email !== null)
      await this.deleteAddress(person.organization_id, person.respondent_email);
  }

  /** Lets the organization send mails to the address again. */
  async deleteAddress(organizationId: number, email: string): Promise<void> {
    await this.db('opted_out_addresses')
      .where({ organization_id: organizationId })
      .whereRaw('address_digest = address_digest(?, ?)', [organizationId, email])
      .delete();
  }
}
