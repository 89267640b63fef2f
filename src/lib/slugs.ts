import { z } from 'zod';
import { trimCharactersEnd } from './trim-characters.ts';

export const MAX_SLUG_LENGTH = 80;
const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A part of an address that people read, such as `brand-tracker-2026`. */
export const slugSchema = z
  .string()
  .max(MAX_SLUG_LENGTH)
  .regex(SLUG_PATTERN, 'must be lower-case letters, digits and single hyphens, such as brand-tracker-2026');

export const isSlug = (text: string): boolean => slugSchema.safeParse(text).success;

/** Letters that Unicode normalization does not decompose into a base letter and a mark. */
const TRANSLITERATIONS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
]);

/** The slug for a name: `Käufer & Märkte 2026` becomes `kaufer-markte-2026`. `otherwise`: for a name without Latin letters and digits. */
export function createSlug(name: string, otherwise: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, (letter) => TRANSLITERATIONS.get(letter) ?? '-');
  const slug = joined(plain.replace(/['"]/g, '').replace(/[^a-z0-9]+/g, '-'), MAX_SLUG_LENGTH);
  return slug === '' ? otherwise : slug;
}

/** Returns the slug, or the first of `…-2`, `…-3` that is not taken. */
export function findFreeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  for (let n = 1; ; n += 1) {
    const end = n === 1 ? '' : `-${n}`;
    const candidate = joined(slug, MAX_SLUG_LENGTH - end.length) + end;
    if (!isTaken(candidate)) return candidate;
  }
}

const joined = (text: string, maxLength: number): string =>
  trimCharactersEnd(text.replace(/^-+/, '').slice(0, maxLength), /-/);
