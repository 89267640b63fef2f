import { z } from 'zod';
import { mustBe } from '../../lib/error-messages.ts';

/** The rules for strata with one cluster; see LonelyClusterRule in domain/statistics/design. */
export const LONELY_CLUSTER_RULES = ['fail', 'adjust', 'certainty', 'average'] as const;
export const REPLICATE_METHODS = ['brr', 'fay', 'jk1', 'jkn', 'bootstrap'] as const;

const MAX_STAGES = 5;
const MAX_REPLICATES = 1_000;
const MAX_STRATA = 10_000;

const columnCode = z.string().min(1).max(120);

const population = z
  .strictObject({
    kind: z
      .enum(['sizes', 'fractions'])
      .describe(
        '`sizes`: the clusters in the population of each stratum; `fractions`: the part of them in the sample, 0 to 1',
      ),
    column_code: columnCode
      .nullish()
      .describe('A number column with the same value for all responses of a stratum'),
    value: z.number().positive().nullish().describe('One value for every stratum'),
    by_stratum: z
      .record(z.string().max(1_000), z.number().positive())
      .refine((values) => Object.keys(values).length <= MAX_STRATA, `must have at most ${MAX_STRATA} strata`)
      .nullish()
      .describe('Values by the value of the stratum'),
  })
  .refine(
    ({ column_code, value, by_stratum }) =>
      [column_code, value, by_stratum].filter((given) => given != null).length === 1,
    'must have one of column_code, value and by_stratum',
  )
  .meta({ id: 'DesignPopulation' });

const weight = columnCode.describe('A number column, such as a weight or an uploaded column');

const linearizedDesignSchema = z
  .strictObject({
    method: z.literal('linearized'),
    weight: weight
      .nullish()
      .describe('A number column, such as a weight; null: all responses count the same'),
    strata: columnCode.nullish().describe('The column with the stratum; null: one stratum'),
    clusters: z
      .array(columnCode)
      .max(MAX_STAGES)
      .default([])
      .describe(
        'The columns with the clusters of each stage of sampling, the primary sampling units (PSU) first. Variances use the first stage ' +
          '(ultimate clusters). Equal values in different strata are different clusters. Empty: each response is a cluster',
      ),
    population: population
      .nullish()
      .describe(
        'The finite population from which the clusters of the first stage were drawn; null: infinite',
      ),
    lonely_clusters: z
      .enum(LONELY_CLUSTER_RULES)
      .default('fail')
      .describe(
        'What a stratum with one cluster adds, as `survey.lonely.psu` of R: `fail` refuses figures, `adjust` takes the distance from the mean of all ' +
          'clusters, `certainty` adds nothing, `average` adds the average of the other strata',
      ),
  })
  .meta({ id: 'LinearizedDesign' });

const replicateDesignSchema = z
  .strictObject({
    method: z
      .enum(REPLICATE_METHODS)
      .describe('The method that made the replicate weights, as `type` of `svrepdesign` in R'),
    weight,
    replicates: z
      .array(columnCode)
      .min(2)
      .max(MAX_REPLICATES)
      .describe('Number columns with the replicate weights, which contain the weight'),
    rho: z.number().min(0).lt(1).nullish().describe("Fay's factor; only for `fay`. Default: 0"),
    scale: z
      .number()
      .positive()
      .nullish()
      .describe(
        'The factor of the sum of squares. Default: by the method, as in R; `brr` and `fay` have no other',
      ),
    rscales: z
      .array(z.number().nonnegative())
      .max(MAX_REPLICATES)
      .nullish()
      .describe('One factor per replicate; required for `jkn`. Default: all 1'),
    mse: z
      .boolean()
      .default(false)
      .describe('Take distances from the estimate instead of the mean of the replicates'),
    degrees_of_freedom: z
      .int()
      .positive()
      .nullish()
      .describe('Default: the rank of the replicate weights minus 1'),
  })
  .superRefine(({ method, replicates, rho, scale, rscales }, context) => {
    const add = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (rho != null && method !== 'fay') add('rho', 'is only for the method fay');
    if (scale != null && (method === 'brr' || method === 'fay'))
      add('scale', `is not for the method ${method}`);
    if (method === 'jkn' && rscales == null)
      add(
        'rscales',
        'is required for jkn: (n - 1)/n of the stratum from which each replicate leaves a cluster out',
      );
    if (rscales != null && rscales.length !== replicates.length)
      add('rscales', mustBe(`${replicates.length} numbers, one per replicate`, rscales.length));
    if (new Set(replicates.map((code) => code.toLowerCase())).size < replicates.length)
      add('replicates', 'must not contain a column twice');
  })
  .meta({ id: 'ReplicateDesign' });

/** How the respondents of a survey were sampled. Columns are named by their codes. */
export const samplingDesignSchema = z
  .discriminatedUnion('method', [linearizedDesignSchema, replicateDesignSchema])
  .meta({ id: 'SamplingDesign' });

export type SamplingDesign = z.output<typeof samplingDesignSchema>;
export type DeclaredLinearizedDesign = z.output<typeof linearizedDesignSchema>;
export type DeclaredReplicateDesign = z.output<typeof replicateDesignSchema>;
