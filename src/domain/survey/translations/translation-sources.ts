import { z } from 'zod';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { unknownValue } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { textFingerprint } from '../../../lib/text-fingerprint.ts';
import type { TranslationSources } from '../../questions/question.ts';
import { isRecord } from '../../questions/answers/read-answer.ts';
import { languageTagText } from '../../questions/question-translations.ts';
import { pathName, type TranslatableText } from './translatable-texts.ts';

const MAX_PATHS = 20_000;

/** A path within the translations to a language: `question_text`, `options.3`, `pages.7.page_title`. */
const translationPath = z
  .string()
  .regex(/^-?\w{1,40}(\.-?\w{1,40}){0,2}$/, 'must be a path such as options.3');

/** For files; the fingerprint is that of lib/text-fingerprint.ts. */
export const translationSourcesSchema = z
  .record(languageTagText, z.record(translationPath, z.string().regex(/^[\w-]{16}$/)))
  .meta({
    id: 'TranslationSources',
    description: 'Fingerprints of the texts that outdated translations belong to, by language and path',
  });

/** By language: translations, each by its path. */
export type TranslationPaths = Record<string, string[]>;

const PATHS_EXAMPLE = { de: ['question_text', 'options.3'] };

const translationPaths = z.record(languageTagText, z.array(translationPath).max(MAX_PATHS));

/** In replies. */
export const outdatedTranslationsSchema = translationPaths.meta({
  id: 'OutdatedTranslations',
  description:
    'Translations whose text in the default language changed after they were written, by language: paths within the translations, such as ' +
    '`question_text`, `options.3` or, in a survey, `pages.7.page_title`',
  examples: [PATHS_EXAMPLE],
});

/** In requests. */
export const confirmedTranslationsSchema = translationPaths
  .meta({
    id: 'ConfirmedTranslations',
    description:
      'Translations that are still right although their text changed, by language, as in `outdated_translations`. A translation that ' +
      'changes is up to date without being named',
    examples: [PATHS_EXAMPLE],
  })
  .nullish();

/** Returns the translated texts of one language by path. */
function translatedPaths(translation: unknown, prefix = ''): [path: string, text: string][] {
  if (!isRecord(translation)) return [];
  return Object.entries(translation).flatMap(([name, value]): [string, string][] => {
    const path = `${prefix}${name}`;
    if (typeof value === 'string') return value === '' ? [] : [[path, value]];
    return translatedPaths(value, `${path}.`);
  });
}

const textsOfLanguage = (translations: unknown, language: string): Map<string, string> =>
  new Map(
    isRecord(translations) && Object.hasOwn(translations, language)
      ? translatedPaths(translations[language])
      : [],
  );

/** An object with texts, at one time. */
interface TranslatedObject {
  texts: readonly TranslatableText[];
  translations: unknown;
}

/**
 * Returns the sources after a change of texts or translations. A text that is not among `texts`, before or after, counts as unchanged.
 * `confirmed`: translations that belong to the current texts.
 */
export function updateTranslationSources({
  before,
  after,
  sources,
  confirmed = {},
}: {
  before: TranslatedObject;
  after: TranslatedObject;
  sources: TranslationSources;
  confirmed?: Readonly<TranslationPaths> | null | undefined;
}): TranslationSources {
  const { translations } = after;
  if (!isRecord(translations)) return {};
  const textsBefore = new Map(before.texts.map((text) => [pathName(text), text.text]));
  const textsAfter = new Map(after.texts.map((text) => [pathName(text), text.text]));
  const entries = Object.keys(translations).flatMap((language) => {
    const known = new Map(Object.entries(sources[language] ?? {}));
    const old = textsOfLanguage(before.translations, language);
    const isConfirmed = new Set(confirmed?.[language]);
    const outdated = [...textsOfLanguage(translations, language)].flatMap(([path, translation]) => {
      if (translation !== old.get(path) || isConfirmed.has(path)) return [];
      const [textBefore, textAfter] = [textsBefore.get(path), textsAfter.get(path)];
      const isTextChanged = textBefore !== undefined && textBefore !== textAfter;
      const source = known.get(path) ?? (isTextChanged ? textFingerprint(textBefore) : undefined);
      const isCurrent = textAfter !== undefined && source === textFingerprint(textAfter);
      return source === undefined || isCurrent ? [] : [[path, source] as const];
    });
    return outdated.length === 0 ? [] : [[language, Object.fromEntries(outdated)] as const];
  });
  const updated = Object.fromEntries(entries);
  return canonicalJson(updated) === canonicalJson(sources) ? sources : updated;
}

/** Returns the outdated translations. Those of a text that is empty now are not shown to respondents, so they do not count. */
export function outdatedTranslations(
  sources: TranslationSources | undefined,
  isWritten: (path: string) => boolean,
): TranslationPaths {
  return Object.fromEntries(
    Object.entries(sources ?? {}).flatMap(([language, paths]) => {
      const outdated = Object.keys(paths).filter(isWritten);
      return outdated.length === 0 ? [] : [[language, outdated]];
    }),
  );
}

/** Returns a problem for each confirmed translation that does not exist. */
export function findUnknownConfirmed(
  confirmed: Readonly<TranslationPaths> | null | undefined,
  translations: unknown,
): ErrorDetail[] {
  return Object.entries(confirmed ?? {}).flatMap(([language, paths]) => {
    const known = textsOfLanguage(translations, language);
    return paths.flatMap((path, index) =>
      known.has(path)
        ? []
        : [
            {
              field: `confirmed_translations.${language}[${index}]`,
              message: unknownValue(path, `a text that is translated into ${language}`),
            },
          ],
    );
  });
}

/** Returns the sources with new page ids. If `newId` returns null, those of the page are removed. */
export function mapSourcePages(
  sources: TranslationSources,
  newId: (pageId: number) => number | null,
): TranslationSources {
  return Object.fromEntries(
    Object.entries(sources).flatMap(([language, paths]) => {
      const mapped = Object.entries(paths).flatMap(([path, source]) => {
        const [group, pageId, ...rest] = path.split('.');
        if (group !== 'pages') return [[path, source]];
        const id = newId(Number(pageId));
        return id === null ? [] : [[['pages', id, ...rest].join('.'), source]];
      });
      return mapped.length === 0 ? [] : [[language, Object.fromEntries(mapped) as Record<string, string>]];
    }),
  );
}
