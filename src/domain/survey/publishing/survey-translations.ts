import { z } from 'zod';
import { sizeAtMost } from '../../../lib/error-messages.ts';

const pageTranslation = z
  .strictObject({
    page_title: z.string().max(500).nullish(),
    page_description: z.string().max(5_000).nullish(),
  })
  .meta({ id: 'PageTranslation' });

const translation = z
  .strictObject({
    survey_name: z.string().max(500).nullish(),
    survey_description: z.string().max(10_000).nullish(),
    completion_message: z.string().max(5_000).nullish(),
    screened_out_message: z.string().max(5_000).nullish(),
    over_quota_message: z.string().max(5_000).nullish(),
    closed_message: z.string().max(5_000).nullish(),
    consent_text: z.string().max(20_000).nullish(),
    pages: z
      .record(z.string().regex(/^[1-9]\d{0,15}$/, 'must be a page_id'), pageTranslation)
      .optional()
      .describe('By page_id. Questions have their own translations in `question_settings`'),
  })
  .meta({ id: 'SurveyTranslation' });

const MAX_LANGUAGES = 50;

/** By language: the survey's own texts. What is absent or null is shown in the default language. */
export const surveyTranslationsSchema = (language: z.ZodString) =>
  z.record(language, translation).refine((byLanguage) => Object.keys(byLanguage).length <= MAX_LANGUAGES, {
    error: sizeAtMost(MAX_LANGUAGES, 'language'),
  });

type Stored = Readonly<Record<string, unknown>>;
type Translations = Record<string, z.infer<typeof translation>>;

/** Page ids that translations name, with the language that names them, in order. */
export function pagesWithTranslations(settings: Stored): { language: string; pageId: number }[] {
  return Object.entries(translationsOf(settings) ?? {}).flatMap(([language, { pages = {} }]) =>
    Object.keys(pages).map((pageId) => ({ language, pageId: Number(pageId) })),
  );
}

/** Returns the settings without translations of deleted pages. */
export function removePageTranslations(settings: Stored, isDeleted: (pageId: number) => boolean): Stored {
  return mapTranslatedPages(settings, (pageId) => (isDeleted(pageId) ? null : pageId));
}

/** Returns the settings with new page ids; every page id must be in the map. */
export function remapPageTranslations(settings: Stored, pageIds: ReadonlyMap<number, number>): Stored {
  return mapTranslatedPages(settings, (pageId) => {
    const id = pageIds.get(pageId);
    if (id === undefined) throw new Error(`No new id for page ${pageId}`);
    return id;
  });
}

/** If `newId` returns null, the translation of the page is removed. */
function mapTranslatedPages(settings: Stored, newId: (pageId: number) => number | null): Stored {
  const translations = translationsOf(settings);
  if (!translations) return settings;
  const moved = Object.entries(translations).map(([language, texts]) => {
    if (texts.pages === undefined) return [language, texts] as const;
    const pages = Object.entries(texts.pages).flatMap(([pageId, page]) => {
      const id = newId(Number(pageId));
      return id === null ? [] : [[String(id), page] as const];
    });
    return [language, { ...texts, pages: Object.fromEntries(pages) }] as const;
  });
  return { ...settings, translations: Object.fromEntries(moved) };
}

function translationsOf(settings: Stored): Translations | null {
  return (settings.translations as Translations | null | undefined) ?? null;
}
