import { z } from 'zod';
import { BASES } from '../../domain/statistics/base.ts';
import { CORRECTIONS } from '../../domain/statistics/adjust-p-values.ts';
import {
  COMPARED_WITH,
  MAX_CELLS_IN_ALL,
  MAX_COLUMNS,
  MAX_ROWS,
  ROW_STATISTICS,
} from '../../domain/statistics/crosstab/table.ts';
import { MEAN_TESTS, SHARE_TESTS } from '../../domain/statistics/crosstab/test-convention.ts';
import { INDEPENDENCE_TESTS } from '../../domain/statistics/independence.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { crosstabBody, MAX_NESTED, toCrosstabRequest } from '../crosstab-body.ts';
import { conventionSchema, precisionFields } from '../interval-schemas.ts';
import { inclusionCountsSchema } from '../selection-query.ts';
import { crosstabResponsesReplyExample } from './crosstab-examples.ts';

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
  .describe(
    'Letters of the columns that are significantly lower: upper case at the first of `test_levels`, lower case at the second',
  );
const comparison = z
  .strictObject({
    difference: z
      .number()
      .describe('In percentage points, or in the unit of the mean; positive if the cell is higher'),
    t: z.number(),
    df: z.number(),
    p_value: z.number().describe('Two-sided, with the requested correction'),
    direction: z.enum(['higher', 'lower']).nullable().describe('null: not significant'),
    level: figure.describe('The highest of `test_levels` at which it is significant'),
    column: z.string().optional().describe('Letter of the column of an earlier wave'),
  })
  .meta({ id: 'CellComparison' })
  .nullable()
  .optional();
const comparisons = z
  .strictObject({
    total: comparison,
    rest: comparison,
    previous_wave: comparison,
    year_before: comparison,
  })
  .optional()
  .describe('Those of `compare_with`; null: not tested');
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
  ...precisionFields,
  letters,
  comparisons,
});

const statistic = z.strictObject({
  value: figure,
  count: count.describe('Respondents with a value'),
  weighted_count: figure,
  ...precisionFields,
  letters,
  comparisons,
});

const mean = z.strictObject({
  count,
  weighted_count: figure,
  effective_base: z.number(),
  mean: figure,
  sd: figure.describe('Sample standard deviation (n - 1)'),
  se: figure.describe('sd / √n; with weights or a design linearized, as `svymean` of R'),
  ci_low: figure.optional(),
  ci_high: figure.optional(),
  df: figure.optional(),
  letters,
  comparisons,
});

