import { z } from 'zod';
import { quote, sizeAtMost } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { schemaWording } from '../../lib/schema-problems.ts';
import type { SourceColumn, SourceRow } from './source-file.ts';
import {
  attributeNameProblem,
  type Attributes,
  attributesProblem,
  type AttributeValue,
  attributeValueProblem,
  hasSameAttributes,
  lineProblem,
  MAX_ATTRIBUTES,
  parseAttributeCell,
} from '../respondents/attributes.ts';

const MAX_EMAIL_CHARACTERS = 254;

const line = (maxCharacters: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(maxCharacters)
    .superRefine((text, context) => {
      const message = lineProblem(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });

/** The fields of a respondent in the API and in files. Each is a single line, because emails contain them. */
export const respondentEmail = z
  .string()
  .trim()
  .max(MAX_EMAIL_CHARACTERS)
  .pipe(z.email('must be an email address such as name@example.org'));
export const respondentName = line(200);
export const respondentExternalId = line(200);
export const respondentLanguage = z
  .string()
  .trim()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or pt-BR');

export const respondentAttributes = z
  .record(z.string(), z.unknown())
  .transform((attributes, context): Attributes => {
    const attributesMessage = attributesProblem(attributes);
    if (attributesMessage !== null) context.addIssue({ code: 'custom', message: attributesMessage });
    for (const [name, value] of Object.entries(attributes).slice(0, MAX_ATTRIBUTES)) {
      const message = attributeNameProblem(name) ?? attributeValueProblem(value);
      if (message !== null) context.addIssue({ code: 'custom', message, path: [name] });
    }
    return attributes as Attributes;
  })
  .meta({
    override: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
    description:
      `Up to ${MAX_ATTRIBUTES} texts (1,000 characters, one line), numbers and booleans by name, 20,000 characters as JSON together; ` +
      'names are letters and digits, and between them spaces, _, . and -',
  });

/** A respondent in a row of a file; null: the row has no value for the field. */
export interface RespondentInput {
  row: number;
  email: string | null;
  name: string | null;
  externalId: string | null;
  language: string | null;
  optedOut: boolean;
  attributes: Attributes;
}

export interface RowProblem {
  column: string;
  message: string;
}

const TEXT_FIELDS = {
  email: { key: 'email', schema: respondentEmail },
  name: { key: 'name', schema: respondentName },
  external_id: { key: 'externalId', schema: respondentExternalId },
  language: { key: 'language', schema: respondentLanguage },
} as const;

/** Reads one row. Empty cells are ignored; formulas are read as text. */
export function readRespondentRow(
  columns: readonly RespondentColumn[],
  { row, cells }: SourceRow,
): { given: RespondentInput; problems: RowProblem[] } {
  const given: RespondentInput = {
    row,
    email: null,
    name: null,
    externalId: null,
    language: null,
    optedOut: false,
    attributes: {},
  };
  const attributes: [string, AttributeValue][] = [];
  const problems: RowProblem[] = [];
  columns.forEach(({ header, field, attribute }, index) => {
    const cell = cells[index] ?? null;
    if (cell === null || (typeof cell === 'string' && cell.trim() === '')) return;
    const wrong = (message: string | null) => {
      if (message !== null) problems.push({ column: field ?? header, message: `${quote(cell)} ${message}` });
    };
    if (attribute !== null) {
      const value = parseAttributeCell(cell);
      attributes.push([attribute, value]);
      wrong(attributeValueProblem(value));
    } else if (field === 'opted_out') {
      const match = /^(?:(1|yes|true)|0|no|false)$/i.exec(String(cell).trim());
      if (match === null) wrong('is neither 1 nor 0, yes nor no, true nor false');
      else given.optedOut = match[1] !== undefined;
    } else if (field !== null) {
      const { key, schema } = TEXT_FIELDS[field];
      const read = schema.safeParse(String(cell), { error: schemaWording });
      if (read.success) given[key] = read.data;
      else wrong(messageOf(read.error));
    }
  });
  const extra = cells.slice(columns.length).find((cell) => cell !== null);
  if (extra !== undefined) {
    const message = `the row has ${cells.length} cells, the file ${columns.length} columns`;
    problems.push({ column: '', message });
  }
  if (problems.length === 0 && given.email === null && given.externalId === null)
    problems.push({ column: '', message: 'the row must have an email or an external_id' });
  given.attributes = Object.fromEntries(attributes);
  const attributesMessage = attributesProblem(given.attributes);
  if (attributesMessage !== null) problems.push({ column: 'attributes', message: attributesMessage });
  return { given, problems };
}

const messageOf = (error: z.ZodError): string => error.issues[0]?.message ?? 'is not taken here';

/** An existing respondent of the workspace. */
export interface ExistingRespondent {
  respondentId: number;
  email: string | null;
  name: string | null;
  externalId: string | null;
  language: string | null;
  optedOut: boolean;
  attributes: Attributes;
}

export type RowResolution =
  | { outcome: 'created' }
  | { outcome: 'updated' | 'unchanged'; respondentId: number }
  | { outcome: 'failed'; problem: RowProblem };

export const emailKey = (email: string): string => email.toLowerCase();

const failed = (column: string, message: string): RowResolution => ({
  outcome: 'failed',
  problem: { column, message },
});

/**
 * Resolves a row to a new or existing respondent, by external_id, otherwise by email. Fields and attributes without a value in the row stay
 * unchanged; an opt-out is never reverted.
 *
 * @param byExternalId the respondent with the row's external_id, and `byEmail` with its email; null if there is none
 */
export function resolveRespondentRow({
  input,
  byExternalId,
  byEmail,
  updateExisting,
}: {
  input: RespondentInput;
  byExternalId: ExistingRespondent | null;
  byEmail: ExistingRespondent | null;
  updateExisting: boolean;
}): RowResolution {
  const existing = byExternalId ?? byEmail;
  if (existing === null) return { outcome: 'created' };
  if (byEmail !== null && byEmail.respondentId !== existing.respondentId)
    return failed(
      'email',
      `belongs to respondent ${byEmail.respondentId}, but external_id to respondent ${existing.respondentId}`,
    );
  const { respondentId } = existing;
  if (byExternalId === null && input.externalId !== null && existing.externalId !== null)
    return failed(
      'external_id',
      `the email belongs to respondent ${respondentId}, who has another external_id`,
    );
  if (!updateExisting) return { outcome: 'unchanged', respondentId };

  const attributes: Attributes = { ...existing.attributes, ...input.attributes };
  const problem = attributesProblem(attributes);
  if (problem !== null)
    return failed('attributes', `together with the attributes of respondent ${respondentId}: ${problem}`);
  const isSame =
    (input.email === null || emailKey(input.email) === emailKey(existing.email ?? '')) &&
    (input.name ?? existing.name) === existing.name &&
    (input.externalId ?? existing.externalId) === existing.externalId &&
    (input.language ?? existing.language) === existing.language &&
    (existing.optedOut || !input.optedOut) &&
    hasSameAttributes(attributes, existing.attributes);
  return { outcome: isSame ? 'unchanged' : 'updated', respondentId };
}

type RespondentField = 'email' | 'name' | 'external_id' | 'language' | 'opted_out';

/** The meaning of a column in a list of respondents. */
export interface RespondentColumn {
  header: string;
  /** null: an attribute, or ignored. */
  field: RespondentField | null;
  /** The name of the attribute; null: a field, or ignored. */
  attribute: string | null;
  /** The reason why the column is ignored. */
  reason: string | null;
}

const FIELDS: ReadonlyMap<string, RespondentField> = new Map([
  ['email', 'email'],
  ['e_mail', 'email'],
  ['email_address', 'email'],
  ['e_mail_address', 'email'],
  ['respondent_email', 'email'],
  ['name', 'name'],
  ['respondent_name', 'name'],
  ['external_id', 'external_id'],
  ['language', 'language'],
  ['opted_out', 'opted_out'],
]);
/** Columns of Canvass exports that an import cannot set. */
const READ_ONLY_COLUMNS = new Set(['respondent_id', 'last_invited_at', 'completed_count', 'created_at']);

/**
 * Maps the columns of a list by header: the standard fields, ignoring case and with spaces, - or _; any other column is an attribute with
 * that name. `problems`: errors that make the whole file unusable.
 */
export function mapRespondentColumns(
  columns: readonly SourceColumn[],
  names: ReadonlyMap<string, string> = new Map(),
): {
  columns: RespondentColumn[];
  problems: ErrorDetail[];
} {
  const usedKeys = new Set<string>();
  const problems: ErrorDetail[] = [];
  const addProblem = (message: string) => problems.push({ field: 'file', message });
  const mapped = columns.map(({ header }): RespondentColumn => {
    const ignored = { header, field: null, attribute: null, reason: null };
    const name = (names.get(header.trim()) ?? header).normalize('NFC').trim();
    if (name === '' && names.has(header.trim())) return { ...ignored, reason: 'is left out' };
    const folded = name.toLowerCase().replaceAll(/[\s-]+/g, '_');
    if (name === '') return { ...ignored, reason: 'has no name' };
    if (READ_ONLY_COLUMNS.has(folded)) return { ...ignored, reason: 'is kept by the server, not imported' };
    const field = FIELDS.get(folded) ?? null;
    const key = field ?? `attribute ${name}`;
    if (usedKeys.has(key)) return { ...ignored, reason: `repeats ${field ?? quote(name)}` };
    usedKeys.add(key);
    if (field !== null) return { ...ignored, field };
    const message = attributeNameProblem(name);
    if (message !== null) addProblem(`column ${quote(header)} ${message}`);
    return { ...ignored, attribute: name };
  });
  const attributes = mapped.filter(({ attribute }) => attribute !== null).length;
  if (attributes > MAX_ATTRIBUTES) addProblem(sizeAtMost(MAX_ATTRIBUTES, 'attribute column', attributes));
  if (!usedKeys.has('email') && !usedKeys.has('external_id'))
    addProblem('must have a column email or external_id, which identifies respondents');
  return { columns: mapped, problems };
}

/** A person in a list of people to invite. */
export interface InviteeInput {
  email: string;
  name?: string | null | undefined;
  external_id?: string | null | undefined;
  language?: string | null | undefined;
  attributes?: Record<string, unknown> | null | undefined;
}

interface InviteeProblem {
  field: string;
  message: string;
}

/** Validates a person of a list; a missing or empty field leaves the stored value unchanged. */
export function readInvitee(
  input: InviteeInput,
  row: number,
): { person: RespondentInput & { email: string }; problems: InviteeProblem[] } {
  const problems: InviteeProblem[] = [];
  const read = <S extends z.ZodType>(field: string, schema: S, value: unknown): z.output<S> | null => {
    if (value === null || value === undefined || value === '') return null;
    const result = schema.safeParse(value, { error: schemaWording });
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues)
      problems.push({ field: [field, ...path.map(String)].join('.'), message });
    return null;
  };
  const email = read('email', respondentEmail, input.email);
  if (email === null && problems.length === 0) problems.push({ field: 'email', message: 'is required' });
  const person = {
    row,
    email: email ?? '',
    name: read('name', respondentName, input.name),
    externalId: read('external_id', respondentExternalId, input.external_id),
    language: read('language', respondentLanguage, input.language),
    optedOut: false,
    attributes: read('attributes', respondentAttributes, input.attributes) ?? {},
  };
  return { person, problems };
}
