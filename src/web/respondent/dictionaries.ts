import { ar } from './words/ar.ts';
import { de } from './words/de.ts';
import { en, type Words } from './words/en.ts';
import { es } from './words/es.ts';
import { fr } from './words/fr.ts';
import { pt } from './words/pt.ts';

const DICTIONARIES = new Map<string, Words>(Object.entries({ en, de, es, fr, pt, ar }));

/** The page's own words in these languages, by language; English where there is no dictionary. */
export function wordsIn(languages: readonly string[]): Record<string, Words> {
  return Object.fromEntries(
    languages.map((language) => [language, DICTIONARIES.get(language.toLowerCase().split('-')[0]!) ?? en]),
  );
}
