import { z } from 'zod';
import { BASES } from '../../../domain/statistics/base.ts';
import { INDEPENDENCE_TESTS } from '../../../domain/statistics/independence.ts';
import { countedSchema } from '../../selection-query.ts';

const count = z.int().nonnegative();
const figure = z.number().nullable();

const base = z.strictObject({
  unweighted: count,
  weighted: z.number(),
  effective: z.number().describe('(Σw)²/Σw²'),
});

const axis = z.strictObject({
  column_codes: z.array(z.string()).describe('Several are nested, the outermost first'),
  label: z.string(),
  type: z
    .enum(['single', 'multiple', 'number'])
    .describe('`multiple`: a respondent may be in several categories; `number`: only means'),
});

const category = {
  label: z.string(),
  is_net: z.boolean(),
  missing: z.boolean().describe('Holds options flagged as missing'),
  categories: z
    .array(
      z.strictObject({
        column_code: z.string(),
        code: figure,
        value: z.string().nullable(),
        label: z.string(),
        values: z.array(z.string()).nullable().describe('What a net puts together'),
      }),
    )
    .describe('One per nested variable'),
};

const letters = z
  .array(z.string())
  .optional()
  .describe('Of the columns that this one is above: upper case at 95 %, lower case at 90 %');
const tests = z
  .array(
    z.strictObject({
      columns: z.tuple([z.string(), z.string()]),
      t: z.number().describe('Above 0 where the first has more'),
      df: z.number(),
      p_value: z.number().describe('Two-sided, corrected as asked'),
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
  sd: figure.describe('n-1'),
  se: figure.describe('sd / √(effective base)'),
  letters,
});

/** See domain/statistics/crosstab/table.ts. */
export const crosstabSchema = z
  .strictObject({
    weight_column: z.string().nullable(),
    responses: count.describe('How many count: those of `counted` that have a positive weight'),
    counted: countedSchema,
    without_weight: count.describe('Left out for want of a positive weight'),
    base: z.enum(BASES),
    min_base: count,
    correction: z.enum(['none', 'bonferroni', 'fdr']),
    tables: z
      .array(
        z.strictObject({
          row: axis,
          column: axis.nullable(),
          base: base.describe('In the base of the rows and of the columns'),
          outside_base: count,
          columns: z.array(z.strictObject({ letter: z.string(), ...category, base })),
          rows: z.array(
            z.strictObject({
              ...category,
              base,
              total: cell,
              cells: z.array(cell).describe('Parallel to the columns'),
              tests,
            }),
          ),
          mean: z
            .strictObject({ total: mean, cells: z.array(mean), tests })
            .nullable()
            .describe('Of a number, or of the codes of the categories where these are numbers'),
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
              df: z.number().describe('Of `rao_scott_f` the numerator degrees of freedom, seldom whole'),
              df2: z.number().nullable().describe('Denominator degrees of freedom; null for `pearson`'),
              p_value: z.number(),
              cramers_v: z.number().describe('From the weighted shares, where there is a weight'),
              uncorrected: z
                .strictObject({ statistic: z.number(), df: count })
                .nullable()
                .describe(
                  "With a weight, Pearson's chi-square of the table scaled to its respondents, before the correction; its p would be wrong",
                ),
              fisher_p_value: z
                .number()
                .nullable()
                .describe(
                  "Fisher's exact test, of unweighted tables of two by two (R: `fisher.test`); else null",
                ),
              smallest_expected: z
                .number()
                .describe(
                  'Respondents, unweighted, that independence would put into the cell with the fewest',
                ),
              expected_below_5: count.describe('Cells with fewer than 5 of them: a note says so'),
            })
            .nullable()
            .optional()
            .describe('Null where there is nothing to test, or a respondent may be in several categories'),
          notes: z.array(z.strictObject({ code: z.string(), message: z.string() })),
        }),
      )
      .describe('Row by row, for each all the columns'),
  })
  .meta({ id: 'Crosstab' });
