import type { z } from 'zod';
import { formatCount, quote, requiredField, unknownField } from './error-messages.ts';
import { type ErrorDetail, MAX_PROBLEMS } from './errors.ts';

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['bigint', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['tuple', 'a list'],
  ['set', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['map', 'an object'],
  ['date', 'a date'],
  ['file', 'a file'],
  ['null', 'null'],
  ['nan', 'NaN'],
]);

const FORMAT_NAMES: ReadonlyMap<string, string> = new Map([
  ['email', 'an email address such as ada@example.org'],
  ['url', 'a web address such as https://www.example.org'],
  ['httpurl', 'a web address such as https://www.example.org'],
  ['uuid', 'a UUID such as 123e4567-e89b-42d3-a456-426614174000'],
  ['guid', 'a UUID such as 123e4567-e89b-42d3-a456-426614174000'],
  ['datetime', 'an ISO 8601 time such as 2026-03-01T09:30:00Z'],
  ['date', 'a date such as 2026-03-01'],
  ['time', 'a time of day such as 09:30:00'],
  ['duration', 'an ISO 8601 duration such as P1DT12H'],
  ['ipv4', 'an IPv4 address such as 192.0.2.1'],
  ['ipv6', 'an IPv6 address such as 2001:db8::1'],
  ['cidrv4', 'a range of IPv4 addresses such as 192.0.2.0/24'],
  ['cidrv6', 'a range of IPv6 addresses such as 2001:db8::/32'],
  ['base64', 'a Base64 string'],
  ['base64url', 'a URL-safe Base64 string (RFC 4648, section 5)'],
  ['e164', 'a telephone number such as +49301234567'],
  ['json_string', 'JSON'],
  ['jwt', 'a JSON Web Token'],
  ['hostname', 'a host name such as www.example.org'],
  ['hex', 'hexadecimal digits'],
  ['emoji', 'an emoji'],
  ['lowercase', 'in lower case'],
  ['uppercase', 'in upper case'],
]);

/** The name of a type in messages, such as `a text` or `a whole number`; defaults to zod's name. */
function typeName(type: string): string {
  return TYPE_NAMES.get(type) ?? type;
}

/** The name of a format with an example; undefined for formats whose description needs parameters. */
function formatName(format: string): string | undefined {
  return FORMAT_NAMES.get(format) ?? (/^uuidv\d$/.test(format) ? FORMAT_NAMES.get('uuid') : undefined);
}

/** Whether a number schema allows only whole numbers. */
function takesWholeNumbers(schema: unknown): boolean {
  const def = (schema as z.core.$ZodNumber | undefined)?._zod.def;
  const formats = [def, ...(def?.checks ?? []).map((check) => check._zod.def)].map((part) =>
    part !== undefined && 'format' in part ? part.format : null,
  );
  return formats.some((format) => typeof format === 'string' && format.includes('int'));
}

/** The distinct names of the alternatives of a schema: `a text`, `a list`, `"missing"`. */
function formNames(schema: unknown): string[] {
  return [...new Set(namesOf(schema as z.core.$ZodTypes | undefined))];
}

function namesOf(schema: z.core.$ZodTypes | undefined): string[] {
  if (schema === undefined) return [];
  const { def } = schema._zod;
  switch (def.type) {
    case 'union':
      return def.options.flatMap((option) => namesOf(option as z.core.$ZodTypes));
    case 'literal':
      return def.values.map((value) => quote(value));
    case 'enum':
      return Object.values(def.entries).map((value) => quote(value));
    case 'boolean':
      return ['true', 'false'];
    case 'number':
      return [typeName(takesWholeNumbers(schema) ? 'int' : 'number')];
    case 'string': {
      const format = 'format' in def && typeof def.format === 'string' ? def.format : '';
      return [formatName(format) ?? typeName('string')];
    }
    case 'nullable':
      return [...namesOf(def.innerType as z.core.$ZodTypes), 'null'];
    case 'optional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      return namesOf(def.innerType as z.core.$ZodTypes);
    case 'pipe':
      return namesOf(def.in as z.core.$ZodTypes);
    // A lazy schema can be recursive.
    case 'lazy':
    case 'any':
    case 'unknown':
    case 'never':
    case 'custom':
    case 'transform':
      return [];
    default:
      return [typeName(def.type)];
  }
}

type RawIssue = z.core.$ZodRawIssue;
type Raw<Code extends RawIssue['code']> = Extract<RawIssue, { code: Code }>;

const MAX_LISTED = 40;

const UNITS: ReadonlyMap<string, readonly [one: string, many: string]> = new Map([
  ['string', ['character', 'characters']],
  ['array', ['item', 'items']],
  ['set', ['item', 'items']],
  ['map', ['entry', 'entries']],
  ['file', ['byte', 'bytes']],
]);

