import type { QualitySettings } from '../survey/quality-settings.ts';
import type { QualityFlag } from '../responses/quality-flag.ts';

/** Seconds by page_id. */
export type PageTimes = Readonly<Record<string, number>>;

/** Limits the time of a page left open overnight. */
export const MAX_PAGE_SECONDS = 24 * 60 * 60;

/**
 * Adds the time of a page; repeated visits add up. The client's time is limited to `leftSeconds`, the time since the response started
 * that is not recorded for other pages.
 */
export function addPageTime({
  times,
  pageId,
  claimedSeconds,
  leftSeconds,
}: {
  times: PageTimes | null;
  pageId: number;
  claimedSeconds: number;
  leftSeconds: number;
}): PageTimes {
  const seconds = Math.min(claimedSeconds, Math.max(0, leftSeconds), MAX_PAGE_SECONDS);
  const before = times?.[pageId] ?? 0;
  return { ...times, [pageId]: Math.round((before + seconds) * 1000) / 1000 };
}

/** Durations of the complete responses of a survey. */
export interface CompleteDurations {
  count: number;
  /** Null without a complete response of known duration. */
  medianSeconds: number | null;
}

/**
 * The duration below which a response is a speeder, in seconds; null: no threshold yet. It is a share of the median once there are enough
 * complete responses, and never below `min_seconds`, which applies from the first response.
 */
export function speederThreshold(
  settings: QualitySettings['speeder'],
  { count, medianSeconds }: CompleteDurations,
): number | null {
  const medianThreshold =
    medianSeconds !== null && count >= settings.min_completes ? settings.ratio * medianSeconds : null;
  if (medianThreshold === null || settings.min_seconds === null)
    return medianThreshold ?? settings.min_seconds;
  return Math.max(medianThreshold, settings.min_seconds);
}

/** Returns null if the response is not too fast, or its duration is unknown (submitted in one call). */
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
