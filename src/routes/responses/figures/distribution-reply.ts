import { z } from 'zod';
import type { Summary } from '../../../domain/statistics/summary.ts';
import { BASES } from '../../../domain/statistics/base.ts';
import { COLUMN_TYPES, MEASURES } from '../../../domain/dataset/columns/column-spec.ts';

const count = z.int().nonnegative();
const figure = z.number().nullable();

const QUANTILES =
  'Without weights quantile(x, p, type = 7) of R; with weights Hmisc::wtd.quantile(x, w, p, normwt = TRUE), which is type 7 under equal weights';

/** See domain/statistics/distribution.ts for what each figure is. */
export const distributionSchema = z
  .strictObject({
    column_code: z.string(),
    label: z.string(),
    type: z.enum(COLUMN_TYPES),
    measure: z.enum(MEASURES).describe('Why `stats` is null: nominal columns have none, except 0/1'),
    base: count.describe('How many responses the percents are of'),
    weighted_base: figure,
    effective_base: figure.describe('(Σw)²/Σw²'),
    missing: z.strictObject({
      skipped: count,
      not_shown: count,
      not_applicable: count.describe(
        'Of a derived column: gave what it is made from, and it has no value for that, such as a number outside all bins; in the base `shown`',
      ),
      option_missing: count,
      without_weight: count,
    }),
    categories: z.array(
      z.strictObject({
        code: z.int().nullable(),
        value: z.string(),
        label: z.string(),
        missing: z.boolean(),
        count,
        percent: figure.describe('0 to 100, of the base'),
        weighted_count: figure,
        weighted_percent: figure,
      }),
    ),
    distinct: count,
    truncated: z.boolean(),
    grouped_by: z.enum(['interval', 'hour', 'datetime', 'date', 'month', 'year']).nullable(),
    stats: z
      .strictObject({
        mean: figure,
        median: figure.describe(QUANTILES),
        sd: figure.describe('n-1; weighted as svyvar of the R package survey: n/(n-1) · Σw(x-m)²/Σw'),
        min: figure,
        max: figure,
        p25: figure.describe(QUANTILES),
        p75: figure.describe(QUANTILES),
        nps: figure.optional(),
      } satisfies Record<keyof Summary, z.ZodType>)
      .nullable()
      .describe(
        'Of ordinal and scale columns by their codes, and of 0/1 columns, whose mean is a share. Null of nominal columns (see `measure`), ' +
          'dates, texts, files and sets: question_settings.measure ordinal or scale gives a choice question its figures',
      ),
  })
  .meta({ id: 'Distribution' });

const share = {
  count,
  percent: figure.describe('0 to 100, of the base'),
  weighted_count: figure,
  weighted_percent: figure,
};

const whole = {
  column_code: z.string().describe('The code of the question'),
  label: z.string(),
  base: count.describe('Responses in the base of any row or option'),
  weighted_base: figure,
  effective_base: figure.describe('(Σw)²/Σw²'),
  base_of: z.enum(BASES),
};

/** See domain/statistics/composite-distribution.ts for what each figure is. */
export const matrixDistributionSchema = z
  .strictObject({
    ...whole,
    type: z.literal('matrix'),
    rows: z.array(distributionSchema.extend({ row_code: z.string(), row_label: z.string() })),
  })
  .meta({ id: 'MatrixDistribution' });

export const rankingDistributionSchema = z
  .strictObject({
    ...whole,
    type: z.literal('ranking'),
    options: z.array(
      z.strictObject({
        column_code: z.string(),
        code: z.int(),
        value: z.string(),
        label: z.string(),
        base: count.describe('What the percents are of: who was asked, or who ranked the option'),
        weighted_base: figure,
        ranked: z.strictObject(share).describe('Who gave it any rank'),
        mean_rank: figure.describe('Of those who ranked it, by weight where there is one; 1 is best'),
        top_1: z.strictObject(share).describe('Who ranked it first'),
        top_3: z.strictObject(share).describe('Who ranked it among the first three'),
        ranks: z.array(z.strictObject({ rank: z.int().positive(), ...share })),
      }),
    ),
  })
  .meta({ id: 'RankingDistribution' });
