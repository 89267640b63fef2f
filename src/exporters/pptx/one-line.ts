import { removeForbiddenCharacters } from './xml.ts';

/** Texts beside each other; each keeps its own direction. */
export function joinOnOneLine(...texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => `\u2068${removeForbiddenCharacters(text)}\u2069`)
    .join('  ·  ');
}
