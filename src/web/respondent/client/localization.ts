import type { Messages } from '../locales/en.ts';
import type { PageState } from '../page-state.ts';

export type { Messages } from '../locales/en.ts';

const RIGHT_TO_LEFT = new Set(['ar', 'he', 'fa', 'ur', 'yi', 'ps', 'sd', 'ug', 'dv', 'ckb']);

/** Attributes of a text; empty if it is in the language of the page. */
export interface TextLanguage {
  lang?: string;
  dir?: 'auto';
}

/** Returns the attributes of a text. Without a translation it is in the default language of the survey, which may have another direction. */
export const textLanguage = (
  isTranslated: boolean,
  pageLanguage: string,
  defaultLanguage: string,
): TextLanguage =>
  isTranslated || pageLanguage === defaultLanguage ? {} : { lang: defaultLanguage, dir: 'auto' };

const baseLanguage = (language: string): string => language.toLowerCase().replace(/-.*/s, '');

export function directionOf(language: string): 'rtl' | 'ltr' {
  return RIGHT_TO_LEFT.has(baseLanguage(language)) ? 'rtl' : 'ltr';
}

/** Returns the name of a language in that language, such as "Deutsch" or "العربية". */
export function languageName(language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}

/** Formats a time in the respondent's time zone. */
export const formatDateTime = (language: string, iso: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(iso));

/** Formats a day, `YYYY-MM-DD`. */
export const formatDay = (language: string, day: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

/**
 * Formats a number as in the language of the texts, without grouping unless asked for: numbers such as years have none. Has all decimals
 * that an answer can have.
 */
export const formatNumber = (
  { number_format: locale }: Messages,
  value: number,
  { useGrouping } = { useGrouping: false },
): string => new Intl.NumberFormat(locale, { useGrouping, maximumFractionDigits: 20 }).format(value);

/** Formats a duration, such as "5 minutes". */
export const formatMinutes = ({ number_format: locale }: Messages, minutes: number): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(minutes);

/** Replaces placeholders such as `{n}`. Unknown placeholders stay. */
export function fillPlaceholders(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Returns the initial language: that of the link, else the best one of the browser, else the default language. */
export function initialLanguage(available: readonly string[], requested: string | null): string {
  for (const preferred of [...(requested === null ? [] : [requested]), ...navigator.languages]) {
    const found =
      available.find((language) => language.toLowerCase() === preferred.toLowerCase()) ??
      available.find((language) => baseLanguage(language) === baseLanguage(preferred));
    if (found !== undefined) return found;
  }
  return available[0] ?? 'en';
}

/** Returns the texts of the page in a language of the survey. */
export function messagesOf({ messages }: PageState, language: string): Messages {
  const found = messages[language];
  if (found === undefined) throw new Error(`The page has no texts in "${language}"`);
  return found;
}
