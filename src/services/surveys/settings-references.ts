import type { SurveyScope } from '../../domain/access/scopes.ts';
import { attentionCheckQuestions } from '../../domain/survey/settings/attention-checks.ts';
import { pagesWithTranslations, surveySettingsOf } from '../../domain/survey/settings/survey-settings.ts';
import type { QualitySettingsChanges } from '../../domain/survey/settings/quality-settings.ts';
import { cannotChange, formatList, unknownObject, unknownValue } from '../../lib/error-messages.ts';
import { conflict, invalid, invalidFields } from '../../lib/errors.ts';
import { TIME_ZONE_EXPECTED } from '../../lib/time-zone.ts';
import type { Repositories } from '../../repositories/repositories.ts';

type Settings = Readonly<Record<string, unknown>>;

const MAX_LISTED_PAGES = 20;

/**
 * Throws 400 if attention checks name an unknown question; checks stored before may name a deleted one. `at`: path of
 * the settings in the request.
 */
export async function checkNamedQuestions(
  repositories: Repositories,
  scope: SurveyScope,
  before: Settings,
  changes: QualitySettingsChanges | null | undefined,
  at: '' | 'quality_settings.',
): Promise<void> {
  const named = (changes?.attention_checks ?? []).map((check) => check.question_id);
  if (named.length === 0) return;
  const known = await repositories.questions.filterExisting(scope, named);
  for (const id of attentionCheckQuestions(before)) known.add(id);
  const problems = named.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            field: `${at}attention_checks[${index}].question_id`,
            message: unknownObject('question', id, 'in this survey'),
          },
        ],
  );
  if (problems.length > 0) throw invalidFields(problems);
}

/**
 * Throws 400 if the database does not know the time zone, which it uses to round times to days; its time zone data
 * may be older than Node's.
 */
export async function checkTimeZone(
  { surveys }: Repositories,
  before: Settings,
  changes: Settings | null | undefined,
): Promise<void> {
  const name = changes?.['timezone'];
  if (typeof name !== 'string' || name === before['timezone'] || (await surveys.knowsTimeZone(name))) return;
  throw invalid(
    'survey_settings.timezone',
    `${unknownValue(name, 'a time zone of the database')}; ${TIME_ZONE_EXPECTED}`,
  );
}

/**
 * Respondents of an anonymous survey were promised that only the day of their answers is shown, while exact times are
 * stored. So once the survey has responses (also deleted ones, which can be restored), `anonymous` cannot be switched
 * off, and `timezone` cannot change: the days of several zones together narrow a time down to an hour or less. Throws
 * 409.
 */
export async function checkAnonymous(
  { responses }: Repositories,
  { surveyId }: SurveyScope,
  before: Settings,
  after: Settings,
): Promise<void> {
  const [old, changed] = [surveySettingsOf(before), surveySettingsOf(after)];
  if (!old.anonymous) return;
  const isSwitchedOff = !changed.anonymous;
  if (!isSwitchedOff && changed.timezone === old.timezone) return;
  if (!(await responses.hasReal(surveyId))) return;
  if (isSwitchedOff)
    throw conflict(
      'anonymous_promised',
      `survey_settings.anonymous: ${cannotChange('respondents of this survey were promised anonymity')}; duplicate the survey to collect without it`,
      [
        {
          field: 'survey_settings.anonymous',
          message: cannotChange('the survey has responses'),
        },
      ],
    );
  throw conflict(
    'anonymous_promised',
    `survey_settings.timezone: ${cannotChange(`the times of the anonymous responses are shown as days in ${old.timezone}`)}; ` +
      'duplicate the survey to collect in another time zone',
    [
      {
        field: 'survey_settings.timezone',
        message: cannotChange('the anonymous survey has responses'),
      },
    ],
  );
}

/**
 * Throws 400 if translations name a page that does not exist and was not named before. A new survey has no pages yet.
 */
export async function checkNamedPages(
  repositories: Repositories,
  scope: SurveyScope,
  before: Settings,
  changes: Settings | null | undefined,
): Promise<void> {
  const named = pagesWithTranslations(changes ?? {});
  if (named.length === 0) return;
  const known = new Set((await repositories.questions.listPages(scope)).map((page) => page.page_id));
  for (const { pageId } of pagesWithTranslations(before)) known.add(pageId);
  const problems = named
    .filter(({ pageId }) => !known.has(pageId))
    .map(({ language, pageId }) => ({
      field: `survey_settings.translations.${language}.pages.${pageId}`,
      message:
        known.size === 0
          ? `${unknownObject('page', pageId, 'in this survey')}; create it, then translate page titles by page_id with PUT /api/surveys/:id`
          : unknownObject('page', pageId, 'in this survey', {
              accepted: formatList([...known], MAX_LISTED_PAGES, String),
            }),
    }));
  if (problems.length > 0) throw invalidFields(problems);
}
