import type { Store } from '../../../repositories/store.ts';

/** Retention of cached analysis results. */
const MAX_AGE_DAYS = 90;
const BATCH_SIZE = 1_000;

/** Deletes expired analysis results from the cache. Safe to run in several processes at once. */
export class AnalysisCacheCleanup {
  constructor(private readonly store: Store) {}

  async run(): Promise<void> {
    while ((await this.store.read.analysisResults.deleteOld(MAX_AGE_DAYS, BATCH_SIZE)) === BATCH_SIZE);
  }
}
