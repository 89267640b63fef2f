import { unavailable } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';

export class HealthService {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** Throws 503 while the database is away. */
  async check(): Promise<{ status: 'ok' }> {
    try {
      await this.store.ping();
    } catch {
      throw unavailable('The database cannot be reached', 5, 'database_unavailable');
    }
    return { status: 'ok' };
  }
}
