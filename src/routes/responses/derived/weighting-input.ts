import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../../domain/dataset/response-row.ts';
import type { WeightScheme } from '../../../domain/weighting/weight-scheme.ts';
import { countingBody, filterBody, selectionOf } from '../../selection-query.ts';

const MAX_DIMENSIONS = 20;
const MAX_TARGETS = 200;

export const columnCode = z.string().min(1).max(120);

const target = z.strictObject({
  value: z
    .union([z.string().max(200), z.number()])
    .transform(String)
    .meta({ description: 'The option_value, or the number for a numeric column' }),
  target: z.number(),
});

export const schemeFields = {
  filter: filterBody.optional(),
  filters: filterBody.optional(),
  status: z
    .array(z.enum(RESPONSE_STATUSES))
    .min(1)
    .optional()
    .describe('Statuses of the responses to weight. Default: complete'),
  ...countingBody,
  dimensions: z
    .array(
      z.strictObject({
        column_code: columnCode,
        targets: z.array(target).min(1).max(MAX_TARGETS),
      }),
    )
    .min(1)
    .max(MAX_DIMENSIONS),
  target_type: z
    .enum(['percent', 'proportion', 'count'])
    .default('percent')
    .describe(
      'Unit of the targets: percentages that sum to 100 ± 0.1, proportions that sum to 1, or counts, which are converted ' +
        'to shares',
    ),
  base_weight_column: columnCode
    .optional()
    .describe('A numeric column with initial weights, such as a design weight'),
  max_iterations: z.int().min(1).max(1_000).default(50),
  tolerance: z
    .number()
    .min(1e-12)
    .max(0.1)
    .default(1e-6)
    .describe('Largest accepted distance of a margin from its target, as a share (0 to 1)'),
  min_weight: z
    .number()
    .min(0)
    .optional()
    .describe('Lower limit of weights with mean 1; less than 1. Default: no limit'),
  max_weight: z
    .number()
    .optional()
    .describe('Upper limit of weights with mean 1; more than 1. Default: no limit'),
  missing: z
    .enum(['keep_share', 'exclude', 'error'])
    .default('keep_share')
    .describe(
      'Respondents without a category in a dimension keep their share (`keep_share`), get no weight (`exclude`), or are ' +
        'an error (`error`)',
    ),
  scale_to: z
    .union([z.literal('sample'), z.number().positive().max(1e15)])
    .default('sample')
    .describe('Sum of the weights; `sample`: the number of respondents, so that weights have mean 1'),
  allow_unconverged: z
    .boolean()
    .default(false)
    .describe('Store the weight even if the iterations did not converge; otherwise 409'),
};

type SchemeInput = z.output<z.ZodObject<typeof schemeFields>>;

export function schemeOf(input: SchemeInput): WeightScheme {
  const { status, filter, includeTest, includeConfirmed } = selectionOf(input, ['complete']);
  return {
    filter,
    status,
    includeTest,
    includeConfirmed,
    dimensions: input.dimensions.map(({ column_code: code, targets }) => ({ columnCode: code, targets })),
    targetType: input.target_type,
    baseWeightColumn: input.base_weight_column ?? null,
    maxIterations: input.max_iterations,
    tolerance: input.tolerance,
    minWeight: input.min_weight ?? null,
    maxWeight: input.max_weight ?? null,
    missing: input.missing,
    scaleTo: input.scale_to,
    allowUnconverged: input.allow_unconverged,
  };
}
