import type { Quota } from '../../domain/quota/quota.ts';
import type { Repositories } from '../../repositories/repositories.ts';

const MAX_WAVES = 200;

/** A wave whose quotas were set so often, at least. */
interface WaveRevision {
  surveyId: number;
  waveId: number;
  revision: number;
}

/** What responses of waves are judged by. What was set a certain time never changes, so what is kept is never stale. */
export class WaveQuotaCache {
  private readonly entries = new Map<number, { revision: number; quotas: readonly Quota[] }>();

  /** As they were set the `revision`th time, or later. */
  async load(
    { quotas }: Repositories,
    { surveyId, waveId, revision }: WaveRevision,
  ): Promise<readonly Quota[]> {
    const known = this.entries.get(waveId);
    const found =
      known !== undefined && known.revision >= revision ? known : await quotas.findByWave(surveyId, waveId);
    // Moved to the end: the first one in the map is the one that was not used for longest.
    this.entries.delete(waveId);
    this.entries.set(waveId, found);
    if (this.entries.size > MAX_WAVES) this.entries.delete(this.entries.keys().next().value!);
    return found.quotas;
  }
}
