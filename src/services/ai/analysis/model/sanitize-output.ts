import { cleanText } from '../../../../providers/language/clean-text.ts';

/** What a model wrote, on one line, at most so many characters (UTF-16). */
export const sanitizeLine = (text: string, mostCharacters: number): string =>
  truncate(cleanText(text).replace(/\s+/g, ' ').trim(), mostCharacters);

/** The same with its paragraphs. */
export const sanitizeParagraphs = (text: string, mostCharacters: number): string =>
  truncate(cleanText(text).trim(), mostCharacters);

/** A share that a model named: from 0 to 1, in hundredths. */
export const clampConfidence = (told: number): number =>
  Math.round(Math.min(Math.max(told, 0), 1) * 100) / 100;

/** The beginning of a text, for a model that needs no more of it. */
export const truncate = (text: string, mostCharacters: number): string =>
  text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters - 1).toWellFormed()}…`;
