import { z } from 'zod';
import type { Summary } from '../../../domain/statistics/moments.ts';
import { BASES } from '../../../domain/statistics/base.ts';
import { COLUMN_TYPES, MEASURES } from '../../../domain/dataset/columns/column-spec.ts';

const count = z.int().nonnegative();
const figure = z.number().nullable();

const QUANTILES =
  'Unweighted: `quantile(x, p, type = 7)` of R. Weighted: `Hmisc::wtd.quantile(x, w, p, normwt = TRUE)`, which equals ' +
  'type 7 if all weights are equal';

/** See domain/statistics/distribution.ts for the definition of each statistic. */
export const distributionSchema = z
  .strictObject({
    column_code: z.string(),
    label: z.string(),
    type: z.enum(COLUMN_TYPES),
    measure: z.enum(MEASURES).describe('Nominal columns other than 0/1 columns have no `stats`'),
    base: count.describe('Number of responses in the base of the percentages'),
    weighted_base: figure,
    effective_base: figure.describe('Effective base (Kish): (Σw)²/Σw²; null without a weight'),
    missing: z
      .strictObject({
        skipped: count.describe('Responses without an answer to a question that was shown'),
        not_shown: count.describe('Responses in which the question was not shown'),
        not_applicable: count.describe(
          'For a derived column: the source has a value, but the column does not, such as a number outside all bins. Included ' +
            'in the base `shown`',
        ),
        option_missing: count.describe('Responses with an option marked as missing'),
        without_weight: count.describe('Responses without a positive weight'),
      })
      .meta({ id: 'DistributionMissing' }),
    categories: z.array(
      z
        .strictObject({
          code: z.int().nullable(),
          value: z.string(),
          label: z.string(),
          missing: z.boolean().describe('The option is marked as missing'),
          count,
          percent: figure.describe('Percentage of the base, 0 to 100'),
          weighted_count: figure,
          weighted_percent: figure,
        })
        .meta({ id: 'DistributionCategory' }),
    ),
    distinct: count.describe('Number of different values'),
    truncated: z.boolean().describe('Whether `categories` leaves out values because there are too many'),
    grouped_by: z.enum(['interval', 'hour', 'datetime', 'date', 'month', 'year']).nullable(),
    stats: z
      .strictObject({
        mean: figure,
        median: figure.describe(QUANTILES),
        sd: figure.describe(
          'Sample standard deviation (n - 1); weighted like `survey::svyvar` of R: n/(n-1) · Σw(x-m)²/Σw',
        ),
        min: figure,
        max: figure,
        p25: figure.describe(QUANTILES),
        p75: figure.describe(QUANTILES),
        nps: figure.optional().describe('Net Promoter Score, -100 to 100; only for NPS questions'),
      } satisfies Record<keyof Summary, z.ZodType>)
      .meta({ id: 'DistributionStats' })
      .nullable()
      .describe(
        'Computed from the codes of ordinal and scale columns, and from 0/1 columns, whose mean is a share. null for ' +
          'nominal columns (see `measure`), dates, texts, files and multiple-response sets; set question_settings.measure of ' +
          'a choice to ordinal or scale to get statistics',
      ),
  })
  .meta({ id: 'Distribution' });

const share = {
  count,
  percent: figure.describe('Percentage of the base, 0 to 100'),
  weighted_count: figure,
  weighted_percent: figure,
};

const whole = {
  column_code: z.string().describe('Code of the question'),
  label: z.string(),
  base: count.describe('Responses in the base of at least one row or option'),
  weighted_base: figure,
  effective_base: figure.describe('Effective base (Kish): (Σw)²/Σw²; null without a weight'),
  base_of: z.enum(BASES),
};

const matrixDistributionSchema = z
  .strictObject({
    ...whole,
    type: z.literal('matrix'),
    rows: z.array(distributionSchema.extend({ row_code: z.string(), row_label: z.string() })),
  })
  .meta({ id: 'MatrixDistribution' });

const rankingDistributionSchema = z
  .strictObject({
    ...whole,
    type: z.literal('ranking'),
    options: z.array(
      z.strictObject({
        column_code: z.string(),
        code: z.int(),
        value: z.string(),
        label: z.string(),
        base: count.describe(
          'Base of the percentages: respondents who were shown the question, or who ranked the option',
        ),
        weighted_base: figure,
        ranked: z.strictObject(share).describe('Respondents who ranked the option'),
        mean_rank: figure.describe(
          'Mean rank among respondents who ranked the option, weighted if there is a weight; 1 is best',
        ),
        top_1: z.strictObject(share).describe('Respondents who ranked the option first'),
        top_3: z.strictObject(share).describe('Respondents who ranked the option among the first three'),
        ranks: z.array(z.strictObject({ rank: z.int().positive(), ...share })),
      }),
    ),
  })
  .meta({ id: 'RankingDistribution' });

const numbersDistributionSchema = z
  .strictObject({
    ...whole,
    type: z.literal('numbers'),
    options: z.array(
      distributionSchema.extend({ option_code: z.int(), option_value: z.string(), option_label: z.string() }),
    ),
  })
  .meta({ id: 'NumbersDistribution' });

/** A question as a whole. See domain/statistics/composite-distribution.ts for the definition of each statistic. */
export const compositeDistributionSchemas = [
  matrixDistributionSchema,
  rankingDistributionSchema,
  numbersDistributionSchema,
] as const;
