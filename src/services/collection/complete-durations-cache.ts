import type { CompleteDurations } from '../../domain/quality/speeder.ts';
import type { Repositories } from '../../repositories/repositories.ts';

/**
 * Below this count the durations are read each time: reading is fast, and one more response can still move the
 * median.
 */
const MIN_CACHED_COUNT = 1_000;
const TTL_MS = 60_000;
const MAX_SURVEYS = 500;

/**
 * Caches the durations of a survey's complete responses, so that not every response reads up to a million of them.
 */
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
