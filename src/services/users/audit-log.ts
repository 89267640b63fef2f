import type { Caller } from '../../domain/access/caller.ts';
import type { AuditRow, AuditSearch } from '../../repositories/audit.ts';
import type { Store } from '../../repositories/store.ts';

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
