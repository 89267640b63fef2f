import { trimCharacters } from '../../lib/trim-characters.ts';

const MAX_CHARACTERS = 120;

/**
 * Returns a file name without extension for something that users named, such as a survey: the title without the characters that file
 * systems refuse, at most 120 characters. Returns `fallback` if nothing is left.
 */
export function titleFileName(title: string, fallback: string): string {
  const allowed = title
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ');
  // By code points: half a surrogate pair cannot be encoded.
  const cut = [...allowed].slice(0, MAX_CHARACTERS).join('');
  return trimCharacters(cut, /[ .]/) || fallback;
}
