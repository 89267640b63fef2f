import type { CompleteDurations } from '../../domain/quality/speeder.ts';
import type { Repositories } from '../../repositories/repositories.ts';

/** Counting these takes no time; from here on one more response does not move the median that matters. */
const MIN_CACHED_COUNT = 1_000;
const TTL_MS = 60_000;
const MAX_SURVEYS = 500;

/** How long a survey's completes took, without reading a million of them for every response. */
export class CompleteDurationsCache {
  private readonly entries = new Map<number, { durations: CompleteDurations; readAtMs: number }>();

  async load(repositories: Repositories, surveyId: number): Promise<CompleteDurations> {
    const nowMs = performance.now();
    const known = this.entries.get(surveyId);
    if (known !== undefined && nowMs - known.readAtMs < TTL_MS) return known.durations;
    this.entries.delete(surveyId);
    const durations = await repositories.responseQuality.completeDurations(surveyId);
    if (durations.count >= MIN_CACHED_COUNT) {
      this.entries.set(surveyId, { durations, readAtMs: nowMs });
      if (this.entries.size > MAX_SURVEYS) this.entries.delete(this.entries.keys().next().value!);
    }
    return durations;
  }
}
