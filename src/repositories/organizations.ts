import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';

export interface OrganizationRow {
  organization_id: number;
  organization_name: string;
  organization_slug: string;
}

export class OrganizationRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async create(name: string, slug: string): Promise<OrganizationRow> {
    const row = await rowOf<OrganizationRow>(
      this.db,
      `INSERT INTO organizations (organization_name, organization_slug) VALUES (?, ?)
       RETURNING organization_id, organization_name, organization_slug`,
      [name, slug],
    );
    return row!;
  }

  bySlug(slug: string): Promise<OrganizationRow | null> {
    return rowOf(
      this.db,
      `SELECT organization_id, organization_name, organization_slug FROM organizations WHERE organization_slug = ?`,
      [slug],
    );
  }

  /** The first organization of the installation, or null when there is none yet. */
  oldest(): Promise<OrganizationRow | null> {
    return rowOf(
      this.db,
      `SELECT organization_id, organization_name, organization_slug FROM organizations ORDER BY organization_id LIMIT 1`,
    );
  }

  /** Whoever changes who its admins are waits here for the others; nobody else does. */
  async lock(organizationId: number): Promise<void> {
    await countOf(this.db, `SELECT 1 FROM organizations WHERE organization_id = ? FOR NO KEY UPDATE`, [
      organizationId,
    ]);
  }
}
