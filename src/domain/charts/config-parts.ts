import { z } from 'zod';
import { AGGREGATIONS } from './chart-types.ts';
import { PERIODS } from './periods.ts';
import { jsonObject } from '../../lib/json-value.ts';

const MAX_VALUES = 1_000;
const MAX_NETS = 30;
const MAX_FILTER_CHARACTERS = 20_000;

export const idNumber = z.int().positive().max(2_147_483_647);
export const columnText = z.string().min(1).max(120);
const valueText = z
  .union([z.string().max(1_000), z.number()])
  .transform(String)
  .pipe(z.string());
const valueTexts = z.array(valueText).min(1).max(MAX_VALUES);
const label = z.string().trim().min(1).max(200);

const columnObject = z
  .strictObject({
    question_id: idNumber.optional(),
    column_code: columnText.optional(),
    period: z
      .enum(PERIODS)
      .optional()
      .describe(
        'For a date: the period that values are grouped by; empty periods are included, and weeks start on Monday. Times ' +
          'such as started_at are grouped in the time zone of the survey. Default: the precision of the question, or the ' +
          'finest of day, month and year with at most 1,000 categories. 400 for other columns',
      ),
  })
  .refine(({ question_id, column_code }) => question_id !== undefined || column_code !== undefined, {
    error: 'needs question_id or column_code',
  })
  .meta({ id: 'ColumnReference' });

/** A column by question or code. A bare code or question id is accepted too. */
export const columnChoice = z
  .union([
    columnText.transform((column_code) => ({ column_code })),
    idNumber.transform((question_id) => ({ question_id })),
    columnObject,
  ])
  .pipe(columnObject);
export type ColumnChoice = z.infer<typeof columnObject>;

const aggregationObject = z
  .strictObject({
    function: z
      .enum(AGGREGATIONS)
      .describe(
        'top_box: share of the highest answers. median: `quantile(x, 0.5, type = 7)` of R, with weights ' +
          '`Hmisc::wtd.quantile(x, w, 0.5, normwt = TRUE)`',
      ),
    column_code: columnText
      .optional()
      .describe(
        'The column to aggregate: a number, a 0/1 column, or a choice whose measure is ordinal or scale; a nominal column ' +
          'is 422',
      ),
    n: z
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe(
        'top_box: number of highest answers to count; for a ranking, number of first ranks. Default: 2',
      ),
    value: z
      .union([valueText.transform((value) => [value]), valueTexts])
      .pipe(z.array(z.string()))
      .optional()
      .describe('gauge and kpi: the answers to count; for a ranking, the option to show'),
  })
  .meta({ id: 'Aggregation' });

/** `"count"` means `{"function": "count"}`. */
export const aggregation = z
  .union([z.enum(AGGREGATIONS).transform((name) => ({ function: name })), aggregationObject])
  .pipe(aggregationObject);
export type AggregationChoice = z.infer<typeof aggregationObject>;

/** Checked against the survey's columns when figures are computed. */
export const filterInput = z.union([z.string().max(MAX_FILTER_CHARACTERS), jsonObject]).meta({
  id: 'ChartFilter',
  description: 'Selects the responses to count: an expression such as `Q1 >= 4`, or a condition tree',
});

/** Whether an element counts test and flagged responses; see domain/dataset/filter/select-rows.ts. */
export const countedChoice = {
  include_test: z
    .boolean()
    .nullable()
    .optional()
    .describe(
      'Include test responses. Default: only until the published survey has a real response. Never included on public ' +
        'dashboards',
    ),
  quality: z
    .enum(['exclude_confirmed', 'include_all'])
    .optional()
    .describe('`include_all` includes responses with a confirmed quality flag. Default: `exclude_confirmed`'),
};

export const nets = z.array(z.strictObject({ label, values: valueTexts }).meta({ id: 'Net' })).max(MAX_NETS);

const color = z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a hex colour such as #6366f1');

const SORTS = ['original', 'value_desc', 'value_asc', 'label'] as const;
/** The base of percentages: respondents with an answer, those shown the question, or all. */
const CHART_BASES = ['answering', 'shown', 'total'] as const;

export const chartOptions = z
  .strictObject({
    sort: z
      .enum(SORTS)
      .default('original')
      .describe(
        'Order of the categories: as in the survey, by the displayed value, or by label. Matrix rows are sorted by their ' +
          'mean, otherwise by the share of the first option; ranking options by the share ranked first. Nets stay last',
      ),
    limit: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'Maximum number of categories: the largest ones, or the last ones for dates and numbers; the rest is combined as ' +
          '"Other". Excess matrix rows and ranking options are left out. Default: all; 30 for an open text',
      ),
    show_rest: z
      .boolean()
      .default(true)
      .describe('Combine categories beyond `limit` as "Other"; false leaves them out'),
    show_values: z.boolean().default(true).describe('Show values at bars, points and slices'),
    colors: z
      .array(color)
      .max(50)
      .optional()
      .describe(
        'Hex colours of the series in order; with a single series, of the categories. Default: the palette of the page',
      ),
    decimals: z
      .int()
      .min(0)
      .max(6)
      .optional()
      .describe(
        'Decimals of displayed values; values in the reply are not rounded. Default: 0 for counts and percentages, 2 for ' +
          'means under 10, otherwise 1',
      ),
    base: z
      .enum(CHART_BASES)
      .optional()
      .describe(
        'Base of percentages: respondents who answered (`answering`, the default), who were shown the question (`shown`), ' +
          'or all selected responses (`total`). For a whole ranking, the default is `shown`, and `answering` means ' +
          'respondents who ranked the option',
      ),
    stacked_percent: z
      .boolean()
      .optional()
      .describe(
        'Percentages within each category, so that each bar is 100 %, instead of within each series. Default: true for a ' +
          'stacked-bar with a series, otherwise false. With a multiple choice as series, a bar can exceed 100 %',
      ),
    bins: z
      .union([z.enum(['auto', 'none']), z.int().min(2).max(30)])
      .default('auto')
      .describe(
        'Binning of a number: `auto` groups more than 20 different values into bins of equal width (Freedman–Diaconis rule, ' +
          'at most 30 bins, round edges); `none` lists every value (intervals above 1,000 values); an integer requests about ' +
          'that many bins. `binning` in the reply describes the result. Not allowed with nets on the number',
      ),
  })
  .meta({ id: 'ChartOptions' });
export type ChartOptions = z.infer<typeof chartOptions>;

export const compare = z
  .strictObject({
    letters: z.literal(true),
    level: z
      .union([z.literal(0.95), z.literal(0.9)])
      .default(0.95)
      .describe('0.9 adds lower-case letters for differences that are significant at 90 %'),
  })
  .meta({ id: 'ChartComparison' });

export const decimals = z.int().min(0).max(6);
export const elementLabel = label;
export const oneValue = valueText;
