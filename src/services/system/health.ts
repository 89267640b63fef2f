import type { Heartbeat, StorageState } from '../../db/availability.ts';
import { unavailable, storageFull } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';

interface Health {
  status: 'ok' | 'degraded';
  reason?: 'storage_full';
  replicas?: { configured: number; usable: number };
}

export class HealthService {
  constructor(
    private readonly store: Store,
    private readonly heartbeat: Heartbeat,
    private readonly storageState: StorageState,
  ) {}

  /**
   * Throws 503 within 5 s if the database is unavailable or not responding. Reads still work while storage is full:
   * `degraded`. Unavailable replicas are only counted.
   */
  async check(): Promise<Health> {
    let isFull: boolean;
    try {
      await this.heartbeat.check();
      isFull = await this.storageState.isFull();
    } catch {
      // PostgreSQL stops if its write-ahead log has no space.
      if (this.storageState.isKnownFull)
        throw storageFull('The storage is full, and the database has stopped');
      throw unavailable('The database cannot be reached', 5, 'database_unavailable');
    }
    const { replicas } = this.store;
    return {
      ...(isFull ? { status: 'degraded', reason: 'storage_full' } : { status: 'ok' }),
      ...(replicas === null ? {} : { replicas }),
    };
  }
}
