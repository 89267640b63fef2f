import type { Quota } from '../../domain/quota/quota.ts';
import type { Repositories } from '../../repositories/repositories.ts';

const MAX_WAVES = 200;

/** A wave whose quotas have at least this revision. */
interface WaveRevision {
  surveyId: number;
  waveId: number;
  revision: number;
}

/** Caches the quotas of waves. A revision never changes, so entries are never stale. */
export class WaveQuotaCache {
  private readonly entries = new Map<number, { revision: number; quotas: readonly Quota[] }>();

  /** Returns the quotas of the given revision or a later one. */
  async load(
    { quotas }: Repositories,
    { surveyId, waveId, revision }: WaveRevision,
  ): Promise<readonly Quota[]> {
    const known = this.entries.get(waveId);
    const found =
      known !== undefined && known.revision >= revision ? known : await quotas.findByWave(surveyId, waveId);
    // Moved to the end: the first key of the map is the least recently used.
    this.entries.delete(waveId);
    this.entries.set(waveId, found);
    if (this.entries.size > MAX_WAVES) this.entries.delete(this.entries.keys().next().value!);
    return found.quotas;
  }
}
