import { ar } from './locales/ar.ts';
import { de } from './locales/de.ts';
import { en, type Messages } from './locales/en.ts';
import { es } from './locales/es.ts';
import { fr } from './locales/fr.ts';
import { pt } from './locales/pt.ts';

const LOCALES = new Map<string, Messages>(Object.entries({ en, de, es, fr, pt, ar }));

/** Returns the texts of the page in these languages, by language; English for languages without a locale. */
export function messagesIn(languages: readonly string[]): Record<string, Messages> {
  return Object.fromEntries(
    languages.map((language) => [language, LOCALES.get(language.toLowerCase().split('-')[0]!) ?? en]),
  );
}
