import { storable } from './xml.ts';

/** Texts beside each other; each keeps its own direction. */
export function inOneLine(...texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => `\u2068${storable(text)}\u2069`)
    .join('  ·  ');
}
