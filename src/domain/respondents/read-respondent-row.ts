import type { z } from 'zod';
import { quote } from '../../lib/quote.ts';
import { schemaWording } from '../../lib/schema-wording.ts';
import type { SourceRow } from '../import/source-file.ts';
import {
  parseAttributeCell,
  type Attributes,
  attributesProblem,
  type AttributeValue,
  attributeValueProblem,
} from './attributes.ts';
import type { RespondentColumn } from './respondent-columns.ts';
import {
  respondentEmail,
  respondentExternalId,
  respondentLanguage,
  respondentName,
} from './respondent-fields.ts';

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

const TEXT_FIELDS = new Map([
  ['email', { key: 'email', schema: respondentEmail }],
  ['name', { key: 'name', schema: respondentName }],
  ['external_id', { key: 'externalId', schema: respondentExternalId }],
  ['language', { key: 'language', schema: respondentLanguage }],
] as const);

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
      const { key, schema } = TEXT_FIELDS.get(field)!;
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
