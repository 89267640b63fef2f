import { trimCharacters, trimCharactersEnd } from '../../../../../lib/trim-characters.ts';
import type { Reason } from '../../question-types/no-answers.ts';
import type { QuestionType } from '../../question-types/question-type.ts';
import { listStudioTypes } from '../../question-types/registry.ts';

/** The types of questions that a pasted text can have: all that need no expression. */
export const PASTED_TYPES: readonly QuestionType[] = listStudioTypes()
  .filter(({ isCalculated }) => isCalculated !== true)
  .map(({ name }) => name);

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
  type?: QuestionType;
  maxSelections?: number;
  range?: NumberRange;
  points?: PastedPoint[];
  options?: string[];
  isRequired?: boolean;
}

const MAX_INLINE_OPTIONS = 8;
const MAX_COMMA_OPTIONS = 12;
const MAX_LABEL_CHARACTERS = 60;
const MAX_POINTS = 21;
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
const TYPE_NAMES = new Map<string, QuestionType>([
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

/** The scale in "Not at all 1 2 3 4 5 Extremely", with the labels of its ends; null: the text is none. */
export function readNumberLine(content: string): { range: NumberRange; points: PastedPoint[] } | null {
  const text = content.trim();
  const numbers = [...text.matchAll(/\d{1,3}/g)].map((match) => ({
    value: Number(match[0]),
    at: match.index,
  }));
  const [first] = numbers;
  const last = numbers.at(-1);
  if (first === undefined || last === undefined || numbers.length < 3 || numbers.length > MAX_POINTS)
    return null;
  const lowest = trimCharacters(text.slice(0, first.at), LABEL_EDGE);
  const highest = trimCharacters(text.slice(last.at + String(last.value).length), LABEL_EDGE);
  const isRow = numbers.every(({ value }, index) => value === first.value + index);
  const between = text.slice(first.at, last.at).replace(/[\d\s|,–—-]/g, '');
  const areLabels = [lowest, highest].every(
    (label) => label.length <= MAX_LABEL_CHARACTERS && !/[?]/.test(label),
  );
  if (!isRow || between !== '' || !areLabels) return null;
  return {
    range: { min: first.value, max: last.value },
    points: [
      { point: first.value, label: lowest },
      { point: last.value, label: highest },
    ].filter(({ label }) => label !== ''),
  };
}

const LABEL_EDGE = /[\s,;:…()|=–—-]/;

/** The options in "Yes / No" or "Yes | No"; null: the text is no such list. */
export function readInlineOptions(text: string): string[] | null {
  const separator = [' / ', ' | '].find((each) => text.includes(each));
  const parts = (
    separator !== undefined
      ? text.split(separator)
      : /^yes\/no(?:\/[\w' ]{1,20})?$/i.test(text)
        ? text.split('/')
        : []
  ).map((part) => part.trim());
  return parts.length >= 2 &&
    parts.length <= MAX_INLINE_OPTIONS &&
    parts.every((part) => part !== '' && part.length <= MAX_LABEL_CHARACTERS)
    ? parts
    : null;
}

/** The options in "Tea, Coffee, Milk" or "Tea, coffee or milk"; null: the text is a sentence. */
export function readCommaOptions(text: string): string[] | null {
  if (!text.includes(', ') || /[.?!:;]$/.test(text)) return null;
  const parts = text.split(/, +/).flatMap((part, index, all) => {
    const isLast = index === all.length - 1;
    return isLast ? part.replace(/^(?:or|and) /i, '').split(' or ') : [part];
  });
  const areShort = parts.every((part) => part.trim() !== '' && part.split(' ').length <= 4);
  return areShort && parts.length <= MAX_COMMA_OPTIONS ? parts.map((part) => part.trim()) : null;
}

/** Options that stand for no answer, by the reason. */
const REASONS_IN_WORDS: readonly [Reason, RegExp][] = [
  ['dont_know', /^(?:i )?(?:don['’]?t know|do not know|not sure|unsure|no opinion|can['’]t say)\b/i],
  ['refused', /^(?:i )?(?:(?:would )?(?:prefer|rather) not (?:to )?(?:say|answer)|no answer)\b/i],
  ['not_applicable', /^(?:not applicable|does(?:n['’]t| not) apply|n\/a)\b/i],
];

/** The reason that an option gives for no answer; null: it is an answer. */
export const reasonInWords = (label: string): Reason | null =>
  REASONS_IN_WORDS.find(([, words]) => words.test(label))?.[0] ?? null;

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
  if (points !== null) return { text, hint: { type: 'scale', points } };
  const numberLine = readNumberLine(tail);
  if (numberLine !== null) return { text, hint: numberLine };
  const options = readInlineOptions(tail) ?? readCapitalizedOptions(tail);
  return options === null ? null : { text, hint: { options } };
}

/** "Tea, Coffee, Milk" behind a question: each begins with a capital letter or a digit, unlike the parts of a sentence. */
function readCapitalizedOptions(tail: string): string[] | null {
  const options = readCommaOptions(tail);
  return options !== null && options.length >= 3 && options.every((option) => /^[\p{Lu}\d]/u.test(option))
    ? options
    : null;
}