/**
 * The message for a zod issue: what is accepted, and the given value. Passed to `safeParse` as `error`; a message defined in the schema
 * takes precedence.
 */
export function schemaWording(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeWording(issue);
    case 'invalid_value':
      return isAbsent(issue) ? requiredField() : `must be ${oneOf(issue.values)}${butIs(issue)}`;
    case 'too_small':
      return boundWording(issue, issue.minimum, ['at least', 'more than']);
    case 'too_big':
      return boundWording(issue, issue.maximum, ['at most', 'less than']);
    case 'invalid_format':
      return `must ${formatDemand(issue)}${butIs(issue)}`;
    case 'not_multiple_of':
      return `must be ${issue.divisor === 1 ? 'a whole number' : `a multiple of ${issue.divisor}`}${butIs(issue)}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, MAX_LISTED).map(quote).join(', ')}`;
    case 'invalid_union':
      return unionWording(issue);
    case 'invalid_key':
      return keyWording(issue.input, issue.issues[0]?.message);
    case 'invalid_element':
      return `has an entry, ${quote(issue.key)}, that ${issue.issues[0]?.message ?? 'is not allowed'}`;
    default:
      return isAbsent(issue) ? requiredField() : 'is not an allowed value' + given(issue, ': ');
  }
}

/** The message for an invalid key of a record. */
function keyWording(key: unknown, message = 'is not an allowed name'): string {
  const shown = quote(key);
  return message.includes(shown) ? `the name ${message}` : `${shown} ${message}`;
}

/** Whether a field may hold a secret, which must not be repeated in a reply or a log. */
function isSecret(path: readonly PropertyKey[]): boolean {
  return path.some((part) => typeof part === 'string' && SECRET.test(part));
}

const SECRET = /passw|passphrase|token|secret|credential|authori[sz]ation|(?:^|_|api)keys?(?:_|$)/i;

function isAbsent(issue: { input?: unknown }): boolean {
  return issue.input === undefined;
}

function given(issue: RawIssue, before: string): string {
  if (isSecret(issue.path ?? [])) return '';
  const { input } = issue;
  return (
    before + quote(input instanceof Date && !Number.isNaN(input.getTime()) ? input.toISOString() : input)
  );
}

const butIs = (issue: RawIssue): string => given(issue, ', not ');

function typeWording(issue: Raw<'invalid_type'>): string {
  const { expected, input } = issue;
  if (isAbsent(issue)) return requiredField();
  if (expected === 'never' || expected === 'undefined') return 'is not allowed here';
  if (expected !== 'number') return `must be ${typeName(expected)}${butIs(issue)}`;
  if (input === Infinity || input === -Infinity) return `must be a finite number${butIs(issue)}`;
  return `must be ${typeName(takesWholeNumbers(issue.inst) ? 'int' : 'number')}${butIs(issue)}`;
}

/** `"a" or "b"`; three or more as `one of a, b, c`, without quotes if all are plain words. */
function oneOf(values: readonly unknown[]): string {
  if (values.length < 3) return values.map(quote).join(' or ');
  const areWords = values.every((value) => typeof value !== 'string' || /^[A-Za-z][\w.-]*$/.test(value));
  const listed = values.slice(0, MAX_LISTED).map((value) => (areWords ? String(value) : quote(value)));
  return `one of ${listed.join(', ')}${values.length > MAX_LISTED ? ', …' : ''}`;
}

function boundWording(
  issue: Raw<'too_small' | 'too_big'>,
  bound: number | bigint,
  [inclusive, exclusive]: readonly [string, string],
): string {
  const units = UNITS.get(issue.origin);
  if (units !== undefined) {
    const size = isSecret(issue.path ?? []) ? null : sizeOf(issue.input);
    if (size === 0 && Number(bound) === 1 && issue.code === 'too_small') return 'must not be empty';
    const relation = issue.exact === true ? 'exactly' : issue.inclusive === false ? exclusive : inclusive;
    return `must have ${relation} ${formatCount(bound, ...units)}${size === null ? '' : `, not ${size}`}`;
  }
  const limit = issue.origin === 'date' ? new Date(Number(bound)).toISOString() : bound;
  return `must be ${issue.inclusive === false ? exclusive : inclusive} ${limit}${butIs(issue)}`;
}

function sizeOf(input: unknown): number | null {
  if (typeof input === 'string' || Array.isArray(input)) return input.length;
  const size = typeof input === 'object' && input !== null && 'size' in input ? input.size : null;
  return typeof size === 'number' ? size : null;
}

