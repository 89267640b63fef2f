import type { Heartbeat } from '../../db/heartbeat.ts';
import type { StorageState } from '../../db/storage-state.ts';
import { unavailable } from '../../lib/errors.ts';
import { storageFull } from '../../lib/storage-full.ts';
import type { Store } from '../../repositories/store.ts';

interface Health {
  status: 'ok' | 'degraded';
  reason?: 'storage_full';
  replicas?: { configured: number; usable: number };
}

export class HealthService {
  private readonly store: Store;
  private readonly heartbeat: Heartbeat;
  private readonly storageState: StorageState;

  constructor(store: Store, heartbeat: Heartbeat, storageState: StorageState) {
    this.store = store;
    this.heartbeat = heartbeat;
    this.storageState = storageState;
  }

  /**
   * Throws 503 within 5 s while the database is away or silent. While storage is full reads still work: `degraded`. Replicas that are
   * away are counted only.
   */
  async check(): Promise<Health> {
    let isFull: boolean;
    try {
      await this.heartbeat.check();
      isFull = await this.storageState.isFull();
    } catch {
      // A server whose log of changes finds no space ends.
      if (this.storageState.isKnownFull) throw storageFull('The storage is full, and the database ended');
      throw unavailable('The database cannot be reached', 5, 'database_unavailable');
    }
    const { replicas } = this.store;
    return {
      ...(isFull ? { status: 'degraded', reason: 'storage_full' } : { status: 'ok' }),
      ...(replicas === null ? {} : { replicas }),
    };
  }
}
