import { z } from 'zod';
import type { EditOutcome } from '../../../services/responses/changes/response-edits.ts';

/** Maximum number of listed errors; `failed` counts all. */
const MAX_ERRORS = 10_000;

const errorSchema = z.strictObject({
  response_id: z.int(),
  details: z.array(z.strictObject({ field: z.string(), message: z.string() })),
});

export const outcomeSchema = z
  .strictObject({
    change_id: z.int().nullable().describe('For undo; null: nothing changed'),
    dry_run: z.boolean(),
    processed: z.int().describe('Selected responses'),
    updated: z.int(),
    cells_updated: z.int().describe('Cells whose value changed'),
    unchanged: z.int(),
    failed: z.int(),
    errors: z.array(errorSchema).describe(`The first ${MAX_ERRORS} errors`),
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
