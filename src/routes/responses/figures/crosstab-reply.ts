import { z } from 'zod';
import { BASES } from '../../../domain/statistics/base.ts';
import { INDEPENDENCE_TESTS } from '../../../domain/statistics/independence.ts';
import { countedSchema } from '../../selection-query.ts';

const count = z.int().nonnegative();
const figure = z.number().nullable();

const base = z.strictObject({
  unweighted: count,
  weighted: z.number(),
  effective: z.number().describe('Effective base (Kish): (Σw)²/Σw²'),
});

const axis = z
  .strictObject({
    column_codes: z.array(z.string()).describe('Several codes are nested, outermost first'),
    label: z.string(),
    type: z
      .enum(['single', 'multiple', 'number'])
      .describe('`multiple`: a respondent can be in several categories; `number`: means only'),
  })
  .meta({ id: 'CrosstabVariable' });

const category = {
  label: z.string(),
  is_net: z.boolean(),
  missing: z.boolean().describe('Contains options marked as missing'),
  categories: z
    .array(
      z.strictObject({
        column_code: z.string(),
        code: figure,
        value: z.string().nullable(),
        label: z.string(),
        values: z.array(z.string()).nullable().describe('Values that the net combines'),
      }),
    )
    .describe('One per nested variable'),
};

const letters = z
  .array(z.string())
  .optional()
  .describe('Letters of the columns that are significantly lower: upper case at 95 %, lower case at 90 %');
const tests = z
  .array(
    z.strictObject({
      columns: z.tuple([z.string(), z.string()]),
      t: z.number().describe('Positive if the first column is higher'),
      df: z.number(),
      p_value: z.number().describe('Two-sided, with the requested correction'),
    }),
  )
  .optional();

const cell = z.strictObject({
  count,
  weighted_count: figure,
  column_percent: figure.optional(),
  row_percent: figure.optional(),
  total_percent: figure.optional(),
  letters,
});

const mean = z.strictObject({
  count,
  weighted_count: figure,
  effective_base: z.number(),
  mean: figure,
  sd: figure.describe('Sample standard deviation (n - 1)'),
  se: figure.describe('sd / √(effective base)'),
  letters,
});

/** See domain/statistics/crosstab/table.ts. */
export const crosstabSchema = z
  .strictObject({
    weight_column: z.string().nullable(),
    responses: count.describe('Responses in the tables: those of `counted` with a positive weight'),
    counted: countedSchema,
    without_weight: count.describe('Responses left out because they have no positive weight'),
    base: z.enum(BASES),
    min_base: count,
    correction: z.enum(['none', 'bonferroni', 'fdr']),
    tables: z
      .array(
        z.strictObject({
          row: axis,
          column: axis.nullable(),
          base: base.describe('Respondents in the base of both rows and columns'),
          outside_base: count,
          columns: z.array(z.strictObject({ letter: z.string(), ...category, base })),
          rows: z.array(
            z.strictObject({
              ...category,
              base,
              total: cell,
              cells: z.array(cell).describe('In the order of `columns`'),
              tests,
            }),
          ),
          mean: z
            .strictObject({ total: mean, cells: z.array(mean), tests })
            .nullable()
            .describe('Mean of a number, or of numeric category codes'),
          chi_square: z
            .strictObject({
              test: z
                .enum(INDEPENDENCE_TESTS)
                .describe(
                  "`pearson`: Pearson's chi-square without continuity correction (R: `chisq.test(correct = FALSE)`), of an unweighted table. " +
                    '`rao_scott_f`: with a weight, the second-order correction of Rao and Scott with its F distribution ' +
                    '(R: `survey::svychisq(statistic = "F")` with `svydesign(~1, weights = ~w)`)',
                ),
              statistic: z.number().describe('Chi-square, or F of `rao_scott_f`'),
              df: z
                .number()
                .describe('For `rao_scott_f` the numerator degrees of freedom, usually not an integer'),
              df2: z.number().nullable().describe('Denominator degrees of freedom; null for `pearson`'),
              p_value: z.number(),
              cramers_v: z.number().describe('Computed from weighted shares if there is a weight'),
              uncorrected: z
                .strictObject({ statistic: z.number(), df: count })
                .nullable()
                .describe(
                  "With a weight: Pearson's chi-square of the table scaled to the number of respondents, before the correction. Do not test with it",
                ),
              fisher_p_value: z
                .number()
                .nullable()
                .describe("Fisher's exact test for unweighted 2x2 tables (R: `fisher.test`); otherwise null"),
              smallest_expected: z
                .number()
                .describe('Smallest expected count under independence, in unweighted respondents'),
              expected_below_5: count.describe(
                'Number of cells with an expected count below 5; reported in `notes`',
              ),
            })
            .nullable()
            .optional()
            .describe('null if there is nothing to test or respondents can be in several categories'),
          notes: z.array(z.strictObject({ code: z.string(), message: z.string() })),
        }),
      )
      .describe('For each row variable, one table per column variable'),
  })
  .meta({ id: 'Crosstab' });
