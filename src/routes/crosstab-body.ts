import { z } from 'zod';
import { RESPONSE_STATUSES } from '../domain/responses/response-row.ts';
import { CORRECTIONS } from '../domain/statistics/adjust-p-values.ts';
import { BASES } from '../domain/statistics/base.ts';
import type { TestLevels } from '../domain/statistics/compare-pairs.ts';
import { SMALL_COLUMNS } from '../domain/statistics/crosstab/small-columns.ts';
import { COMPARED_WITH, ROW_SORTS, ROW_STATISTICS, STATISTICS } from '../domain/statistics/crosstab/table.ts';
import { MAX_BINS } from '../domain/statistics/histogram.ts';
import type { CrosstabRequest } from '../services/figures/crosstabs.ts';
import { intervalBody, samplingOf } from './interval-schemas.ts';
import { countingBody, filterBody, toSelection, weightOf } from './selection-query.ts';

const MAX_VARIABLES = 20;
export const MAX_NESTED = 3;
const MAX_NETS = 100;
const DEFAULT_SMALL_COLUMN = 30;

const columnText = z.string().min(1).max(120);
const nestings = z
  .array(z.union([columnText, z.array(columnText).min(1).max(MAX_NESTED)]))
  .max(MAX_VARIABLES);
const list = (code: string | string[]) => (typeof code === 'string' ? [code] : code);

/** The settings of tables, as `/crosstab` and tab plans take them. */
export const crosstabBody = z.strictObject({
  rows: nestings
    .min(1)
    .describe(
      'A list is nested. The code of a matrix, a ranking, a column of a side-by-side table or a question in a loop gives a table for each of its rows, options, cells or items',
    ),
  columns: nestings.default([]),
  weight: columnText.optional().describe('A numeric column to weight by. `weight_column` is an alias'),
  weight_column: columnText.optional(),
  filter: filterBody.optional(),
  filters: filterBody.optional(),
  status: z.array(z.enum(RESPONSE_STATUSES)).min(1).optional(),
  ...countingBody,
  base: z.enum(BASES).default('answering'),
  statistics: z
    .union([z.literal('all'), z.array(z.enum(STATISTICS))], {
      error: `must be "all", or a list of some of ${STATISTICS.join(', ')}`,
    })
    .default(STATISTICS.filter((statistic) => statistic !== 'tests'))
    .describe('Statistics to return besides counts and bases; `all` returns everything, including `tests`'),
  min_base: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(30)
    .describe('Columns with fewer respondents (unweighted) are not compared'),
  correction: z
    .enum(CORRECTIONS)
    .default('none')
    .describe(
      'Adjustment of the p values of a row, over its pairs of columns, and over its columns for each other comparison: `p.adjust` of R',
    ),
  test_levels: z
    .array(z.number().min(50).max(99.99))
    .min(1)
    .max(2)
    .refine(
      ([first = 0, second = 0]) => first > second,
      'must be one level, or two with the higher one first',
    )
    .optional()
    .describe(
      'Levels of significance in percent: that of upper-case letters and, if there is a second, that of lower-case ones. Default: 95 and 90',
    ),
  compare_with: z
    .array(z.enum(COMPARED_WITH))
    .min(1)
    .max(COMPARED_WITH.length)
    .optional()
    .describe(
      'What each column is compared with. `columns` gives letters, the others `comparisons`: `total`, `rest` (all others in the total), and, with `wave_id` in ' +
        '`columns`, `previous_wave` and `year_before` (the wave that starts nearest to one year before, at most 45 days from it), of the waves with respondents. Default: columns',
    ),
  overlapping_columns: z
    .boolean()
    .optional()
    .describe(
      'Test columns that share respondents (options of a multiple choice) with each other, by the covariance of their estimates. Default: true',
    ),
  ...intervalBody,
  max_groups: z
    .int()
    .min(2)
    .max(MAX_BINS)
    .optional()
    .describe(
      'Numbers of `columns` with more distinct values are grouped in at most this many intervals of equal width with round bounds, ' +
        'dates in periods of the calendar, including empty ones',
    ),
  max_row_groups: z
    .int()
    .min(2)
    .max(MAX_BINS)
    .optional()
    .describe(
      'The same for `rows`. Default: numbers with many different values are a row of means, and dates are refused',
    ),
  row_statistics: z
    .array(z.enum(ROW_STATISTICS))
    .max(ROW_STATISTICS.length)
    .optional()
    .describe(
      'Rows of statistics of each table whose row variable has a mean. `top_2` and `bottom_2` are the percentages of the two highest and lowest points of a scale; `index` is the mean ' +
        'in percent of that of the total; `nps` is of questions of this type. `mean`, `nps` and boxes have letters and comparisons',
    ),
  sort: z
    .enum(ROW_SORTS)
    .optional()
    .describe(
      'Order of the rows, `highest` and `lowest` by their total; nets stay last. Default: questionnaire',
    ),
  small_columns: z
    .enum(SMALL_COLUMNS)
    .optional()
    .describe(
      'What happens to columns with fewer respondents than `small_column_limit`: `merge` combines those of a variable, except nets and options of a multiple choice. `notes` say so. Default: show',
    ),
  small_column_limit: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe(`With \`small_columns\`: unweighted respondents. Default: ${DEFAULT_SMALL_COLUMN}`),
  nets: z
    .array(
      z.strictObject({
        column_code: columnText,
        label: z.string().trim().min(1).max(200),
        values: z
          .array(z.union([z.string().max(1_000), z.number()]).transform(String))
          .min(1)
          .max(1_000)
          .describe('option_values of the column'),
      }),
    )
    .max(MAX_NETS)
    .default([])
    .describe('Nets: combined categories, listed after the categories of their variable'),
});

const levelsOf = ([first = 95, second]: readonly number[]): TestLevels =>
  second === undefined ? [first] : [first, second];

/** Converts a body. Its filter and columns are resolved when the tables are computed. */
export const toCrosstabRequest = (body: z.output<typeof crosstabBody>): CrosstabRequest => ({
  ...toSelection(body, ['complete']),
  rows: body.rows.map(list),
  columns: body.columns.map(list),
  nets: body.nets.map(({ column_code, label, values }) => ({ columnCode: column_code, label, values })),
  weightColumn: weightOf(body),
  base: body.base,
  statistics: new Set(body.statistics === 'all' ? STATISTICS : body.statistics),
  minBase: body.min_base,
  correction: body.correction,
  maxGroups: body.max_groups,
  sampling: samplingOf(body),
  testsOverlaps: body.overlapping_columns ?? true,
  maxRowGroups: body.max_row_groups,
  rowStatistics: body.row_statistics,
  smallColumns:
    body.small_columns === undefined
      ? undefined
      : { treatment: body.small_columns, limit: body.small_column_limit ?? DEFAULT_SMALL_COLUMN },
  ...(body.sort !== undefined && { sort: body.sort }),
  ...(body.test_levels !== undefined && { levels: levelsOf(body.test_levels) }),
  ...(body.compare_with !== undefined && { compareWith: new Set(body.compare_with) }),
});
