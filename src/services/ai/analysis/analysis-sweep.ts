import type { Store } from '../../../repositories/store.ts';

/** How long it is remembered what was read in texts. */
const KEPT_DAYS = 90;
const AT_ONCE = 1_000;

/** Forgets what was read in texts long ago. Safe in several processes at once. */
export class AnalysisSweep {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  async run(): Promise<void> {
    while ((await this.store.read.analysisResults.deleteOld(KEPT_DAYS, AT_ONCE)) === AT_ONCE);
  }
}
