import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';

export interface OrganizationRow {
  organization_id: number;
  organization_name: string;
  organization_slug: string;
}

const COLUMNS = 'organization_id, organization_name, organization_slug';

export class OrganizationRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async create(name: string, slug: string): Promise<OrganizationRow> {
    const row = await rowOf<OrganizationRow>(
      this.db,
      `INSERT INTO organizations (organization_name, organization_slug) VALUES (?, ?)
       RETURNING ${COLUMNS}`,
      [name, slug],
    );
    return row!;
  }

  byId(organizationId: number): Promise<OrganizationRow | null> {
    return rowOf(this.db, `SELECT ${COLUMNS} FROM organizations WHERE organization_id = ?`, [organizationId]);
  }

  /** Every organization of the installation, oldest first: for superadmins. */
  all(): Promise<OrganizationRow[]> {
    return rowsOf(this.db, `SELECT ${COLUMNS} FROM organizations ORDER BY organization_id`);
  }

  async update(organizationId: number, name: string, slug: string): Promise<OrganizationRow> {
    const row = await rowOf<OrganizationRow>(
      this.db,
      `UPDATE organizations SET organization_name = ?, organization_slug = ? WHERE organization_id = ? RETURNING ${COLUMNS}`,
      [name, slug, organizationId],
    );
    return row!;
  }

  bySlug(slug: string): Promise<OrganizationRow | null> {
    return rowOf(this.db, `SELECT ${COLUMNS} FROM organizations WHERE organization_slug = ?`, [slug]);
  }

  /** The first organization of the installation, or null when there is none yet. */
  oldest(): Promise<OrganizationRow | null> {
    return rowOf(this.db, `SELECT ${COLUMNS} FROM organizations ORDER BY organization_id LIMIT 1`);
  }

  /** Whoever changes who its admins are waits here for the others; nobody else does. */
  async lock(organizationId: number): Promise<void> {
    await countOf(this.db, `SELECT 1 FROM organizations WHERE organization_id = ? FOR NO KEY UPDATE`, [
      organizationId,
    ]);
  }
}
