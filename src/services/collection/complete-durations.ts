import type { CompleteDurations } from '../../domain/quality/speeder.ts';
import type { Repositories } from '../../repositories/repositories.ts';

/** Counting these takes no time; from here on one more response does not move the median that matters. */
const ALWAYS_COUNTED_BELOW = 1_000;
const KEPT_MS = 60_000;
const KEPT_SURVEYS = 500;

/** How long a survey's completes took, without reading a million of them for every response. */
export class CompleteDurationsReader {
  private readonly kept = new Map<number, { durations: CompleteDurations; readAtMs: number }>();

  async of(repositories: Repositories, surveyId: number): Promise<CompleteDurations> {
    const nowMs = performance.now();
    const known = this.kept.get(surveyId);
    if (known !== undefined && nowMs - known.readAtMs < KEPT_MS) return known.durations;
    this.kept.delete(surveyId);
    const durations = await repositories.responseQuality.completeDurations(surveyId);
    if (durations.count >= ALWAYS_COUNTED_BELOW) {
      this.kept.set(surveyId, { durations, readAtMs: nowMs });
      if (this.kept.size > KEPT_SURVEYS) this.kept.delete(this.kept.keys().next().value!);
    }
    return durations;
  }
}
