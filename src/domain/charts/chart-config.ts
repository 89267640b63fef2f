import { z } from 'zod';
import { jsonObject } from '../../lib/json-value.ts';

/** The properties of a chart type that its figures depend on (types/figure-type.ts). */
export interface FigureKind<Type extends string = string> {
  readonly type: Type;
  /**
   * `categories`: a figure for each category. `stack`: each category is a bar of parts. `slices`: the categories are parts of a whole.
   * `single`: one number.
   */
  readonly layout: 'categories' | 'stack' | 'slices' | 'single';
  /** Whether a second statistic is drawn as a line. */
  readonly hasLine: boolean;
  /** Rules of the type for its configuration, in addition to those of all figures. */
  readonly checkConfig?: (config: FigureConfig, context: ConfigContext) => void;
}

/** Functions that can be computed for each category. */
export const AGGREGATIONS = [
  'count',
  'percent',
  'mean',
  'sum',
  'median',
  'min',
  'max',
  'nps',
  'top_box',
  'rank_summary',
] as const;
export type AggregationName = (typeof AGGREGATIONS)[number];

/** Whether the function counts responses; the others measure a number. */
export function isCounting(name: AggregationName): name is 'count' | 'percent' {
  return name === 'count' || name === 'percent';
}

/** Calendar periods for grouping dates; weeks begin on Monday. */
const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const MAX_VALUES = 1_000;
const MAX_NETS = 30;
const MAX_FILTER_CHARACTERS = 20_000;

export const idNumber = z.int().positive().max(2_147_483_647);
export const columnText = z.string().min(1).max(120);
export const valueText = z
  .union([z.string().max(1_000), z.number()])
  .transform(String)
  .pipe(z.string());
const valueTexts = z.array(valueText).min(1).max(MAX_VALUES);
export const elementLabel = z.string().trim().min(1).max(200);

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
const aggregation = z
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

const nets = z
  .array(z.strictObject({ label: elementLabel, values: valueTexts }).meta({ id: 'Net' }))
  .max(MAX_NETS);

const color = z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a hex color such as #6366f1');

const SORTS = ['original', 'value_desc', 'value_asc', 'label'] as const;
/** The base of percentages: respondents with an answer, those shown the question, or all. */
const CHART_BASES = ['answering', 'shown', 'total'] as const;

const chartOptions = z
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
        'Hex colors of the series in order; with a single series, of the categories. Default: the palette of the page',
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
          'at most 30 bins, round edges), as a series more than 6 into at most 6; `none` lists every value (intervals above 1,000 values); an integer requests about ' +
          'that many bins. `binning` in the reply describes the result. Not allowed with nets on the number',
      ),
  })
  .meta({ id: 'ChartOptions' });
export type ChartOptions = z.infer<typeof chartOptions>;

const compare = z
  .strictObject({
    letters: z.literal(true),
    level: z
      .union([z.literal(0.95), z.literal(0.9)])
      .default(0.95)
      .describe('0.9 adds lower-case letters for differences that are significant at 90 %'),
  })
  .meta({ id: 'ChartComparison' });

export type ConfigContext = Pick<z.core.$RefinementCtx, 'addIssue'>;

export function addConfigIssue(context: ConfigContext, path: (string | number)[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}

const figureShape = {
  survey_id: idNumber.optional().describe('Required if `dimension` is a column code'),
  dimension: columnChoice.describe(
    'The column whose categories are shown: a column code, a question id, or an object',
  ),
  series: columnChoice
    .optional()
    .describe('Splits every category by a second column; in a table, its columns'),
  aggregation: aggregation
    .optional()
    .describe(
      'The displayed statistic. Default: depends on question and chart type, see docs/reference/charts.md',
    ),
  line_aggregation: aggregation.optional().describe('line-bar only: the statistic of the line'),
  weight_column: columnText.optional().describe('A numeric column to weight by'),
  filter: filterInput.nullish(),
  ...countedChoice,
  compare: compare.optional().describe('Letters for significant differences between series'),
  nets: nets.optional().describe('Combined categories, listed after the categories of the dimension'),
  options: chartOptions.prefault({}),
};

/** The form of `chart_config` of all charts, single figures and tables. */
export const figureForm = { name: 'Figure', schema: z.strictObject(figureShape) };
/** The configuration of charts, single figures and tables. */
export type FigureConfig = z.infer<typeof figureForm.schema>;

/** Requires a survey_id if only column codes are given: a question id identifies its survey, a column code does not. */
export function checkSurvey(
  config: { survey_id?: number | undefined; dimension: { question_id?: number | undefined } },
  context: ConfigContext,
  name: string,
): void {
  if (config.survey_id !== undefined || config.dimension.question_id !== undefined) return;
  addConfigIssue(
    context,
    ['survey_id'],
    `is required: ${name} names a column, and no question says of which survey`,
  );
}

function checkFigures(kind: FigureKind, config: FigureConfig, context: ConfigContext): void {
  checkSurvey(config, context, 'dimension');
  const { aggregation: main, line_aggregation: line } = config;
  if (!kind.hasLine && line !== undefined)
    addConfigIssue(
      context,
      ['line_aggregation'],
      `only a line-bar has a line beside its bars, this is a ${kind.type}`,
    );
  if (kind.layout === 'single') checkSingle(kind, config, context);
  else checkCategories(config, context);
  for (const [name, one] of [
    ['aggregation', main],
    ['line_aggregation', line],
  ] as const) {
    if (one?.n !== undefined && one.function !== 'top_box')
      addConfigIssue(context, [name, 'n'], `is only allowed with top_box, not with ${one.function}`);
    if (one !== undefined && isCounting(one.function) && one.column_code !== undefined)
      addConfigIssue(
        context,
        [name, 'column_code'],
        `${one.function} counts responses and measures no column`,
      );
  }
}

function checkSingle({ type }: FigureKind, config: FigureConfig, context: ConfigContext): void {
  for (const name of ['series', 'nets', 'compare'] as const) {
    if (config[name] !== undefined)
      addConfigIssue(context, [name], `a ${type} shows one number and has no ${name}`);
  }
  if (config.aggregation === undefined) return;
  const { function: name, value } = config.aggregation;
  if (name === 'percent' && value === undefined)
    addConfigIssue(context, ['aggregation', 'value'], 'is required: the answers that the percent counts');
}

function checkCategories(
  { aggregation: main, line_aggregation: line, ...config }: FigureConfig,
  context: ConfigContext,
) {
  const named = [
    ['aggregation', main],
    ['line_aggregation', line],
  ] as const;
  for (const [name, one] of named) {
    if (one === undefined) continue;
    if (one.value !== undefined)
      addConfigIssue(
        context,
        [name, 'value'],
        'is only allowed for a gauge or kpi; use filter to count some answers only',
      );
  }
  if (config.compare === undefined) return;
  const { function: name } = main ?? { function: 'count' };
  if (['sum', 'median', 'min', 'max'].includes(name))
    addConfigIssue(
      context,
      ['compare'],
      `a ${name} has no significance test; use count, percent, mean, nps or top_box`,
    );
  else if (isCounting(name) && config.series === undefined)
    addConfigIssue(
      context,
      ['compare'],
      'needs a series: the shares of one base are not compared with each other',
    );
}

/**
 * The schema of `chart_config` for a chart type. Expands short forms and reports unknown fields by path. chart-plan.ts checks that the
 * columns exist and are suitable.
 */
export function figureConfigSchema(kind: FigureKind): z.ZodType<FigureConfig> {
  return figureForm.schema.superRefine((config, context) => {
    checkFigures(kind, config, context);
    kind.checkConfig?.(config, context);
  });
}
