import { COMMON_PASSWORD_LIST } from './common-password-list.ts';

const COMMON = new Set(COMMON_PASSWORD_LIST.split(/\s+/).filter(Boolean));

/** Rows of keyboards and alphabets, along which people type passwords such as `qwertzui` or `87654321`. */
const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qay2wsx3edc4rfv5tgb6zhn7ujm',
  'q1w2e3r4t5y6u7i8o9p0',
].flatMap((row) => [row, reversed(row)]);

/** Characters that people write instead of letters. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const MIN_WORD_CHARACTERS = 4;
const MIN_DISTINCT_CHARACTERS = 4;
const MAX_REPEATED_CHARACTERS = 4;
/** Passwords of this length are judged only by exact lists and names: a sentence that contains a common word is a good password. */
const LONG_PASSWORD_CHARACTERS = 16;

/**
 * Whether a password is one of those that are guessed first: a common one (also with digits or signs around it, or with digits instead of
 * letters), fewer than four different characters, a repeated piece, a row of the keyboard, or made of `personal` words (address, name).
 */
export function isCommonPassword(password: string, personal: readonly string[] = []): boolean {
  const text = password.normalize('NFKC').trim().toLowerCase();
  const characters = [...text];
  if (new Set(characters).size < MIN_DISTINCT_CHARACTERS || isRepeated(characters)) return true;
  if (ROWS.some((row) => row.includes(text))) return true;
  const names = new Set(personal.flatMap(personalWords));
  const core = trimEnds(characters);
  const spellings = [text, core].flatMap((word) => [word, withLetters(word)]);
  const isListed = (word: string): boolean =>
    COMMON.has(word) || names.has(word) || ROWS.some((row) => word !== '' && row.includes(word));
  if (spellings.some((word) => names.has(word) || COMMON.has(word))) return true;
  if (characters.length >= LONG_PASSWORD_CHARACTERS) return false;
  // Only digits and signs remain around a short word or row, such as in "qwer2024!".
  return (
    core.length < text.length && (core.length < MIN_WORD_CHARACTERS || spellings.slice(2).some(isListed))
  );
}

/** The parts of an address or a name, each long enough to be recognized. */
function personalWords(value: string): string[] {
  const text = value.normalize('NFKC').trim().toLowerCase();
  const parts = text.split(/[\s@._+-]+/);
  return [text, text.replace(/\s/g, ''), text.split('@')[0] ?? '', ...parts].filter(
    (word) => word.length >= MIN_WORD_CHARACTERS,
  );
}

/** Without digits and signs at both ends. */
function trimEnds(characters: readonly string[]): string {
  const isLetter = (character: string) => /\p{L}/u.test(character);
  const first = characters.findIndex(isLetter);
  return first < 0 ? '' : characters.slice(first, characters.findLastIndex(isLetter) + 1).join('');
}

const withLetters = (word: string): string =>
  [...word].map((character) => SUBSTITUTES[character] ?? character).join('');

/** Whether the text is one short piece again and again, such as "abcabcabc". */
function isRepeated(characters: readonly string[]): boolean {
  for (let length = 1; length <= Math.min(MAX_REPEATED_CHARACTERS, characters.length / 2); length += 1)
    if (characters.every((character, index) => character === characters[index % length])) return true;
  return false;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}
