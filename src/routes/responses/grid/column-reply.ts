import { z } from 'zod';
import { COLUMN_TYPES, MEASURES, type ColumnSpec } from '../../../domain/dataset/columns/column-spec.ts';

/** A column in a reply. */
export const columnSchema = z
  .strictObject({
    column_code: z.string(),
    label: z.string(),
    question_id: z.int().nullable(),
    type: z.enum(COLUMN_TYPES),
    measure: z.enum(MEASURES).describe('Means and quantiles require ordinal or scale'),
    source: z.enum(['question', 'metadata', 'derived', 'weight']),
    values: z.array(
      z.strictObject({ code: z.int(), value: z.string(), label: z.string(), missing: z.boolean() }),
    ),
    editable: z.boolean(),
    retired: z.boolean(),
    precision: z.enum(['date', 'datetime', 'time', 'month', 'year']).nullable(),
  })
  .meta({ id: 'Column' });

export function presentColumn(spec: ColumnSpec): z.input<typeof columnSchema> {
  return {
    column_code: spec.columnCode,
    label: spec.label,
    question_id: spec.questionId,
    type: spec.type,
    measure: spec.measure,
    source: spec.source,
    values: spec.values.map(({ code, value, label, missing }) => ({ code, value, label, missing })),
    editable: spec.editable,
    retired: spec.retired,
    precision: spec.precision,
  };
}
