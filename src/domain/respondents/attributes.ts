import { quote, sizeAtMost } from '../../lib/error-messages.ts';

export type AttributeValue = string | number | boolean;
/** Additional data of a respondent, besides the standard fields. Not nested. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

export const MAX_ATTRIBUTES = 100;
const MAX_NAME_CHARACTERS = 60;
const MAX_TEXT_CHARACTERS = 1_000;
/** For one respondent, as JSON, so that a list of 100,000 respondents can be processed. */
const MAX_ALL_CHARACTERS = 20_000;

/** Letters and digits of any script; excludes characters that delimit a name in templates, such as `{`, `:` or a final dot. */
const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_ .-]*[\p{L}\p{M}\p{N}_])?$/u;
/** Not allowed, because the texts are used in emails and could start another line or header. */
const LINE_OR_CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** A number that converts to the same text again: not 007 or 1e5, and no number that would lose digits. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/;

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const RESERVED_NAMES = new Set(['respondent_id', 'email', 'name', 'external_id', 'language', 'opted_out']);

/** Returns why a text cannot be used as a single line; null if it can. */
export function lineProblem(text: string): string | null {
  if (LINE_OR_CONTROL.test(text)) return 'must not contain control characters such as line breaks';
  return text.isWellFormed() ? null : 'contains a lone surrogate, which is not a character';
}

/** Returns why a name is invalid for an attribute; null if it is valid. */
export function attributeNameProblem(name: string): string | null {
  if (PROTOTYPE_KEYS.has(name)) return 'is not an attribute name';
  if (RESERVED_NAMES.has(name.toLowerCase())) return 'is a field of its own, and no attribute';
  if (name.length > MAX_NAME_CHARACTERS)
    return `is longer than the ${MAX_NAME_CHARACTERS} characters of an attribute's name`;
  return NAME.test(name)
    ? null
    : 'is not an attribute name; accepted: letters and digits, with spaces, _, . and - between them';
}

/** Returns why a value is invalid for an attribute; null if it is valid. */
export function attributeValueProblem(value: unknown): string | null {
  if (typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'must be a finite number';
  if (typeof value !== 'string') return `must be a text, a number or true or false, but is ${quote(value)}`;
  if (value.length > MAX_TEXT_CHARACTERS) return sizeAtMost(MAX_TEXT_CHARACTERS, 'character', value.length);
  return lineProblem(value);
}

/** Returns why the attributes are invalid together; null if they are valid. */
export function attributesProblem(attributes: Readonly<Record<string, unknown>>): string | null {
  const count = Object.keys(attributes).length;
  if (count > MAX_ATTRIBUTES) return `has ${count} attributes; at most ${MAX_ATTRIBUTES} are kept`;
  const characters = JSON.stringify(attributes).length;
  return characters > MAX_ALL_CHARACTERS
    ? `takes ${characters} characters as JSON; at most ${MAX_ALL_CHARACTERS} are kept`
    : null;
}

/**
 * Converts a cell of a file to an attribute value. Texts that are plain numbers, `true` or `false` are converted, so that CSV and XLSX give
 * the same values. Texts that would not convert back exactly (007, +49…, 1e5), and formulas, stay texts.
 */
export function parseAttributeCell(cell: string | number): AttributeValue {
  if (typeof cell === 'number') return cell;
  const text = cell.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  return PLAIN_NUMBER.test(text) && String(Number(text)) === text ? Number(text) : text;
}

export function hasSameAttributes(a: Attributes, b: Attributes): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
  );
}
