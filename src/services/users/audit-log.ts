import type { Caller } from '../../domain/access/caller.ts';
import type { AuditRow, AuditSearch } from '../../repositories/audit.ts';
import type { Store } from '../../repositories/store.ts';

/** Who did what to which object, from where. Written by those who do it, in the transaction in which they do it. */
export class AuditLogService {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** Newest first; `found` has one more than `limit` where there is more. */
  async find(
    { organizationId }: Pick<Caller, 'organizationId'>,
    search: AuditSearch,
    part: { beforeId: number | null; skip: number; limit: number },
  ): Promise<{ found: AuditRow[]; total: number }> {
    const { audit } = this.store.read;
    const [found, total] = await Promise.all([
      audit.list(organizationId, search, part),
      audit.count(organizationId, search),
    ]);
    return { found, total };
  }
}
