import { trimCharacters, trimCharactersEnd } from '../../../../../lib/trim-characters.ts';

/** The types of questions that a pasted text can have. */
export const PASTED_TYPES = [
  'single_choice',
  'multiple_choice',
  'dropdown',
  'ranking',
  'constant_sum',
  'matrix',
  'text',
  'number',
  'scale',
  'nps',
  'slider',
  'date',
  'statement',
] as const;
export type PastedType = (typeof PASTED_TYPES)[number];

export interface NumberRange {
  min: number;
  max: number;
}

export interface PastedPoint {
  point: number;
  label: string;
}

/** What a hint such as "(Select up to 3)" says about its question. */
export interface Hint {
  type?: PastedType;
  maxSelections?: number;
  range?: NumberRange;
  points?: PastedPoint[];
  options?: string[];
  isRequired?: boolean;
}

const MAX_INLINE_OPTIONS = 8;
const LINE_TO_WRITE_ON = '___';

const SEVERAL =
  /\b(?:select|choose|tick|check|mark|pick)\b[^.?!]*\b(?:all|any|several|multiple)\b|\bmultiple (?:answers|choice|responses)\b|\ball that apply\b/i;
const AT_MOST = /\b(?:up to|at most|max(?:imum)?(?: of)?|no more than) (\d{1,2}|two|three|four|five)\b/i;
const ONE =
  /^(?:please )?(?:select|choose|tick|check|pick|mark)(?: only| just)? one(?: answer| option| only)?$|^(?:single|one) (?:answer|choice|response)(?: only)?$/i;
const RANK = /^(?:please )?(?:rank|put .{1,60} in order)\b|^ranking$/i;
const NUMBERS_IN_WORDS = new Map([
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
]);

/** Hints that are a name of a type. */
const TYPE_NAMES = new Map<string, PastedType>([
  ['open', 'text'],
  ['open-ended', 'text'],
  ['open ended', 'text'],
  ['open text', 'text'],
  ['free text', 'text'],
  ['text', 'text'],
  ['number', 'number'],
  ['numeric', 'number'],
  ['whole number', 'number'],
  ['date', 'date'],
  ['slider', 'slider'],
  ['scale', 'scale'],
  ['rating', 'scale'],
  ['nps', 'nps'],
  ['dropdown', 'dropdown'],
  ['drop-down', 'dropdown'],
  ['matrix', 'matrix'],
  ['grid', 'matrix'],
  ['table', 'matrix'],
]);

const RANGE =
  /^(?:(slider|scale|rating|rate)\b[ ,:]*)?(?:of |from )?(-?\d{1,4}) ?(?:to|-|–|—|…|\.{2,3}) ?(\d{1,4})(?: (slider|scale|points?|stars?|%))?$/i;

/** The range in "0-10", "slider 0 to 100" or "scale of 1 to 7"; null: none. */
function readRange(text: string): { range: NumberRange; isSlider: boolean } | null {
  const found = RANGE.exec(text.trim());
  if (found === null) return null;
  const range = { min: Number(found[2]), max: Number(found[3]) };
  const names = [found[1], found[4]].map((name) => name?.toLowerCase());
  return range.max > range.min ? { range, isSlider: names.includes('slider') } : null;
}

/** The labels in "1 = Very bad … 5 = Very good" or "1 - hard, 5 - easy", at least two, in ascending order; null: none. */
export function readPoints(text: string): PastedPoint[] | null {
  const marks = [...text.matchAll(/(?<![\d.,])(-?\d{1,3})(?: ?= ?| [-–—] (?=\D))/g)];
  if (marks.length < 2 || trimCharacters(text.slice(0, marks[0]?.index ?? 0), /[\s(:–-]/) !== '') return null;
  const points = marks.map((mark, index) => ({
    point: Number(mark[1]),
    label: trimCharacters(
      text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length),
      /[\s,;…./()|–-]/,
    ),
  }));
  const isAscending = points.every(
    ({ point, label }, index) => label !== '' && (index === 0 || point > (points[index - 1]?.point ?? point)),
  );
  return isAscending ? points : null;
}

