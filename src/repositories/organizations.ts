import type { Database } from '../db/connect.ts';
import type { OrganizationTable } from './tables/users.ts';

const COLUMNS = ['organization_id', 'organization_name', 'organization_slug'] as const;

export type OrganizationRow = Pick<OrganizationTable, (typeof COLUMNS)[number]>;

export class OrganizationRepository {
  constructor(private readonly db: Database) {}

  async create(name: string, slug: string): Promise<OrganizationRow> {
    const [row] = await this.db('organizations')
      .insert({ organization_name: name, organization_slug: slug })
      .returning(COLUMNS);
    return row!;
  }

  async byId(organizationId: number): Promise<OrganizationRow | null> {
    const row = await this.db('organizations')
      .first(...COLUMNS)
      .where({ organization_id: organizationId });
    return row ?? null;
  }

  /** Every organization of the installation, oldest first: for superadmins. */
  async all(): Promise<OrganizationRow[]> {
    return this.db('organizations')
      .select(...COLUMNS)
      .orderBy('organization_id');
  }

  async update(organizationId: number, name: string, slug: string): Promise<OrganizationRow> {
    const [row] = await this.db('organizations')
      .where({ organization_id: organizationId })
      .update({ organization_name: name, organization_slug: slug })
      .returning(COLUMNS);
    return row!;
  }

  async bySlug(slug: string): Promise<OrganizationRow | null> {
    const row = await this.db('organizations')
      .first(...COLUMNS)
      .where({ organization_slug: slug });
    return row ?? null;
  }

  /** The first organization of the installation; null: there is none yet. */
  async oldest(): Promise<OrganizationRow | null> {
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
}
