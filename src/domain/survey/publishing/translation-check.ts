import { isRecord } from '../../answers/read-result.ts';
import { unknownValue } from '../../../lib/error-messages.ts';
import { typeOf } from '../../questions/registry.ts';
import type { Question, SurveyDefinition } from '../definition.ts';
import { TRANSLATABLE_TEXTS } from '../questions/question-translations.ts';
import type { PublishWarning } from './publish-problem.ts';

/** Typed as strings, because translations can have any keys. */
const TEXTS: readonly string[] = TRANSLATABLE_TEXTS;

/** Returns the keys of a translation, each with its allowed entries. */
function translatableKeys(question: Question): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  const live = question.options.filter(({ retired }) => !retired);
  if (live.length > 0) groups.set('options', new Set(live.map(({ code }) => String(code))));
  for (const { name, labels } of typeOf(question).labelGroups(question))
    groups.set(name, new Set(labels.map(({ key }) => key)));
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
