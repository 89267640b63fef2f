import { quote } from '../../lib/quote.ts';

export type AttributeValue = string | number | boolean;
/** What is known of a respondent besides the fields that everybody has; flat. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

export const MAX_ATTRIBUTES = 100;
const MAX_NAME_CHARACTERS = 60;
const MAX_TEXT_CHARACTERS = 1_000;
/** Of one respondent, as JSON: a list of 100,000 people must stay readable. */
const MAX_ALL_CHARACTERS = 20_000;

/** Letters and digits of any script; none of what surrounds a name where it is used, such as `{`, `:` or a dot at its end. */
const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_ .-]*[\p{L}\p{M}\p{N}_])?$/u;
/** Texts go into mails: nothing that could begin another line or header. */
const LINE_OR_CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** A number that reads the same when it is written again; not 007, not 1e5, nothing that would lose digits. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/;

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const RESERVED_NAMES = new Set(['respondent_id', 'email', 'name', 'external_id', 'language', 'opted_out']);

/** What is wrong with a text that is to stand in one line; null: nothing. */
export function lineProblem(text: string): string | null {
  if (LINE_OR_CONTROL.test(text)) return 'must not contain control characters such as line breaks';
  return text.isWellFormed() ? null : 'contains a lone surrogate, which is not a character';
}

/** What is wrong with the name of an attribute; null: nothing. */
export function attributeNameProblem(name: string): string | null {
  if (PROTOTYPE_KEYS.has(name)) return 'is no name that an attribute can have';
  if (RESERVED_NAMES.has(name.toLowerCase())) return 'is a field of its own, and no attribute';
  if (name.length > MAX_NAME_CHARACTERS)
    return `is longer than the ${MAX_NAME_CHARACTERS} characters of an attribute's name`;
  return NAME.test(name)
    ? null
    : 'is no name of an attribute: letters and digits, and between them spaces, _, . and -';
}

/** What is wrong with the value of an attribute; null: nothing. */
export function attributeValueProblem(value: unknown): string | null {
  if (typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'must be a finite number';
  if (typeof value !== 'string') return `must be a text, a number or true or false, but is ${quote(value)}`;
  if (value.length > MAX_TEXT_CHARACTERS) return `takes at most ${MAX_TEXT_CHARACTERS} characters`;
  return lineProblem(value);
}

/** What is wrong with all of them together; null: nothing. */
export function attributesProblem(attributes: Readonly<Record<string, unknown>>): string | null {
  const count = Object.keys(attributes).length;
  if (count > MAX_ATTRIBUTES) return `has ${count} attributes; at most ${MAX_ATTRIBUTES} are kept`;
  const characters = JSON.stringify(attributes).length;
  return characters > MAX_ALL_CHARACTERS
    ? `takes ${characters} characters as JSON; at most ${MAX_ALL_CHARACTERS} are kept`
    : null;
}

/**
 * A cell of a file as an attribute. Texts that are plain numbers, `true` and `false` become what they say, and so CSV and XLSX the same;
 * what would read otherwise when it is written again (007, +49…, 1e5) stays a text, and so does what looks like a formula.
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
