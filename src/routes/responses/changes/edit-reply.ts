import { z } from 'zod';
import { idNumber } from '../../../http/paging.ts';
import type { EditOutcome } from '../../../services/responses/changes/edit-outcome.ts';
import { filterBody, filterOf } from '../selection-query.ts';

const MAX_REASON_CHARACTERS = 1_000;
const MAX_RESPONSE_IDS = 100_000;
/** So many errors are listed; `failed` counts them all. */
const MAX_ERRORS = 10_000;
export const MAX_BODY_BYTES = 10_000_000;

/** What every change takes besides. */
export const changeInput = {
  reason: z
    .string()
    .trim()
    .max(MAX_REASON_CHARACTERS, `must have at most ${MAX_REASON_CHARACTERS} characters`)
    .optional()
    .describe('Why; kept in the change log'),
  dry_run: z.boolean().default(false).describe('The same reply, and nothing is stored'),
};

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
      'By column code: an option value, 0 or 1, a rank, number, text or date, a list of option values for a multiple-response set; null empties',
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

const errorSchema = z.strictObject({
  response_id: z.int(),
  details: z.array(z.strictObject({ field: z.string(), message: z.string() })),
});

export const outcomeSchema = z
  .strictObject({
    change_id: z.int().nullable().describe('By which it can be undone; null: nothing changed'),
    dry_run: z.boolean(),
    processed: z.int().describe('Responses that were meant'),
    updated: z.int(),
    cells_updated: z.int().describe('Cells whose value is another now'),
    unchanged: z.int(),
    failed: z.int(),
    errors: z.array(errorSchema).describe(`Of the first ${MAX_ERRORS} that failed`),
  })
  .meta({ id: 'EditOutcome' });

export function presentOutcome(outcome: EditOutcome, dryRun: boolean): z.input<typeof outcomeSchema> {
  return {
    change_id: outcome.changeId,
    dry_run: dryRun,
    processed: outcome.processed,
    updated: outcome.updated,
    cells_updated: outcome.cellsUpdated,
    unchanged: outcome.unchanged,
    failed: outcome.failed,
    errors: outcome.errors.slice(0, MAX_ERRORS),
  };
}
