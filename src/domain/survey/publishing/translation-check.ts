import { unknownValue } from '../../../lib/error-messages.ts';
import { isRecord } from '../../questions/answers/read-answer.ts';
import { typeOf } from '../../questions/registry.ts';
import type { Question, SurveyDefinition } from '../definition.ts';
import { textsIn, translationFor } from '../../questions/localize.ts';
import { TRANSLATABLE_TEXTS } from '../../questions/question-translations.ts';
import type { SurveySettings } from '../survey-settings.ts';
import {
  listPageTexts,
  listQuestionTexts,
  listSurveyTexts,
  pathName,
  type TranslatableText,
} from '../translations/translatable-texts.ts';
import type { TranslationSources } from '../../questions/question.ts';
import type {
  MissingText,
  MissingTranslations,
  OutdatedTranslations,
  PublishWarning,
} from './publish-check.ts';

/** Typed as strings, because translations can have any keys. */
const TEXTS: readonly string[] = TRANSLATABLE_TEXTS;

/** Returns the keys of a translation, each with its allowed entries. */
function translatableKeys(question: Question): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  const live = question.options.filter(({ retired }) => !retired);
  if (live.length > 0) groups.set('options', new Set(live.map(({ code }) => String(code))));
  for (const { name, labels } of typeOf(question).labelGroups(question))
    groups.set(name, new Set(labels.map(({ key }) => key)));
  const { no_answers: reasons } = question.settings;
  if (reasons.length > 0) groups.set('no_answers', new Set(reasons.map(({ reason }) => reason)));
  return groups;
}

/** Returns translation entries with unknown keys; they are never shown. */
function unusedEntries(
  question: Question,
  translation: Record<string, unknown>,
): { at: string; message: string }[] {
  const groups = translatableKeys(question);
  return Object.entries(translation).flatMap(([key, value]) => {
    const known = groups.get(key);
    if (known !== undefined && isRecord(value)) {
      return Object.keys(value)
        .filter((entry) => !known.has(entry))
        .map((entry) => ({
          at: `${key}.${entry.slice(0, 60)}`,
          message: unknownValue(entry, `a key of the ${key} of ${question.code}`),
        }));
    }
    if (TEXTS.includes(key) && (typeof value === 'string' || value === null)) return [];
    const message = unknownValue(key, `a translatable text of ${question.code}`);
    return [{ at: key.slice(0, 60), message }];
  });
}

/** Returns warnings for translation entries that are never shown. */
export function findUnusedTranslations(definition: SurveyDefinition): PublishWarning[] {
  return definition.pages.flatMap((page, pageIndex) =>
    page.questions.flatMap((question, index) => {
      if (page.retired || question.retired) return [];
      const field = `pages[${pageIndex}].questions[${index}].question_settings.translations`;
      return Object.entries(question.settings.translations ?? {}).flatMap(([language, translation]) => {
        const found = isRecord(translation)
          ? unusedEntries(question, translation)
          : [{ at: '', message: 'must be an object of texts' }];
        return found.map(({ at, message }): PublishWarning => ({
          code: 'unknown_translation',
          message,
          field: [field, language, at].filter((part) => part !== '').join('.'),
          question_code: question.code,
        }));
      });
    }),
  );
}

/** A text with the translations that it belongs to. */
interface CheckedText extends MissingText {
  isTranslated: (language: string) => boolean;
  isOutdated: (language: string) => boolean;
}

/** Returns, for each additional language, the texts without a translation. Fully translated languages are omitted. */
export function findMissingTranslations(
  definition: SurveyDefinition,
  settings: SurveySettings,
): MissingTranslations[] {
  const needed = listTexts(definition, settings, {}).filter(({ text }) => needsTranslation(text));
  return targetLanguages(settings).flatMap((language) => {
    const missing = needed.filter(({ isTranslated }) => !isTranslated(language));
    return missing.length === 0
      ? []
      : [{ language, textCount: needed.length, missing: missing.map(presentText) }];
  });
}

/** Returns, for each additional language, the texts that changed after their translation. Languages without such texts are omitted. */
export function findOutdatedTranslations(
  definition: SurveyDefinition,
  settings: SurveySettings,
  surveySources: TranslationSources,
): OutdatedTranslations[] {
  const texts = listTexts(definition, settings, surveySources);
  return targetLanguages(settings).flatMap((language) => {
    const outdated = texts.filter(({ isOutdated }) => isOutdated(language));
    return outdated.length === 0 ? [] : [{ language, outdated: outdated.map(presentText) }];
  });
}

const presentText = ({ isTranslated: _, isOutdated: __, ...text }: CheckedText): MissingText => text;

const targetLanguages = ({ languages, default_language: source }: SurveySettings): string[] => [
  ...new Set(languages.filter((language) => language !== source)),
];

/** Whether a text contains letters outside pipes; numbers and symbols need no translation. */
const needsTranslation = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''));

/** Returns the texts that respondents read: those of the survey, then page by page. */
function listTexts(
  definition: SurveyDefinition,
  settings: SurveySettings,
  surveySources: TranslationSources,
): CheckedText[] {
  const checkSurveyText = withTranslations(settings.translations, surveySources);
  return [
    ...listSurveyTexts(definition, settings).map(checkSurveyText('')),
    ...definition.pages.flatMap((page, pageIndex) => {
      if (page.retired) return [];
      const at = `pages[${pageIndex}]`;
      return [
        ...listPageTexts(page).map(checkSurveyText(at)),
        ...page.questions.flatMap((question, index) => {
          const { settings: own, retired, code, translationSources = {} } = question;
          if (retired || own.hidden) return [];
          const check = withTranslations(own.translations, translationSources)(`${at}.questions[${index}]`);
          return listQuestionTexts(question).map((text) => ({ ...check(text), question_code: code }));
        }),
      ];
    }),
  ];
}

/** Returns a function that adds to a text at `at` whether it is translated. */
const withTranslations =
  (translations: unknown, sources: TranslationSources) =>
  (at: string) =>
  ({ path, field, text }: TranslatableText): CheckedText => ({
    field: at === '' ? field : `${at}.${field}`,
    text,
    isTranslated: (language) => {
      const [name = '', ...groups] = path.toReversed();
      const place = groups
        .toReversed()
        .reduce<unknown>(
          (found, group) => (isRecord(found) && Object.hasOwn(found, group) ? found[group] : null),
          translationFor(translations, language),
        );
      return textsIn(place).has(name);
    },
    isOutdated: (language) => Object.hasOwn(sources[language] ?? {}, pathName({ path })),
  });
