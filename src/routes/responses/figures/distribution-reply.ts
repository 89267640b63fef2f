import { z } from 'zod';
import type { Summary } from '../../../domain/statistics/summary.ts';
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
