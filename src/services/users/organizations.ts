import type { Caller } from '../../domain/access/caller.ts';
import { notFound } from '../../lib/errors.ts';
import type { OrganizationRow } from '../../repositories/organizations.ts';
import type { Store } from '../../repositories/store.ts';

/** Who the people belong to. */
export class OrganizationService {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** The one that the caller acts in. */
  async get(caller: Pick<Caller, 'organizationId'>): Promise<OrganizationRow> {
    return (await this.store.read.organizations.byId(caller.organizationId))!;
  }

  list(): Promise<OrganizationRow[]> {
    return this.store.read.organizations.all();
  }

  /** absent: keep. Public dashboards are found under the slug: a new one makes their old addresses end. */
  update(
    caller: Caller,
    changes: { name?: string | undefined; slug?: string | undefined },
  ): Promise<OrganizationRow> {
    return this.store.transaction(async (repositories) => {
      await repositories.organizations.lock(caller.organizationId);
      const before = (await repositories.organizations.byId(caller.organizationId))!;
      const name = changes.name ?? before.organization_name;
      const slug = changes.slug ?? before.organization_slug;
      const fields = [
        ...(name === before.organization_name ? [] : ['organization_name']),
        ...(slug === before.organization_slug ? [] : ['organization_slug']),
      ];
      if (fields.length === 0) return before;
      const row = await repositories.organizations.update(caller.organizationId, name, slug);
      await repositories.audit.record({
        by: caller,
        action: 'organization.updated',
        objectType: 'organization',
        objectId: caller.organizationId,
        details: { fields },
      });
      return row;
    });
  }

  /** Where a superadmin acts from the next request on, with this session or key alone. Noted where they go. */
  switchTo(caller: Caller, organizationId: number): Promise<OrganizationRow> {
    return this.store.transaction(async (repositories) => {
      const row = await repositories.organizations.byId(organizationId);
      if (row === null) throw notFound('organization');
      const holder = caller.credential === 'session' ? repositories.sessions : repositories.apiKeys;
      await holder.setActingOrganization(caller.userId, caller.credentialId, organizationId);
      await repositories.audit.record({
        by: { organizationId, userId: caller.userId, origin: caller.origin },
        action: 'organization.entered',
        objectType: 'organization',
        objectId: organizationId,
      });
      return row;
    });
  }
}