function formatDemand(issue: Raw<'invalid_format'>): string {
  const { format, prefix, suffix, includes, pattern } = issue as Record<string, unknown>;
  switch (format) {
    case 'starts_with':
      return `begin with ${quote(prefix)}`;
    case 'ends_with':
      return `end with ${quote(suffix)}`;
    case 'includes':
      return `contain ${quote(includes)}`;
    case 'regex':
      return typeof pattern === 'string' ? `match ${pattern.slice(0, 200)}` : 'have the required form';
    default:
      return `be ${formatName(String(format)) ?? `of the form ${String(format)}`}`;
  }
}

function unionWording(issue: Raw<'invalid_union'>): string {
  if (isAbsent(issue)) return requiredField();
  if (issue.discriminator !== undefined && Array.isArray(issue.options)) {
    const object = new Map(Object.entries(issue.input as object));
    const input: unknown = object.get(issue.discriminator);
    if (input === undefined) return requiredField();
    return `must be ${oneOf(issue.options)}${butIs({ ...issue, input })}`;
  }
  if (issue.inclusive === false) return 'matches more than one of the accepted forms' + given(issue, ': ');
  const nearest = nearestForm(issue.errors)?.find(({ path }) => path.length === 0);
  // The message of a nested issue was created without knowing that the whole value is secret.
  if (nearest !== undefined)
    return isSecret(issue.path ?? []) ? 'does not have an accepted form' : nearest.message;
  const names = formNames(issue.inst);
  const last = names.at(-1);
  if (last === undefined) return 'does not have an accepted form' + given(issue, ': ');
  return `must be ${names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last}${butIs(issue)}`;
}

type Issue = z.core.$ZodIssue;

const MAX_NAME_CHARACTERS = 60;

/** The first 100 problems of a zod error, each with its path (`options[2].option_value`); every unknown field is one problem. */
export function schemaProblems(error: z.ZodError, prefix = ''): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const issue of error.issues) {
    for (const { path, message } of problemsOf(issue, [])) {
      if (details.length === MAX_PROBLEMS) return details;
      details.push({ field: pathText(prefix, path), message });
    }
  }
  return details;
}

/** The number of all problems, without creating their messages. */
export function countProblems(error: z.ZodError): number {
  return error.issues.reduce((count, issue) => count + issueCount(issue), 0);
}

interface Problem {
  path: readonly PropertyKey[];
  message: string;
}

function problemsOf(issue: Issue, before: readonly PropertyKey[]): Problem[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, MAX_PROBLEMS)
      .map((key) => ({ path: [...path, key], message: unknownField() }));
  if (issue.code === 'invalid_key' && issue.origin === 'record')
    return [{ path, message: keyWording(path.at(-1), issue.issues[0]?.message) }];
  if (issue.code === 'invalid_union' && !isSecret(path)) {
    const problems = nearestForm(issue.errors)?.flatMap((inner) => problemsOf(inner, path)) ?? [];
    // For a problem of the whole value, the message of the schema takes precedence.
    if (problems.some((problem) => problem.path.length > path.length)) return problems;
  }
  return [{ path, message: issue.message }];
}

/** The path as text. Long names, which may come from the client, are shortened. */
function pathText(prefix: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = String(part);
    const shown = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
    return text === '' ? shown : `${text}.${shown}`;
  }, prefix);
}

/** The issues of one alternative of a union. */
type FormIssues = readonly Issue[];

/**
 * The alternative of a union that the value most likely intends: its type matches, and it has the fewest problems at the top level, then
 * the fewest in total, then the deepest one. Undefined if the type of the value matches no alternative.
 */
function nearestForm(forms: readonly FormIssues[]): FormIssues | undefined {
  return forms
    .filter((form) => form.every((issue) => !isOfAnotherType(issue)))
    .map((form) => ({ form, rank: [shallow(form), total(form), -depth(form)] as const }))
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2])[0]?.form;
}

/** Whether the value itself, not a part of it, has another type. */
function isOfAnotherType(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union') return nearestForm(issue.errors) === undefined;
  return issue.code === 'invalid_type' || issue.code === 'invalid_value';
}

function shallow(form: FormIssues): number {
  return sum(form.map((issue) => (depthOf(issue) <= 1 ? issueCount(issue) : 0)));
}

function total(form: FormIssues): number {
  return sum(form.map(issueCount));
}

function depth(form: FormIssues): number {
  return Math.max(0, ...form.map(depthOf));
}

/** Counts the problems of an issue: each unknown field is one. */
function issueCount(issue: Issue): number {
  if (issue.code === 'unrecognized_keys') return issue.keys.length;
  return issue.code === 'invalid_union' ? Math.max(1, total(nearestForm(issue.errors) ?? [])) : 1;
}

function depthOf(issue: Issue): number {
  if (issue.code === 'unrecognized_keys') return issue.path.length + 1;
  const nested = issue.code === 'invalid_union' ? depth(nearestForm(issue.errors) ?? []) : 0;
  return issue.path.length + nested;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((before, next) => before + next, 0);
}
