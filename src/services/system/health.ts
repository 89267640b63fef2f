import type { Heartbeat } from '../../db/heartbeat.ts';
import { unavailable } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';

interface Health {
  status: 'ok';
  replicas?: { configured: number; usable: number };
}

export class HealthService {
  private readonly store: Store;
  private readonly heartbeat: Heartbeat;

  constructor(store: Store, heartbeat: Heartbeat) {
    this.store = store;
    this.heartbeat = heartbeat;
  }

  /** Throws 503 within 5 s while the database is away or silent. Replicas that are away are counted only. */
  async check(): Promise<Health> {
    try {
      await this.heartbeat.check();
    } catch {
      throw unavailable('The database cannot be reached', 5, 'database_unavailable');
    }
    const replicas = this.store.replicas;
    return replicas === null ? { status: 'ok' } : { status: 'ok', replicas };
  }
}
