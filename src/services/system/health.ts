import { unavailable } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';

interface Health {
  status: 'ok';
  replicas?: { configured: number; usable: number };
}

export class HealthService {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** Throws 503 while the database is away. Replicas that are away are told of, and do without. */
  async check(): Promise<Health> {
    try {
      await this.store.ping();
    } catch {
      throw unavailable('The database cannot be reached', 5, 'database_unavailable');
    }
    const replicas = this.store.replicas;
    return replicas === null ? { status: 'ok' } : { status: 'ok', replicas };
  }
}
