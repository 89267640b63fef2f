import type { Caller } from '../../domain/access/caller.ts';
import { notFound } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { IdPage } from '../../repositories/list-queries.ts';
import type { AuditRow, AuditSearch } from '../../repositories/audit.ts';
import type { OrganizationRow } from '../../repositories/organizations.ts';
import type { Store } from '../../repositories/store.ts';

/** Organizations. */
export class OrganizationService {
  constructor(private readonly store: Store) {}

  /** Returns the organization in which the caller acts. */
  async get(caller: Pick<Caller, 'organizationId'>): Promise<OrganizationRow> {
    return requireValue(
      await this.store.read.organizations.findById(caller.organizationId),
      'organization of the caller',
    );
  }

  list(): Promise<OrganizationRow[]> {
    return this.store.read.organizations.listAll();
  }

  /** undefined: unchanged. The addresses of public dashboards contain the slug, so a new slug invalidates them. */
  update(
    caller: Caller,
    changes: { name?: string | undefined; slug?: string | undefined },
  ): Promise<OrganizationRow> {
    return this.store.transaction(async (repositories) => {
      await repositories.organizations.lock(caller.organizationId);
      const before = requireValue(
        await repositories.organizations.findById(caller.organizationId),
        'organization of the caller',
      );
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

  /**
   * Sets the organization in which a superadmin acts from the next request on, for this session or key. Recorded in
   * that organization's audit log.
   */
  switchTo(caller: Caller, organizationId: number): Promise<OrganizationRow> {
    return this.store.transaction(async (repositories) => {
      const row = await repositories.organizations.findById(organizationId);
      if (row === null) throw notFound('organization');
      const credentialRepository =
        caller.credential === 'session' ? repositories.sessions : repositories.apiKeys;
      await credentialRepository.setActingOrganization(caller.userId, caller.credentialId, organizationId);
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

/**
 * Reads the audit log: who did what to which object, from where. Services write entries in the transaction of the
 * change.
 */
export class AuditLogService {
  constructor(private readonly store: Store) {}

  /** Returns entries, newest first; `found` has one more than `limit` if there are more. */
  async find(
    { organizationId }: Pick<Caller, 'organizationId'>,
    search: AuditSearch,
    page: IdPage,
  ): Promise<{ found: AuditRow[]; total: number }> {
    const { audit } = this.store.read;
    const [found, total] = await Promise.all([
      audit.list(organizationId, search, page),
      audit.count(organizationId, search),
    ]);
    return { found, total };
  }
}
