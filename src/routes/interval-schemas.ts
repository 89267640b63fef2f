import { z } from 'zod';
import { SHARE_METHODS, VARIANCE_METHODS } from '../domain/statistics/design/convention.ts';
import { QUANTILE_RULES } from '../domain/statistics/design/quantiles.ts';
import { LONELY_CLUSTER_RULES } from '../domain/survey/sampling-design.ts';
import type { IntervalRequest } from '../services/figures/interval-sample.ts';
import { flagText } from './selection-query.ts';

const figure = z.number().nullable();
const count = z.int().nonnegative();

const MIN_LEVEL = 80;
const MAX_LEVEL = 99.9;
const DEFAULT_LEVEL = 95;

const SHARE_METHOD =
  'With `intervals`: how those of percentages are computed. `wilson` (default without weights and design), `logit` (default with them; ' +
  '`svyciprop` of R) or `beta` (Korn and Graubard)';
const LEVEL = `With \`intervals\`: their confidence level in percent. Default: ${DEFAULT_LEVEL}`;

/** Query fields for intervals. */
export const intervalQuery = {
  intervals: flagText
    .optional()
    .describe(
      'Add standard errors and confidence intervals, under the design of the survey if it has one: then its weight applies too. Default: false',
    ),
  level: z.coerce.number().min(MIN_LEVEL).max(MAX_LEVEL).optional().describe(LEVEL),
  design: flagText
    .optional()
    .describe('With `intervals`: false ignores the design of the survey. Default: true'),
  share_method: z.enum(SHARE_METHODS).optional().describe(SHARE_METHOD),
  quantile_rule: z
    .enum(QUANTILE_RULES)
    .optional()
    .describe(
      'With `intervals`: how quantiles in `estimates` lie between values: `hmisc` (default, as in `stats`), `hf7` or `math` (`qrule` of `svyquantile` in R)',
    ),
};

/** Body fields for the intervals of a table, which uses the design with and without them. */
export const intervalBody = {
  intervals: z
    .boolean()
    .optional()
    .describe('Add standard errors and confidence intervals to percentages and means. Default: false'),
  level: z.number().min(MIN_LEVEL).max(MAX_LEVEL).optional().describe(LEVEL),
  design: z
    .boolean()
    .optional()
    .describe(
      'Use the design of the survey, if it has one, and its weight, for percentages, tests and intervals. With false, `notes` say that it is not used. Default: true',
    ),
  share_method: z.enum(SHARE_METHODS).optional().describe(SHARE_METHOD),
};

/** Fields of a figure with an interval; absent without `intervals`. */
export const precisionFields = {
  se: figure.optional().describe('Standard error'),
  ci_low: figure.optional(),
  ci_high: figure.optional(),
  df: figure.optional().describe('Degrees of freedom; null for Wilson intervals'),
};

const estimateSchema = z
  .strictObject({
    estimate: z.number(),
    se: figure,
    ci_low: figure,
    ci_high: figure,
    df: figure,
  })
  .meta({ id: 'PreciseEstimate' })
  .nullable();

export const estimatesSchema = z
  .strictObject({
    mean: estimateSchema,
    sum: estimateSchema.describe('Of the population only if the weights add up to it'),
    median: estimateSchema,
    p25: estimateSchema,
    p75: estimateSchema,
    nps: estimateSchema.optional(),
  })
  .meta({ id: 'EstimatedStatistics' })
  .nullable()
  .optional()
  .describe('With `intervals`: statistics with their precision, quantiles by Woodruff; null like `stats`');

export const conventionSchema = z
  .strictObject({
    variance: z
      .enum(VARIANCE_METHODS)
      .describe(
        '`simple_random`; `weights`: linearized, `svydesign(~1, weights = ~w)` of R; otherwise the method of the design of the survey',
      ),
    weight_column: z.string().nullable(),
    strata: z.string().nullable(),
    clusters: z.string().nullable(),
    lonely_clusters: z.enum(LONELY_CLUSTER_RULES).nullable(),
    share_method: z.enum(SHARE_METHODS),
    quantile_rule: z.enum(QUANTILE_RULES),
    level: z.number(),
    without_weight: count.describe(
      'Responses that are left out of the design, whether the filter selects them or not',
    ),
    without_stratum: count,
    without_cluster: count,
  })
  .meta({ id: 'IntervalConvention' });

interface IntervalInput {
  intervals?: boolean | undefined;
  level?: number | undefined;
  design?: boolean | undefined;
  share_method?: IntervalRequest['shareMethod'] | undefined;
  quantile_rule?: IntervalRequest['quantileRule'] | undefined;
}

/** How the sample of a request counts. */
export const samplingOf = (input: IntervalInput): IntervalRequest & { addsIntervals: boolean } => ({
  level: input.level ?? DEFAULT_LEVEL,
  usesDesign: input.design ?? true,
  shareMethod: input.share_method ?? null,
  quantileRule: input.quantile_rule ?? 'hmisc',
  addsIntervals: input.intervals ?? false,
});

/** The intervals of a request; undefined: none. */
export const intervalsOf = (input: IntervalInput): IntervalRequest | undefined =>
  input.intervals === true ? samplingOf(input) : undefined;
