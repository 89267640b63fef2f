import { z } from 'zod';
import { type FigureChart, isCounting, isSingleFigure } from './chart-types.ts';
import {
  aggregation,
  chartOptions,
  columnChoice,
  columnText,
  compare,
  countedChoice,
  filterInput,
  idNumber,
  nets,
} from './config-parts.ts';

type Context = Pick<z.core.$RefinementCtx, 'addIssue'>;

export function addConfigIssue(context: Context, path: (string | number)[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}

const figureShape = {
  survey_id: idNumber.optional(),
  dimension: columnChoice,
  series: columnChoice
    .optional()
    .describe('Splits every category by a second column; in a table, its columns'),
  aggregation: aggregation
    .optional()
    .describe(
      'The displayed statistic. Default: depends on question and chart type, see docs/reference/charts.md',
    ),
  line_aggregation: aggregation.optional().describe('line-bar only: the statistic of the line'),
  weight_column: columnText.optional(),
  filter: filterInput.nullish(),
  ...countedChoice,
  compare: compare.optional(),
  nets: nets.optional(),
  options: chartOptions.prefault({}),
};

export const figures = z.strictObject(figureShape);
/** The configuration of charts, single figures and tables. */
export type FigureConfig = z.infer<typeof figures>;

/** Requires a survey_id if only column codes are given: a question id identifies its survey, a column code does not. */
export function checkSurvey(
  config: { survey_id?: number | undefined; dimension: { question_id?: number | undefined } },
  context: Context,
  name: string,
): void {
  if (config.survey_id !== undefined || config.dimension.question_id !== undefined) return;
  addConfigIssue(
    context,
    ['survey_id'],
    `is required: ${name} names a column, and no question says of which survey`,
  );
}

function checkFigures(type: FigureChart, config: FigureConfig, context: Context): void {
  checkSurvey(config, context, 'dimension');
  const { aggregation: main, line_aggregation: line } = config;
  if (type !== 'line-bar' && line !== undefined)
    addConfigIssue(
      context,
      ['line_aggregation'],
      `only a line-bar has a line beside its bars, this is a ${type}`,
    );
  if (isSingleFigure(type)) checkSingle(type, config, context);
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

function checkSingle(type: FigureChart, config: FigureConfig, context: Context): void {
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
  context: Context,
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

/** The configuration schema of an element that draws figures. */
export function figureConfigSchema(type: FigureChart) {
  return figures.superRefine((config, context) => checkFigures(type, config, context));
}
