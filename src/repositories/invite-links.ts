import type { Database } from '../db/connect.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { InviteLinkTable, OrganizationTable } from './tables/users.ts';

const COLUMNS = [
  'invite_id',
  'organization_id',
  'invite_token',
  'invite_role',
  'invite_max_uses',
  'invite_uses',
  'expires_at',
  'created_at',
  'revoked_at',
] as const;

export type InviteLinkRow = Pick<InviteLinkTable, (typeof COLUMNS)[number]>;
type InvitationRow = InviteLinkRow & Pick<OrganizationTable, 'organization_name'>;

export class InviteLinkRepository {
  constructor(private readonly db: Database) {}

  /** Oldest first, without revoked links. */
  async ofOrganization(organizationId: number): Promise<InviteLinkRow[]> {
    return this.db('invite_links')
      .select(...COLUMNS)
      .where({ organization_id: organizationId })
      .whereNull('revoked_at')
      .orderBy('invite_id');
  }

  async create(link: {
    organizationId: number;
    createdBy: number;
    token: string;
    role: InviteLinkRow['invite_role'];
    maxUses: number | null;
    expiresAt: Date | null;
  }): Promise<InviteLinkRow> {
    const [row] = await this.db('invite_links')
      .insert({
        organization_id: link.organizationId,
        created_by: link.createdBy,
        invite_token: link.token,
        invite_role: link.role,
        invite_max_uses: link.maxUses,
        expires_at: link.expiresAt,
      })
      .returning(COLUMNS);
    return row!;
  }

  /** False: the organization has no such link, or it is revoked already. */
  async revoke(organizationId: number, inviteId: number): Promise<boolean> {
    const updated = await this.db('invite_links')
      .where({ organization_id: organizationId, invite_id: inviteId })
      .whereNull('revoked_at')
      .update({ revoked_at: this.db.fn.now() });
    return updated > 0;
  }

  /** Revoked links too: a person who holds the token may learn that it was valid once. */
  async byToken(token: string): Promise<InvitationRow | null> {
    const row = await this.db('invite_links')
      .join('organizations', 'organizations.organization_id', 'invite_links.organization_id')
      .first<InvitationRow | undefined>(
        ...qualifyColumns('invite_links', COLUMNS),
        'organizations.organization_name',
      )
      .where('invite_links.invite_token', token);
    return row ?? null;
  }

  /** Counts one use in the current transaction. null: the link is revoked, expired or used up. */
  async use(token: string, now: Date): Promise<InviteLinkRow | null> {
    const [row] = await this.db('invite_links')
      .where({ invite_token: token })
      .whereNull('revoked_at')
      .where((builder) => void builder.whereNull('expires_at').orWhere('expires_at', '>', now))
      .where(
        (builder) =>
          void builder
            .whereNull('invite_max_uses')
            .orWhere('invite_uses', '<', this.db.ref('invite_max_uses')),
      )
      .increment('invite_uses')
      .returning(COLUMNS);
    return row ?? null;
  }
}
