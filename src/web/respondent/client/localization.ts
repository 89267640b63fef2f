export type { Messages } from '../locales/en.ts';

const RIGHT_TO_LEFT = new Set(['ar', 'he', 'fa', 'ur', 'yi', 'ps', 'sd', 'ug', 'dv', 'ckb']);

/** Attributes of a text: empty where it is in the language of the page. */
export interface TextLanguage {
  lang?: string;
  dir?: 'auto';
}

/** A text without a translation is in the survey's default language, and may run in the other direction than the page. */
export const textLanguage = (isTranslated: boolean, shown: string, byDefault: string): TextLanguage =>
  isTranslated || shown === byDefault ? {} : { lang: byDefault, dir: 'auto' };

const baseLanguage = (language: string): string => language.toLowerCase().split('-')[0]!;

export function directionOf(language: string): 'rtl' | 'ltr' {
  return RIGHT_TO_LEFT.has(baseLanguage(language)) ? 'rtl' : 'ltr';
}

/** A language by its own name: "Deutsch", "العربية". */
export function languageName(language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}

/** A moment as it is where the respondent is. */
export const formatDateTime = (language: string, iso: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(iso));

/** `{n}` and the like, filled in. */
export function fillPlaceholders(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The language to begin in: what the link asks for, else the browser's best, else the survey's own. */
export function firstLanguage(offered: readonly string[], asked: string | null): string {
  for (const wanted of [...(asked === null ? [] : [asked]), ...navigator.languages]) {
    const found =
      offered.find((language) => language.toLowerCase() === wanted.toLowerCase()) ??
      offered.find((language) => baseLanguage(language) === baseLanguage(wanted));
    if (found !== undefined) return found;
  }
  return offered[0]!;
}
