import { questionsOf, type SurveyDefinition } from '../survey/definition.ts';
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

/** With fewer questions, one click can be a whole response. */
const MIN_QUESTIONS_FOR_PACE = 5;

/** What the threshold of a response depends on besides the settings. */
export interface SpeederReference {
  durations: CompleteDurations;
  /** Questions that the respondent was shown. */
  shownQuestions: number;
}

/**
 * The duration below which a response is a speeder, in seconds; null: no threshold yet. It is a share of the median once there are enough
 * complete responses, and never below the floors, which apply from the first response and where most respondents are too fast:
 * `min_seconds`, and `min_seconds_per_question` for each question shown.
 */
export function speederThreshold(
  settings: QualitySettings['speeder'],
  { durations: { count, medianSeconds }, shownQuestions }: SpeederReference,
): number | null {
  const { min_seconds: floor, min_seconds_per_question: pace } = settings;
  const thresholds = [
    medianSeconds !== null && count >= settings.min_completes ? settings.ratio * medianSeconds : null,
    floor,
    pace > 0 && shownQuestions >= MIN_QUESTIONS_FOR_PACE ? pace * shownQuestions : null,
  ].filter((seconds) => seconds !== null);
  return thresholds.length === 0 ? null : Math.max(...thresholds);
}

/** The codes of the questions that respondents can see. */
export const visibleQuestionCodes = (definition: SurveyDefinition): string[] =>
  questionsOf(definition).flatMap(({ code, settings }) => (settings.hidden === true ? [] : [code]));

/** Returns null if the response is not too fast, or its duration is unknown (submitted in one call). */
export function findSpeederFlag(
  durationSeconds: number | null,
  settings: QualitySettings['speeder'],
  reference: SpeederReference,
): QualityFlag | null {
  const threshold = speederThreshold(settings, reference);
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
