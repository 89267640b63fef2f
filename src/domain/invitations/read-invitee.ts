import type { z } from 'zod';
import { schemaWording } from '../../lib/schema-wording.ts';
import type { RespondentInput } from '../respondents/read-respondent-row.ts';
import {
  respondentAttributes,
  respondentEmail,
  respondentExternalId,
  respondentLanguage,
  respondentName,
} from '../respondents/respondent-fields.ts';

/** A person in a list of people to invite. */
export interface InviteeInput {
  email: string;
  name?: string | null | undefined;
  external_id?: string | null | undefined;
  language?: string | null | undefined;
  attributes?: Record<string, unknown> | null | undefined;
}

export interface InviteeProblem {
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
