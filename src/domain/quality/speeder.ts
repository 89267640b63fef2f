import type { QualitySettings } from '../survey/settings/quality-settings.ts';
import type { QualityFlag } from './quality-flag.ts';

/** How long the survey's complete responses took. */
export interface CompleteDurations {
  count: number;
  /** null without a complete response whose duration is known. */
  medianSeconds: number | null;
}

/**
 * The duration under which a response counts as too fast, in seconds; null: there is no line yet. A share of the median once
 * there are enough completes to have one, and never below the floor of `min_seconds`, which holds from the first response.
 */
export function speederThreshold(
  settings: QualitySettings['speeder'],
  { count, medianSeconds }: CompleteDurations,
): number | null {
  const ofMedian =
    medianSeconds !== null && count >= settings.min_completes ? settings.ratio * medianSeconds : null;
  if (ofMedian === null || settings.min_seconds === null) return ofMedian ?? settings.min_seconds;
  return Math.max(ofMedian, settings.min_seconds);
}

/** null: not too fast, or nobody knows how long it took (it was handed in by one call). */
export function findSpeederFlag(
  durationSeconds: number | null,
  settings: QualitySettings['speeder'],
  durations: CompleteDurations,
): QualityFlag | null {
  const threshold = speederThreshold(settings, durations);
  if (!settings.enabled || threshold === null || durationSeconds === null || durationSeconds >= threshold) {
    return null;
  }
  return {
    check: 'speeder',
    severity: durationSeconds < threshold / 2 ? 'high' : 'medium',
    metric: 'duration_seconds',
    value: durationSeconds,
    threshold,
    column_codes: [],
  };
}
