import { removeForbiddenCharacters } from './xml.ts';

/** Joins texts on one line; each keeps its direction. */
export function joinOnOneLine(...texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => `\u2068${removeForbiddenCharacters(text)}\u2069`)
    .join('  ·  ');
}
