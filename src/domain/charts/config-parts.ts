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
        'Of a date: into which periods it is grouped, empty ones included; a week begins on Monday. Moments (started_at, …) by the calendar of ' +
          'the time zone of the survey. Default: its own precision, or the finest of day, month and year that has at most 1,000 categories. ' +
          '400 for other columns',
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
        'median: quantile(x, 0.5, type = 7) of R, with weights Hmisc::wtd.quantile(x, w, 0.5, normwt = TRUE)',
      ),
    column_code: columnText
      .optional()
      .describe(
        'A number, a 0/1 column, or a choice whose measure is ordinal or scale; 422 for a nominal one',
      ),
    n: z
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe('top_box: of so many of the highest answers; of a ranking, of the first ranks. Default 2'),
    value: z
      .union([valueText.transform((value) => [value]), valueTexts])
      .pipe(z.array(z.string()))
      .optional()
      .describe('gauge and kpi: which answers are counted; of a ranking, which option is shown'),
  })
  .meta({ id: 'Aggregation' });

/** `"count"` means `{"function": "count"}`. */
export const aggregation = z
  .union([z.enum(AGGREGATIONS).transform((name) => ({ function: name })), aggregationObject])
  .pipe(aggregationObject);
export type AggregationChoice = z.infer<typeof aggregationObject>;

/** Checked against the survey's columns when figures are computed. */
export const filterInput = z
  .union([z.string().max(MAX_FILTER_CHARACTERS), jsonObject])
  .meta({ id: 'ChartFilter', description: 'Which responses count: an expression as text, or a condition' });

/** Whether an element counts test and flagged responses; see domain/dataset/filter/select-rows.ts. */
export const countedChoice = {
  include_test: z
    .boolean()
    .nullable()
    .optional()
    .describe(
      'Whether test responses count; by default until the survey is published and has real ones. Never on a public dashboard',
    ),
  quality: z
    .enum(['exclude_confirmed', 'include_all'])
    .optional()
    .describe('`include_all`: responses with a confirmed quality flag count, too'),
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
        'Order of the categories: as in the survey, by what is drawn, or by label. Rows of a matrix are sorted by their mean, else by the ' +
          'share of the first option; options of a ranking by the share that ranked them first. Nets stay last',
      ),
    limit: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'At most so many categories: the largest, of dates and numbers the last; the rest is "Other". Rows of a matrix and options of a ' +
          'ranking beyond it are left out. Default: all; 30 of an open text',
      ),
    show_rest: z
      .boolean()
      .default(true)
      .describe('false: what is beyond `limit` is left out, instead of added up as "Other"'),
    show_values: z.boolean().default(true).describe('Whether figures are written at bars, points and slices'),
    colors: z
      .array(color)
      .max(50)
      .optional()
      .describe(
        'Hex colours: of the series in order, with a single series of the categories. Default: the palette of the page',
      ),
    decimals: z
      .int()
      .min(0)
      .max(6)
      .optional()
      .describe(
        'How many are written; figures in the reply are not rounded. Default: 0 for counts and percents, 2 for a mean under 10, else 1',
      ),
    base: z
      .enum(CHART_BASES)
      .optional()
      .describe(
        'Of whom percents are: `answering` (the default), `shown` (who was asked), `total` (all responses that count). Of a ranking asked as ' +
          'a whole the default is `shown`, and `answering` are those who ranked the option',
      ),
    stacked_percent: z
      .boolean()
      .optional()
      .describe(
        'Percents are of the category, so that each bar is 100 %, instead of the series. Default: true for a stacked-bar with a series, else ' +
          'false. With a multiple choice as series a bar may exceed 100 %',
      ),
    bins: z
      .union([z.enum(['auto', 'none']), z.int().min(2).max(30)])
      .default('auto')
      .describe(
        'Of a number: `auto` groups more than 20 different values into classes of equal width by the rule of Freedman and Diaconis, at most 30, ' +
          'on round edges; `none` lists each value (intervals above 1,000); a number asks for about so many classes. `binning` in the reply ' +
          'says what was done. Not with nets of the number',
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
      .describe('0.9 adds lower-case letters for differences at 90 %'),
  })
  .meta({ id: 'ChartComparison' });

export const decimals = z.int().min(0).max(6);
export const elementLabel = label;
export const oneValue = valueText;
