/**
 * The wording of errors: one function per kind of error. A function that returns a text returns the message for a field, which follows the
 * field's name: `limit: must be at most 500, not 501`. A message that names its subject itself starts with the value or with its kind.
 */
import { type AppError, forbidden, invalid, notFound, tooLarge } from './errors.ts';
import { truncateText } from './truncate-text.ts';

const MAX_CHARACTERS = 60;

/** Formats a client's value for an error message: of limited length, on one line, without control characters. */
export function quote(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > MAX_CHARACTERS ? `${truncateText(value, MAX_CHARACTERS)}…` : value);
  }
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** What the client can send instead. */
interface Alternatives {
  /** Accepted values that resemble the given one, most similar first. */
  similar?: readonly string[];
  /** The accepted values, formatted as a list. */
  accepted?: string | undefined;
}

/** `; did you mean "Q1"?`, `; accepted: a, b`, or both; empty without alternatives. */
export function formatAlternatives({ similar = [], accepted }: Alternatives): string {
  if (similar.length === 0) return accepted === undefined ? '' : `; accepted: ${accepted}`;
  const question = `; did you mean ${similar.map(quote).join(' or ')}?`;
  return accepted === undefined ? question : `${question} Accepted: ${accepted}`;
}

/** The value is not one of a fixed set: `"single" is not a question type; did you mean "single_choice"?`. `kind` includes its article. */
export function unknownValue(value: unknown, kind: string, alternatives: Alternatives = {}): string {
  return `${quote(value)} is not ${kind}${formatAlternatives(alternatives)}`;
}

/** `a row`, `an item`: a noun with its article, by its first letter. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** The request refers to an object that does not exist: `question 7 does not exist in this survey`. */
export function unknownObject({
  kind,
  idOrCode,
  scope = '',
  alternatives = {},
}: {
  kind: string;
  idOrCode: unknown;
  scope?: string | undefined;
  alternatives?: Alternatives | undefined;
}): string {
  return `${kind} ${quote(idOrCode)} does not exist${scope === '' ? '' : ` ${scope}`}${formatAlternatives(alternatives)}`;
}

/** 404 for a code in the path: `No such column: "AGE2"; did you mean "AGE"?`. */
export function noSuchObject(kind: string, code: string, similar: readonly string[] = []): AppError {
  return notFound(`${kind}: ${quote(code)}${formatAlternatives({ similar })}`);
}

/** Has the same text for missing and invisible objects, so that clients cannot distinguish them. */
export function unknownOrHiddenObject(kind: string, id: number): string {
  return `${unknownObject({ kind, idOrCode: id })}, or you cannot view it`;
}

/** `name`: for a field whose path does not include its name. */
export function unknownField(name?: string, accepted?: string): string {
  return `${name === undefined ? '' : `${quote(name)} `}is not a known field${formatAlternatives({ accepted })}`;
}

/** `condition`: such as `unless filter is given` or `with set_status`. */
export function requiredField(condition = ''): string {
  return condition === '' ? 'is required' : `is required ${condition}`;
}

/** The value has the wrong type, form or range: `must be a number, not "abc"`. An undefined value is a missing one. */
export function mustBe(expected: string, given: unknown): string {
  return given === undefined ? requiredField() : `must be ${expected}, not ${quote(given)}`;
}

