import { cleanText } from '../../../../providers/language/clean-text.ts';

/** Model output on a single line, at most `mostCharacters` UTF-16 code units. */
export const sanitizeLine = (text: string, mostCharacters: number): string =>
  truncate(cleanText(text).replace(/\s+/g, ' ').trim(), mostCharacters);

/** Model output with its paragraphs, truncated. */
export const sanitizeParagraphs = (text: string, mostCharacters: number): string =>
  truncate(cleanText(text).trim(), mostCharacters);

/** A confidence from a model, limited to 0 to 1 and rounded to hundredths. */
export const clampConfidence = (result: number): number =>
  Math.round(Math.min(Math.max(result, 0), 1) * 100) / 100;

/** Truncates a text that is sent to a model. */
export const truncate = (text: string, mostCharacters: number): string =>
  text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters - 1).toWellFormed()}…`;
