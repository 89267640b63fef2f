import { z } from 'zod';
import { AGGREGATIONS } from './chart-types.ts';
import { PERIODS } from './periods.ts';

const MAX_VALUES = 1_000;
const MAX_NETS = 30;
const MAX_FILTER_CHARACTERS = 20_000;

export const idNumber = z.int().positive().max(2_147_483_647);
export const columnText = z.string().min(1).max(120);
const valueText = z.union([z.string().max(1_000), z.number()]).transform(String);
const label = z.string().trim().min(1).max(200);

const columnObject = z
  .strictObject({
    question_id: idNumber.optional(),
    column_code: columnText.optional(),
    period: z
      .enum(PERIODS)
      .optional()
      .describe(
        'Of a date: what is put together; of moments (started_at, …) by the calendar of the time zone of the survey',
      ),
  })
  .refine(({ question_id, column_code }) => question_id !== undefined || column_code !== undefined, {
    error: 'needs question_id or column_code',
  });

/** A column by its question or its code; a bare code or question id means the same. */
export const columnChoice = z
  .union([
    columnText.transform((column_code) => ({ column_code })),
    idNumber.transform((question_id) => ({ question_id })),
    columnObject,
  ])
  .transform((choice): z.infer<typeof columnObject> => choice)
  .meta({ id: 'ChartColumn' });
export type ColumnChoice = z.infer<typeof columnObject>;

const aggregationObject = z.strictObject({
  function: z
    .enum(AGGREGATIONS)
    .describe(
      'median: quantile(x, 0.5, type = 7) of R, with weights Hmisc::wtd.quantile(x, w, 0.5, normwt = TRUE)',
    ),
  column_code: columnText
    .optional()
    .describe('A number, a 0/1 column, or a choice whose measure is ordinal or scale; 422 for a nominal one'),
  n: z.int().min(1).max(10).optional().describe('top_box: of so many of the highest answers; 2'),
  value: z
    .union([valueText.transform((value) => [value]), z.array(valueText).min(1).max(MAX_VALUES)])
    .optional()
    .describe('gauge and kpi: which answers are counted'),
});

/** `"count"` means `{"function": "count"}`. */
export const aggregation = z
  .union([z.enum(AGGREGATIONS).transform((name) => ({ function: name })), aggregationObject])
  .transform((chosen): z.infer<typeof aggregationObject> => chosen)
  .meta({ id: 'ChartAggregation' });
export type AggregationChoice = z.infer<typeof aggregationObject>;

/** What it says is checked against the survey's columns when figures are made. */
export const filterInput = z.union([z.string().max(MAX_FILTER_CHARACTERS), z.record(z.string(), z.json())]);

/** Which test and flagged responses an element counts; see domain/dataset/filter/select-rows.ts. */
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

export const nets = z
  .array(z.strictObject({ label, values: z.array(valueText).min(1).max(MAX_VALUES) }))
  .max(MAX_NETS);

const color = z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a hex colour such as #6366f1');

const SORTS = ['original', 'value_desc', 'value_asc', 'label'] as const;
/** Of whom percents are: those with an answer, those who were shown the question, all. */
const CHART_BASES = ['answering', 'shown', 'total'] as const;

export const chartOptions = z.strictObject({
  sort: z.enum(SORTS).default('original'),
  limit: z.int().min(1).max(100).optional().describe('The largest so many; the rest is "Other"'),
  show_rest: z.boolean().default(true),
  show_values: z.boolean().default(true),
  colors: z.array(color).max(50).optional(),
  decimals: z.int().min(0).max(6).optional().describe('How many are drawn; figures come in full'),
  base: z.enum(CHART_BASES).default('answering'),
  stacked_percent: z.boolean().optional().describe('Percents are of the category, so that each bar is 100 %'),
});
export type ChartOptions = z.infer<typeof chartOptions>;

export const compare = z.strictObject({
  letters: z.literal(true),
  level: z
    .union([z.literal(0.95), z.literal(0.9)])
    .default(0.95)
    .describe('0.9 adds lower-case letters for differences at 90 %'),
});

export const decimals = z.int().min(0).max(6);
export const elementLabel = label;
export const oneValue = valueText;
