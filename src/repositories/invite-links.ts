import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { GrantableRole } from '../domain/access/user-type.ts';

export interface InviteLinkRow {
  invite_id: number;
  organization_id: number;
  invite_token: string;
  invite_role: GrantableRole;
  /** null: unlimited. */
  invite_max_uses: number | null;
  invite_uses: number;
  /** null: never. */
  expires_at: Date | null;
  created_at: Date;
  revoked_at: Date | null;
}

const COLUMNS =
  'i.invite_id, i.organization_id, i.invite_token, i.invite_role, i.invite_max_uses, i.invite_uses, i.expires_at, i.created_at, i.revoked_at';

export class InviteLinkRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Oldest first; revoked ones are left out. */
  ofOrganization(organizationId: number): Promise<InviteLinkRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${COLUMNS} FROM invite_links i WHERE i.organization_id = ? AND i.revoked_at IS NULL ORDER BY i.invite_id`,
      [organizationId],
    );
  }

  async create(link: {
    organizationId: number;
    createdBy: number;
    token: string;
    role: GrantableRole;
    maxUses: number | null;
    expiresAt: Date | null;
  }): Promise<InviteLinkRow> {
    const row = await rowOf<InviteLinkRow>(
      this.db,
      `INSERT INTO invite_links AS i (organization_id, created_by, invite_token, invite_role, invite_max_uses, expires_at)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
      [link.organizationId, link.createdBy, link.token, link.role, link.maxUses, link.expiresAt],
    );
    return row!;
  }

  /** False: no live link of the organization has this id. */
  async revoke(organizationId: number, inviteId: number): Promise<boolean> {
    const count = await countOf(
      this.db,
      `UPDATE invite_links SET revoked_at = now() WHERE organization_id = ? AND invite_id = ? AND revoked_at IS NULL`,
      [organizationId, inviteId],
    );
    return count > 0;
  }

  /** Revoked ones too: whoever holds the token may know that it was one. */
  byToken(token: string): Promise<(InviteLinkRow & { organization_name: string }) | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS}, o.organization_name
       FROM invite_links i JOIN organizations o ON o.organization_id = i.organization_id WHERE i.invite_token = ?`,
      [token],
    );
  }

  /** Counts one use where there is one left; null: not any more. The count stands or falls with the transaction. */
  use(token: string, now: Date): Promise<InviteLinkRow | null> {
    return rowOf(
      this.db,
      `UPDATE invite_links AS i SET invite_uses = invite_uses + 1
       WHERE invite_token = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
         AND (invite_max_uses IS NULL OR invite_uses < invite_max_uses)
       RETURNING ${COLUMNS}`,
      [token, now],
    );
  }
}
