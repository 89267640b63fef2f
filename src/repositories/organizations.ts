import type { Database } from '../db/connect.ts';
import { requireRow } from '../lib/require-value.ts';
import { qualifyColumns } from './tables/table.ts';
import type { InviteLinkTable, OrganizationTable } from './tables/users.ts';

const COLUMNS = ['organization_id', 'organization_name', 'organization_slug'] as const;

export type OrganizationRow = Pick<OrganizationTable, (typeof COLUMNS)[number]>;

const INVITE_COLUMNS = [
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

export type InviteLinkRow = Pick<InviteLinkTable, (typeof INVITE_COLUMNS)[number]>;

type InvitationRow = InviteLinkRow & Pick<OrganizationTable, 'organization_name'>;

/** Organizations and the links that invite people to them. */
export class OrganizationRepository {
  constructor(private readonly db: Database) {}

  async create(name: string, slug: string): Promise<OrganizationRow> {
    const rows = await this.db('organizations')
      .insert({ organization_name: name, organization_slug: slug })
      .returning(COLUMNS);
    return requireRow(rows, 'organizations');
  }

  async findById(organizationId: number): Promise<OrganizationRow | null> {
    const row = await this.db('organizations')
      .first(...COLUMNS)
      .where({ organization_id: organizationId });
    return row ?? null;
  }

  /** Every organization of the installation, oldest first: for superadmins. */
  async listAll(): Promise<OrganizationRow[]> {
    return this.db('organizations')
      .select(...COLUMNS)
      .orderBy('organization_id');
  }

  async update(organizationId: number, name: string, slug: string): Promise<OrganizationRow> {
    const rows = await this.db('organizations')
      .where({ organization_id: organizationId })
      .update({ organization_name: name, organization_slug: slug })
      .returning(COLUMNS);
    return requireRow(rows, 'organizations');
  }

  async findBySlug(slug: string): Promise<OrganizationRow | null> {
    const row = await this.db('organizations')
      .first(...COLUMNS)
      .where({ organization_slug: slug });
    return row ?? null;
  }

  /** The first organization of the installation; null: there is none yet. */
  async findOldest(): Promise<OrganizationRow | null> {
    const row = await this.db('organizations')
      .first(...COLUMNS)
      .orderBy('organization_id');
    return row ?? null;
  }

  /** Locks the organization until the transaction ends. Every change of its admins takes this lock; nothing else does. */
  async lock(organizationId: number): Promise<void> {
    await this.db('organizations')
      .select('organization_id')
      .where({ organization_id: organizationId })
      .forNoKeyUpdate();
  }

  /** Oldest first, without revoked links. */
  async listInviteLinks(organizationId: number): Promise<InviteLinkRow[]> {
    return this.db('invite_links')
      .select(...INVITE_COLUMNS)
      .where({ organization_id: organizationId })
      .whereNull('revoked_at')
      .orderBy('invite_id');
  }

  async createInviteLink(link: {
    organizationId: number;
    createdBy: number;
    token: string;
    role: InviteLinkRow['invite_role'];
    maxUses: number | null;
    expiresAt: Date | null;
  }): Promise<InviteLinkRow> {
    const rows = await this.db('invite_links')
      .insert({
        organization_id: link.organizationId,
        created_by: link.createdBy,
        invite_token: link.token,
        invite_role: link.role,
        invite_max_uses: link.maxUses,
        expires_at: link.expiresAt,
      })
      .returning(INVITE_COLUMNS);
    return requireRow(rows, 'invite_links');
  }

  /** False: the organization has no such link, or it is revoked already. */
  async revokeInviteLink(organizationId: number, inviteId: number): Promise<boolean> {
    const updated = await this.db('invite_links')
      .where({ organization_id: organizationId, invite_id: inviteId })
      .whereNull('revoked_at')
      .update({ revoked_at: this.db.fn.now() });
    return updated > 0;
  }

  /** Revoked links too: a person who holds the token may learn that it was valid once. */
  async findInviteLink(token: string): Promise<InvitationRow | null> {
    const row = await this.db('invite_links')
      .join('organizations', 'organizations.organization_id', 'invite_links.organization_id')
      .first<InvitationRow | undefined>(
        ...qualifyColumns('invite_links', INVITE_COLUMNS),
        'organizations.organization_name',
      )
      .where('invite_links.invite_token', token);
    return row ?? null;
  }

  /** Counts one use in the current transaction. null: the link is revoked, expired or used up. */
  async useInviteLink(token: string, now: Date): Promise<InviteLinkRow | null> {
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
      .returning(INVITE_COLUMNS);
    return row ?? null;
  }
}
