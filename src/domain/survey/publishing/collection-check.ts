import { formatCount } from '../../../lib/error-messages.ts';
import { closingTimeOf, surveySettingsOf } from '../survey-settings.ts';
import type { PublishWarning } from './publish-check.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Returns warnings for settings that keep respondents from answering now or soon. */
export function findCollectionWarnings(
  storedSettings: unknown,
  { completeCount, now }: { completeCount: number; now: Date },
): PublishWarning[] {
  const warnings: PublishWarning[] = [];
  const closesAt = closingTimeOf(storedSettings);
  const { response_limit: limit } = surveySettingsOf(storedSettings);
  const field = 'survey_settings.closes_at';
  if (closesAt !== null && closesAt <= now) {
    const message = `The survey has closed at ${closesAt.toISOString()}: no response can start`;
    warnings.push({ code: 'closing_time_passed', message, field });
  } else if (closesAt !== null && closesAt.getTime() - now.getTime() <= HOUR_MS) {
    const message = `The survey closes within an hour, at ${closesAt.toISOString()}`;
    warnings.push({ code: 'closing_soon', message, field });
  }
  if (limit !== null && completeCount >= limit)
    warnings.push({
      code: 'response_limit_reached',
      message: `The survey has ${formatCount(completeCount, 'complete response')}, and its limit is ${limit}: no response can start`,
      field: 'survey_settings.response_limit',
    });
  return warnings;
}
