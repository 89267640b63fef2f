import { z } from 'zod';
import { RESPONSE_STATUSES } from '../domain/responses/response-row.ts';
import { CORRECTIONS } from '../domain/statistics/adjust-p-values.ts';
import { BASES } from '../domain/statistics/base.ts';
import { STATISTICS } from '../domain/statistics/crosstab/table.ts';
import { MAX_BINS } from '../domain/statistics/histogram.ts';
import type { CrosstabRequest } from '../services/figures/crosstabs.ts';
import { intervalBody, samplingOf } from './interval-schemas.ts';
import { countingBody, filterBody, toSelection, weightOf } from './selection-query.ts';

const MAX_VARIABLES = 20;
export const MAX_NESTED = 3;
const MAX_NETS = 100;

const columnText = z.string().min(1).max(120);
const nestings = z
  .array(z.union([columnText, z.array(columnText).min(1).max(MAX_NESTED)]))
  .max(MAX_VARIABLES);
const list = (code: string | string[]) => (typeof code === 'string' ? [code] : code);

/** The settings of tables, as `/crosstab` and tab plans take them. */
export const crosstabBody = z.strictObject({
  rows: nestings.min(1),
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
  correction: z.enum(CORRECTIONS).default('none'),
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
});
