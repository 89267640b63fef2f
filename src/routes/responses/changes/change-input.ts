import { z } from 'zod';
import { idNumber } from '../../../http/paging.ts';
import { filterBody, filterOf } from '../../selection-query.ts';

const MAX_REASON_CHARACTERS = 1_000;
const MAX_RESPONSE_IDS = 100_000;
export const MAX_BODY_BYTES = 10_000_000;

/** Fields of every data change; `changeOf` reads them. */
export const changeInput = {
  reason: z
    .string()
    .trim()
    .max(MAX_REASON_CHARACTERS, `must have at most ${MAX_REASON_CHARACTERS} characters`)
    .optional()
    .describe('Reason for the change, stored in the change log'),
  dry_run: z.boolean().default(false).describe('Return the same reply without storing anything'),
};

export function changeOf(input: { reason?: string | undefined; dry_run: boolean }): {
  reason: string | null;
  dryRun: boolean;
} {
  return { reason: input.reason ?? null, dryRun: input.dry_run };
}

/** Values by column code. The service validates them, because a body can have a million and validation must yield to other requests. */
export const valuesInput = z
  .custom<Record<string, unknown>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length > 0 &&
      Object.keys(value).length <= 2_000,
    'must be an object of 1 to 2000 values by column code',
  )
  .meta({
    override: { type: 'object', additionalProperties: true },
    description:
      'By column code: an option value, 0 or 1, a rank, number, text or date; for a multiple-response set, a list of option values (`[]`: none selected). null clears the cell',
  });

/** Selects responses; `whichOf` reads it. */
export const responseSelectionInput = {
  response_ids: z
    .array(idNumber)
    .min(1)
    .max(MAX_RESPONSE_IDS)
    .optional()
    .describe('Responses to change, instead of `filter`'),
  filter: filterBody.optional().describe('Matches responses of every status. `filters` is an alias'),
  filters: filterBody.optional(),
};

export function responseSelectionOf(input: {
  response_ids?: number[] | undefined;
  filter?: unknown;
  filters?: unknown;
}): {
  responseIds: number[] | null;
  filter: unknown;
} {
  return { responseIds: input.response_ids ?? null, filter: filterOf(input) };
}
