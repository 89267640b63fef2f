import { z } from 'zod';
import { idNumber } from '../../../http/paging.ts';
import { filterBody, filterOf } from '../../selection-query.ts';

const MAX_REASON_CHARACTERS = 1_000;
const MAX_RESPONSE_IDS = 100_000;
export const MAX_BODY_BYTES = 10_000_000;

/** What every change takes besides; `changeOf` reads it. */
export const changeInput = {
  reason: z
    .string()
    .trim()
    .max(MAX_REASON_CHARACTERS, `must have at most ${MAX_REASON_CHARACTERS} characters`)
    .optional()
    .describe('Why; kept in the change log'),
  dry_run: z.boolean().default(false).describe('The same reply, and nothing is stored'),
};

export function changeOf(input: { reason?: string | undefined; dry_run: boolean }): {
  reason: string | null;
  dryRun: boolean;
} {
  return { reason: input.reason ?? null, dryRun: input.dry_run };
}

/** Values by column code, as the service reads them: a body may hold a million, and other requests have their turn meanwhile. */
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
      'By column code: an option value, 0 or 1, a rank, number, text or date, a list of option values for a multiple-response set (`[]`: none ticked); null empties',
  });

/** Which responses; `whichOf` reads it. */
export const whichInput = {
  response_ids: z.array(idNumber).min(1).max(MAX_RESPONSE_IDS).optional(),
  filter: filterBody.optional().describe('Of any status. `filters` means the same'),
  filters: filterBody.optional(),
};

export function whichOf(input: {
  response_ids?: number[] | undefined;
  filter?: unknown;
  filters?: unknown;
}): {
  responseIds: number[] | null;
  filter: unknown;
} {
  return { responseIds: input.response_ids ?? null, filter: filterOf(input) };
}
