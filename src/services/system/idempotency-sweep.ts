import type { Store } from '../../repositories/store.ts';

const BATCH_SIZE = 1_000;

/** Deletes stored replies of expired Idempotency-Keys. Safe in several processes at once. */
export class IdempotencySweep {
  constructor(private readonly store: Store) {}

  async run(): Promise<void> {
    while ((await this.store.read.idempotencyKeys.deleteExpired(BATCH_SIZE)) === BATCH_SIZE);
  }
}
