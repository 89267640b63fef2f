import { type Attributes, attributesProblem, hasSameAttributes } from './attributes.ts';
import type { RespondentInput, RowProblem } from './read-respondent-row.ts';

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
export function resolveRespondentRow(
  input: RespondentInput,
  byExternalId: ExistingRespondent | null,
  byEmail: ExistingRespondent | null,
  updateExisting: boolean,
): RowResolution {
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