/** The options in "Yes / No"; null: the text is no such list. */
export function readInlineOptions(text: string): string[] | null {
  const isSpaced = text.includes(' / ');
  const parts = (
    isSpaced ? text.split(' / ') : /^yes\/no(?:\/[\w' ]{1,20})?$/i.test(text) ? text.split('/') : []
  ).map((part) => part.trim());
  return parts.length >= 2 &&
    parts.length <= MAX_INLINE_OPTIONS &&
    parts.every((part) => part !== '' && part.length <= 60)
    ? parts
    : null;
}

/** What the words in brackets, or at the end of a question, say; null: they are part of its text. */
function readHint(content: string): Hint | null {
  const text = trimCharacters(content, /[\s.]/);
  const name = TYPE_NAMES.get(text.toLowerCase());
  if (name !== undefined) return { type: name };
  const points = readPoints(text);
  if (points !== null) return { type: 'scale', points };
  const range = readRange(text);
  if (range !== null) return { range: range.range, ...(range.isSlider ? { type: 'slider' as const } : {}) };
  const most = AT_MOST.exec(text)?.[1]?.toLowerCase();
  if (most !== undefined) {
    const maxSelections = NUMBERS_IN_WORDS.get(most) ?? Number(most);
    return maxSelections === 1 ? { type: 'single_choice' } : { type: 'multiple_choice', maxSelections };
  }
  if (SEVERAL.test(text)) return { type: 'multiple_choice' };
  if (ONE.test(text)) return { type: 'single_choice' };
  if (RANK.test(text)) return { type: 'ranking' };
  if (/^(?:required|mandatory)$/i.test(text)) return { isRequired: true };
  if (/^optional$/i.test(text)) return { isRequired: false };
  const options = readInlineOptions(text);
  return options === null ? null : { options };
}

/**
 * Splits a question into its text and what the hints at its end say: brackets, an asterisk, a line to write on, "Yes / No", labels of points or
 * "Tick all that apply".
 */
export function readQuestionText(content: string): { text: string; hint: Hint } {
  let text = content.trim();
  let hint: Hint = {};
  for (;;) {
    const end = text.at(-1);
    if (end === '*' && text.length > 1) {
      text = text.slice(0, -1).trimEnd();
      hint = { ...hint, isRequired: true };
      continue;
    }
    if (text.endsWith(LINE_TO_WRITE_ON) && trimCharactersEnd(text, /[_\s]/) !== '') {
      text = trimCharactersEnd(text, /[_\s]/);
      hint = { type: 'text', ...hint };
      continue;
    }
    const start = end === ')' ? text.lastIndexOf('(') : end === ']' ? text.lastIndexOf('[') : -1;
    const found = start <= 0 ? null : readHint(text.slice(start + 1, -1));
    if (found === null) break;
    text = text.slice(0, start).trimEnd();
    hint = { ...found, ...hint };
  }
  const tail = readTail(text);
  return tail === null ? { text, hint } : { text: tail.text, hint: { ...tail.hint, ...hint } };
}

const INSTRUCTION = /^(?:please )?(?:select|choose|tick|check|mark|pick)\b/i;

/** "Do you own a car? Yes / No", "How was it? 1 = Bad … 5 = Good" and "Which do you like? Tick all that apply." */
function readTail(content: string): { text: string; hint: Hint } | null {
  const end = Math.max(content.lastIndexOf('? '), content.lastIndexOf(': '));
  if (end < 0) return null;
  const tail = content.slice(end + 2);
  const text = trimCharactersEnd(content.slice(0, end + 1), /:/);
  const instruction = INSTRUCTION.test(tail) ? readHint(tail) : null;
  if (instruction !== null) return { text, hint: instruction };
  const points = readPoints(tail);
  const options = points === null ? readInlineOptions(tail) : null;
  if (points === null && options === null) return null;
  return { text, hint: points === null ? { options: options ?? [] } : { type: 'scale', points } };
}
