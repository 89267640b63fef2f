import { isHttpUrl } from '../../../lib/urls.ts';
import type { Question, SurveyDefinition } from '../definition.ts';
import { hiddenNamesIn } from '../logic/referenced-values.ts';
import { IMAGE_SETTINGS } from '../presentation-settings.ts';
import type { SurveySettings } from '../survey-settings.ts';
import type { PublishProblem } from './publish-check.ts';

const remoteImageMessage = (owner: string): string =>
  `${owner} shows an image of another server, which would get the address of every respondent: upload the image, as the survey is anonymous`;

const remoteImage = (field: string, question: Question): PublishProblem => ({
  code: 'remote_image',
  message: remoteImageMessage(question.code),
  field,
  question_code: question.code,
});

const remoteSettingsImages = (settings: SurveySettings): PublishProblem[] =>
  IMAGE_SETTINGS.filter((name) => isHttpUrl(settings[name] ?? '')).map((name) => ({
    code: 'remote_image',
    message: remoteImageMessage(name),
    field: `survey_settings.${name}`,
  }));

/** Images of other servers that respondents load. */
function remoteImageProblems(question: Question, field: string): PublishProblem[] {
  const { image_url: url } = question.settings;
  return [
    ...(url !== null && isHttpUrl(url)
      ? [remoteImage(`${field}.question_settings.image_url`, question)]
      : []),
    ...question.options.flatMap(({ image, retired }, index) =>
      image !== null && !retired && isHttpUrl(image)
        ? [remoteImage(`${field}.options[${index}].option_image`, question)]
        : [],
    ),
  ];
}

type DeclaringSettings = Pick<SurveySettings, 'anonymous' | 'hidden_values'>;

/**
 * Returns the values of the link that conditions and texts use though an anonymous survey does not declare them. It drops them, because any
 * parameter can name a respondent.
 */
export function findUndeclaredValues(parts: unknown, settings: DeclaringSettings): string[] {
  if (!settings.anonymous) return [];
  return [...hiddenNamesIn(parts)].filter((name) => !settings.hidden_values.includes(name));
}

/** The message about a value of `findUndeclaredValues`. */
export const undeclaredValue = (name: string): string =>
  `an anonymous survey drops the value ${name} of the link; declare it in survey_settings.hidden_values to use and store it`;

function undeclaredProblems(
  parts: unknown,
  settings: DeclaringSettings,
  place: Pick<PublishProblem, 'field' | 'question_code'>,
): PublishProblem[] {
  return findUndeclaredValues(parts, settings).map((name) => ({
    code: 'undeclared_value',
    message: undeclaredValue(name),
    ...place,
  }));
}

/** Returns what would show who answers an anonymous survey; empty for other surveys. */
export function findAnonymityProblems(
  definition: SurveyDefinition,
  settings: SurveySettings,
): PublishProblem[] {
  if (!settings.anonymous) return [];
  return [
    ...undeclaredProblems(settings, settings, { field: 'survey_settings' }),
    ...remoteSettingsImages(settings),
    ...definition.pages.flatMap(({ questions, retired: isPageRetired, ...page }, pageIndex) => {
      if (isPageRetired) return [];
      const at = `pages[${pageIndex}]`;
      return [
        ...undeclaredProblems(page, settings, { field: at }),
        ...questions.flatMap((question, index) => {
          if (question.retired) return [];
          const field = `${at}.questions[${index}]`;
          return [
            ...remoteImageProblems(question, field),
            ...undeclaredProblems(question, settings, { field, question_code: question.code }),
          ];
        }),
      ];
    }),
  ];
}
