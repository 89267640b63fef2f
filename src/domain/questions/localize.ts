import { isRecord } from './answers/read-answer.ts';

/** Translated texts of one language by key; a value that is not a string counts as not translated. */
export interface TranslatedTexts {
  /** Returns the translation of the key, otherwise the original. */
  text<T extends string | null>(key: string, original: T): string | T;
  /** Returns the translation of an entry in a group: `options` → `3`. */
  entry<T extends string | null>(group: string, key: string, original: T): string | T;
  /** Whether a text is translated; with `group`, whether its entry is. */
  has(key: string, group?: string): boolean;
}

const ORIGINAL: TranslatedTexts = {
  text: (_key, original) => original,
  entry: (_group, _key, original) => original,
  has: () => false,
};

/** Returns the translation for a language: exact (`pt-BR`), then its base (`pt`), ignoring case. */
export function translationFor(translations: unknown, language: string | null): unknown {
  if (language === null || !isRecord(translations)) return null;
  if (Object.hasOwn(translations, language)) return translations[language];
  const wanted = language.toLowerCase();
  const [base] = wanted.split('-');
  const tags = Object.keys(translations);
  const tag =
    tags.find((each) => each.toLowerCase() === wanted) ?? tags.find((each) => each.toLowerCase() === base);
  return tag === undefined ? null : translations[tag];
}

/** Reads the texts of a translation; an empty text counts as not translated. */
export function textsIn(translation: unknown): TranslatedTexts {
  if (!isRecord(translation)) return ORIGINAL;
  const findText = (record: Record<string, unknown>, key: string): string | null => {
    const text = Object.hasOwn(record, key) ? record[key] : null;
    return typeof text === 'string' && text !== '' ? text : null;
  };
  const findTextIn = (group: string, key: string): string | null => {
    const entries = Object.hasOwn(translation, group) ? translation[group] : null;
    return isRecord(entries) ? findText(entries, key) : null;
  };
  return {
    text: (key, original) => findText(translation, key) ?? original,
    entry: (group, key, original) => findTextIn(group, key) ?? original,
    has: (key, group) => (group === undefined ? findText(translation, key) : findTextIn(group, key)) !== null,
  };
}
