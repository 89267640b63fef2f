import type { Quota } from '../../domain/quota/quota.ts';
import type { Repositories } from '../../repositories/repositories.ts';

const KEPT = 200;

/** A wave whose quotas were set so often, at least. */
interface WaveAsSet {
  surveyId: number;
  waveId: number;
  revision: number;
}

/** What responses of waves are judged by. What was set a certain time never changes, so what is kept is never stale. */
export class QuotaDefinitions {
  private readonly kept = new Map<number, { revision: number; quotas: readonly Quota[] }>();

  /** As they were set the `revision`th time, or later. */
  async of({ quotas }: Repositories, { surveyId, waveId, revision }: WaveAsSet): Promise<readonly Quota[]> {
    const known = this.kept.get(waveId);
    const found =
      known !== undefined && known.revision >= revision ? known : await quotas.findByWave(surveyId, waveId);
    // Moved to the end: the first one in the map is the one that was not used for longest.
    this.kept.delete(waveId);
    this.kept.set(waveId, found);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    return found.quotas;
  }
}
