import { z } from 'zod';
import type { CountedResponses } from '../../../domain/dataset/filter/select-rows.ts';
import type { Weighting } from '../../../domain/weighting/rim-weighting.ts';
import type { KeptWeight } from '../../../services/responses/derived/weighting.ts';
import { countedSchema } from '../../selection-query.ts';
import { jsonObject } from '../../../lib/json-value.ts';

const figure = z.number();

const diagnostics = {
  counted: countedSchema,
  converged: z.boolean(),
  iterations: z.int(),
  max_error: figure.describe('The furthest margin from its target, as a share'),
  rms: figure,
  unweighted_base: z.int(),
  weighted_base: figure,
  effective_base: figure.describe('(Σw)²/Σw²'),
  design_effect: figure.describe('nΣw²/(Σw)²'),
  weighting_efficiency: figure.describe('1 / design_effect'),
  min_weight: figure,
  max_weight: figure,
  trimmed: z.int().describe('Respondents whose weight is at a limit'),
  dimensions: z.array(
    z.strictObject({
      column_code: z.string(),
      categories: z.array(
        z.strictObject({
          value: z.string().nullable().describe('null: who has no category here'),
          label: z.string().nullable(),
          count: z.int(),
          unweighted: figure.describe('Percents, as are target, weighted and difference'),
          target: figure,
          weighted: figure,
          difference: figure,
        }),
      ),
    }),
  ),
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
};

export const weightingSchema = z.strictObject(diagnostics).meta({ id: 'Weighting' });

export const madeSchema = z
  .strictObject({
    column_code: z.string(),
    dry_run: z.boolean(),
    change_id: z
      .int()
      .nullable()
      .describe('By which it can be undone; null in a dry run, and where nothing had to change'),
    ...diagnostics,
  })
  .meta({ id: 'MadeWeight' });

export function presentWeighting({
  weighting,
  counted,
}: {
  weighting: Weighting;
  counted: CountedResponses;
}): z.input<typeof weightingSchema> {
  return {
    counted,
    converged: weighting.converged,
    iterations: weighting.iterations,
    max_error: weighting.maxError,
    rms: weighting.rms,
    unweighted_base: weighting.unweightedBase,
    weighted_base: weighting.weightedBase,
    effective_base: weighting.effectiveBase,
    design_effect: weighting.designEffect,
    weighting_efficiency: weighting.weightingEfficiency,
    min_weight: weighting.minWeight,
    max_weight: weighting.maxWeight,
    trimmed: weighting.trimmed,
    dimensions: weighting.dimensions.map((table) => ({
      column_code: table.columnCode,
      categories: table.categories,
    })),
    warnings: weighting.warnings,
  };
}

export const keptSchema = z
  .strictObject({
    column_code: z.string(),
    label: z.string(),
    auto_refresh: z.boolean(),
    stale: z.boolean().describe('The data it was made from have changed since; refresh it, or leave it so'),
    responses: z
      .int()
      .describe('How many had a weight when it was made; with `auto_refresh`, how many have one now'),
    made_at: z.iso
      .datetime()
      .describe('When it was made or refreshed; `auto_refresh` follows the data without moving it'),
    request: jsonObject.describe('What it was made by'),
  })
  .meta({ id: 'Weight' });

export function presentKept({ entry, definition, stale, responses }: KeptWeight): z.input<typeof keptSchema> {
  const { scheme, basis, autoRefresh } = definition;
  const request = {
    filter: (scheme.filter ?? null) as z.infer<ReturnType<typeof z.json>>,
    status: [...scheme.status],
    include_test: scheme.includeTest,
    quality: (scheme.includeConfirmed ?? true) ? 'include_all' : 'exclude_confirmed',
    dimensions: scheme.dimensions.map(({ columnCode: code, targets }) => ({
      column_code: code,
      targets: targets.map(({ value, target: wanted }) => ({ value, target: wanted })),
    })),
    target_type: scheme.targetType,
    base_weight_column: scheme.baseWeightColumn,
    max_iterations: scheme.maxIterations,
    tolerance: scheme.tolerance,
    min_weight: scheme.minWeight,
    max_weight: scheme.maxWeight,
    missing: scheme.missing,
    scale_to: scheme.scaleTo,
    allow_unconverged: scheme.allowUnconverged,
  };
  return {
    column_code: entry.spec.columnCode,
    label: entry.spec.label,
    auto_refresh: autoRefresh,
    stale,
    responses,
    made_at: basis.at,
    request,
  };
}