/** `1 option`, `2 options`. */
export function formatCount(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : many}`;
}

const butHas = (given: number | undefined): string => (given === undefined ? '' : `, not ${given}`);

/** A text or a list is too short: `must have at least 2 options, not 1`. `unit`: in the singular. */
export function sizeAtLeast(min: number, unit: string, given?: number): string {
  return min === 1 && given === 0
    ? 'must not be empty'
    : `must have at least ${formatCount(min, unit)}${butHas(given)}`;
}

/** A text or a list is too long: `must have at most 3 options, not 4`. `unit`: in the singular. */
export function sizeAtMost(max: number, unit: string, given?: number): string {
  return `must have at most ${formatCount(max, unit)}${butHas(given)}`;
}

/** The object has the maximum number of parts: `A survey can have at most 200 pages`. */
export function limitReached({
  owner,
  max,
  unit,
  units = `${unit}s`,
}: {
  owner: string;
  max: number;
  unit: string;
  units?: string | undefined;
}): string {
  return `${owner} can have at most ${formatCount(max, unit, units)}`;
}

const MEGABYTE = 1024 * 1024;

/** `1 MB`, `0.25 MB`: a limit of bytes, which counts in powers of two or of ten. */
export function formatMegabytes(bytes: number): string {
  const unit = bytes % (MEGABYTE / 4) === 0 ? MEGABYTE : 1_000_000;
  return `${Math.floor((100 * bytes) / unit) / 100} MB`;
}

export function fileTooLarge(field: string, maxMegabytes: number): AppError {
  return tooLarge(`${field}: must be at most ${maxMegabytes} MB`);
}

/** The value repeats an earlier one in the request: `"3" is a duplicate of options[1]`. */
export function duplicateOf(earlier: string, value?: unknown): string {
  return `${value === undefined ? '' : `${quote(value)} `}is a duplicate of ${earlier}`;
}

/** A list contains an item more than once: `page 2 is listed more than once`. */
export function duplicateItem(item: string): string {
  return `${item} is listed more than once`;
}

/** A code that must be unique belongs to another object: `"Q1" is already used by another question of this survey`. */
export function alreadyUsed(value: unknown, owner: string): string {
  return `${value === undefined ? 'this value' : quote(value)} is already used by ${owner}`;
}

/** The field is allowed, but not together with another one. */
export function notAllowedWith(other: string): string {
  return `cannot be used with ${other}`;
}

/** Two parameters of one request exclude each other. */
export function mutuallyExclusive(field: string, other: string): AppError {
  return invalid(field, notAllowedWith(other));
}

/** The field is not allowed for this kind of object. `reason` follows a colon. */
export function notAllowedFor(object: string, reason = ''): string {
  return `is not allowed for ${object}${reason === '' ? '' : `: ${reason}`}`;
}

/** The field is only allowed in another case: `is only allowed for a date`. `condition` starts with a preposition. */
export function onlyAllowed(condition: string): string {
  return `is only allowed ${condition}`;
}

/** The field has a final value. */
export function cannotChange(reason: string): string {
  return `cannot be changed: ${reason}`;
}

/** Two fields of one request contradict each other: `position: is 3, but slide_order is 2`. */
export function contradictingFields(field: string, given: unknown, other: string): AppError {
  return invalid(field, `is ${quote(given)}, but ${other}`);
}

/** The same id is given in the body and in the query, with different values. */
export function contradictingWorkspaceIds(inBody: number, inQuery: number): AppError {
  return contradictingFields('workspace_id', inBody, `the query has ${inQuery}`);
}

/** The caller's role does not permit the operation: `Only an admin can change user_type`. */
export function onlyPermittedTo(role: string, action: string): AppError {
  return forbidden(`Only ${role} can ${action}`);
}

/** Another request or process changed the object: `The column changed during the operation; try again`. */
export function concurrentChange(subject: string): string {
  return `${subject} changed during the operation; try again`;
}

/** The server does not process more of these at the same time. */
export function tooManyConcurrent(operations: string): string {
  return `Too many ${operations} at once; try again`;
}

/** A cursor that no reply of this list returned, or whose item is gone. */
export function invalidCursor(): AppError {
  return invalid('cursor', 'does not belong to this list; start again without it');
}

/** Longer texts are not compared. */
const MAX_COMPARED_CHARACTERS = 60;
const MAX_COMPARED_CODES = 5_000;

/** Rows of `editDistance`, which are used again for each pair. Infinity stands left and right of the band. */
let [previous, current] = [0, 1].map(() => new Float64Array(MAX_COMPARED_CHARACTERS + 5)) as [
  Float64Array,
  Float64Array,
];

/** Returns the Levenshtein distance of two texts, or Infinity if it exceeds `limit`. Takes time in proportion to length and limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  for (let column = 0; column <= b.length; column += 1) previous[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    // Outside this band every distance exceeds the limit.
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    const code = a.charCodeAt(row - 1);
    let left = from === 1 ? row : Infinity;
    let least = left;
    current[from - 1] = left;
    for (let column = from; column <= to; column += 1) {
      const substituted = (previous[column - 1] ?? Infinity) + (code === b.charCodeAt(column - 1) ? 0 : 1);
      left = Math.min(substituted, (previous[column] ?? Infinity) + 1, left + 1);
      current[column] = left;
      if (left < least) least = left;
    }
    if (least > limit) return Infinity;
    current[to + 1] = Infinity;
    [previous, current] = [current, previous];
  }
  return previous[b.length] ?? Infinity;
}

/**
 * Returns up to three of `codes` similar to `code`, most similar first, ignoring case. None for a code of more than 60 characters; at most
 * 5,000 codes are compared.
 */
export function findSimilar(code: string, codes: Iterable<string>): string[] {
  if (code.length > MAX_COMPARED_CHARACTERS) return [];
  const wanted = code.toLowerCase();
  const limit = Math.max(1, Math.min(3, Math.floor(wanted.length / 3)));
  const similar: { candidate: string; distance: number }[] = [];
  let compared = 0;
  for (const candidate of codes) {
    if ((compared += 1) > MAX_COMPARED_CODES) break;
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit) similar.push({ candidate, distance });
  }
  similar.sort((a, b) => a.distance - b.distance);
  return similar.slice(0, 3).map(({ candidate }) => candidate);
}

/** Formats the first items for a message, with the number of the others: `"a", "b" and 3 more`. */
export function formatList<Item>(
  items: readonly Item[],
  most: number,
  format: (item: Item) => string,
): string {
  const more = items.length - most;
  return items.slice(0, most).map(format).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