/** See domain/statistics/crosstab/table.ts. */
const crosstabSchema = z
  .strictObject({
    weight_column: z.string().nullable(),
    responses: count.describe('Responses in the tables: those of `counted` with a positive weight'),
    counted: inclusionCountsSchema,
    without_weight: count.describe('Responses left out because they have no positive weight'),
    base: z.enum(BASES),
    min_base: count,
    correction: z.enum(CORRECTIONS),
    convention: conventionSchema
      .optional()
      .describe('With `intervals`, or a design of the survey: how standard errors and tests were computed'),
    test_convention: z
      .strictObject({
        compare_with: z.array(z.enum(COMPARED_WITH)),
        levels: z.array(z.number()),
        correction: z.enum(CORRECTIONS),
        min_base: count,
        overlapping_columns: z.boolean(),
        shares: z
          .enum(SHARE_TESTS)
          .describe(
            'Test of percentages of two columns: pooled proportions, or with weights or a design Rao–Scott F',
          ),
        means: z
          .enum(MEAN_TESTS)
          .describe('Test of means of two columns: Welch, or linearized with weights or a design'),
        independent_waves: z
          .boolean()
          .nullable()
          .describe('Under a design, with comparisons of waves: whether each wave has strata of its own'),
      })
      .meta({ id: 'TestConvention' })
      .describe('How cells were tested'),
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
          row_statistics: z
            .array(
              z.strictObject({
                statistic: z.enum(ROW_STATISTICS),
                total: statistic,
                cells: z.array(statistic),
                tests,
              }),
            )
            .optional()
            .describe('Those requested that the row variable has'),
          chi_square: z
            .strictObject({
              test: z
                .enum(INDEPENDENCE_TESTS)
                .describe(
                  "`pearson`: Pearson's chi-square without continuity correction (R: `chisq.test(correct = FALSE)`), of an unweighted table. " +
                    '`rao_scott_f`: with a weight, the second-order correction of Rao and Scott with its F distribution ' +
                    '(R: `survey::svychisq(statistic = "F")` with `svydesign(~1, weights = ~w)` or the design of the survey)',
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

export const crosstabRoute = defineRoute({
  method: 'post',
  path: '/api/responses/:surveyId/crosstab',
  operationId: 'crosstabResponses',
  summary: 'Compute a crosstab',
  description: [
    'Computes one table for each of `rows` with each of `columns`; without columns, only totals. A list of codes within `rows` or `columns` ' +
      `nests variables, outermost first (up to ${MAX_NESTED}). A multiple choice, given by its question code, has respondents as its base, including those who selected no option.`,
    '**Variables**: a number without categories is a row of means only; as a column it is grouped in intervals with `max_groups` and otherwise 422, as are dates. Metadata with few values (status, language, wave) have categories. ' +
      '`mean` uses the codes of an ordinal or scale variable; it is null if the measure is nominal (the default of choice questions, see question_settings.measure).',
    '**Base**: respondents without an answer to both questions, or only with options marked as missing, are outside the base unless `base` is shown or all. ' +
      'Percentages are 0 to 100, weighted if there is a weight; the effective base is (Σw)²/Σw². Responses without a positive weight are left out.',
    '**Design**: if the survey has a sampling design (`PUT /api/surveys/:surveyId/design`), percentages, letters, chi-square and intervals use it with its weight; another weight is ' +
      '422 (`design_invalid`), as is a design that does not fit the data. `design: false` leaves it out. `intervals` adds the precision of each column percentage and mean, with the column as ' +
      'the domain.',
    '**Letters**: a column has the letters of the columns that are significantly lower in that row, upper case at 95 %, lower case at 90 %. Shares are compared by pooled ' +
      'proportions (df n1 + n2 - 2), means by Welch’s t test. With weights, shares are compared by the Rao–Scott F of the two columns and means with linearized standard errors. `correction` applies over the pairs of a row. ' +
      'Columns of one variable are compared, nested ones within the same outer categories. Nets and columns with fewer than `min_base` respondents get no letters; options of a multiple choice are ' +
      'tested with the covariance of their shared respondents unless `overlapping_columns` is false. `notes` report this, and `test_convention` how cells were tested.',
    '**Comparisons**: `compare_with` also tests each column against the total, the rest and earlier waves.',
    '**Chi-square** is computed over categories without nets and missing ones. Without a weight it is Pearson’s, without continuity correction; with a weight it has the ' +
      'second-order correction of Rao and Scott with an F distribution, as `svychisq` of the R package survey with all counted responses as the design. ' +
      'A note reports expected counts below 5; unweighted 2x2 tables also have the p value of Fisher’s exact test.',
    `**Limits**: a table has at most ${MAX_ROWS} rows and ${MAX_COLUMNS} columns, all tables together ${MAX_CELLS_IN_ALL} cells (crosstab_too_large).`,
    '`tests` (t, df and p of each letter) are returned only if `statistics` includes them or is `all`.',
  ].join('\n\n'),
  access: onSurvey('view'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  body: crosstabBody,
  example: {
    rows: ['Q4'],
    columns: ['Q1'],
    filter: 'Q2 >= 18',
    statistics: ['column_percent', 'chi_square', 'letters', 'means'],
  },
  reply: dataReply(crosstabSchema),
  replyExample: crosstabResponsesReplyExample,
  idempotent: false,
  errors: {
    422: 'A column without categories, a weight that is not numeric, a table that is too large, or a design that does not fit the data (design_invalid)',
  },
  async handler({ services, scope, body }) {
    const crosstab = await services.crosstabs.compute(scope, toCrosstabRequest(body));
    return {
      weight_column: crosstab.weightColumn,
      responses: crosstab.responses,
      without_weight: crosstab.withoutWeight,
      counted: crosstab.counted,
      base: body.base,
      min_base: body.min_base,
      correction: body.correction,
      ...(crosstab.convention !== null && { convention: crosstab.convention }),
      test_convention: crosstab.testConvention,
      tables: crosstab.tables,
    };
  },
});
