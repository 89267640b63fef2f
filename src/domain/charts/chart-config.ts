import { z } from 'zod';
import { type ChartType, type FigureChart, isFigureChart } from './chart-types.ts';
import {
  columnChoice,
  columnText,
  countedChoice,
  decimals,
  elementLabel,
  filterInput,
  idNumber,
  oneValue,
} from './config-parts.ts';
import {
  checkSurvey,
  type FigureConfig,
  figureConfigSchema,
  figures,
  addConfigIssue,
} from './figure-config.ts';

/** Allows a long section of text but keeps dashboard replies small. */
const MAX_TEXT_CHARACTERS = 20_000;

const text = z.strictObject({ text: z.string().max(MAX_TEXT_CHARACTERS).describe('Markdown') });

const filterElement = z
  .strictObject({
    question_id: idNumber.optional(),
    column_code: columnText.optional(),
    multiple: z.boolean().default(false),
    label: elementLabel.optional(),
  })
  .refine(({ question_id, column_code }) => question_id !== undefined || column_code !== undefined, {
    error: 'needs question_id or column_code',
  });

const filter = z
  .strictObject({ survey_id: idNumber.optional(), filterElement })
  .superRefine(({ survey_id, filterElement: dimension }, context) =>
    checkSurvey({ survey_id, dimension }, context, 'filterElement'),
  );
/** A filter control for the charts of its survey. */
export type FilterConfig = z.infer<typeof filter>;

export const VARIABLE_METRICS = ['base', 'count', 'sum', 'mean'] as const;
export const SPARKLINES = ['day', 'week', 'month', 'wave'] as const;

const variableObject = z
  .strictObject({
    metric: z.enum(VARIABLE_METRICS),
    value: oneValue
      .optional()
      .describe('count only: the answer to count. Default: all respondents who answered'),
    column_code: columnText
      .optional()
      .describe(
        'sum and mean only: a number, or a choice whose measure is ordinal or scale. Default: the dimension',
      ),
    prefix: z.string().max(20).optional(),
    suffix: z.string().max(20).optional(),
    decimals: decimals.optional(),
    compare_to: z
      .literal('previous_wave')
      .optional()
      .describe('Show the value of the newest wave with responses, and the value of the wave before it'),
    sparkline: z.enum(SPARKLINES).optional(),
  })
  .superRefine(({ metric, value, column_code }, context) => {
    if (value !== undefined && metric !== 'count')
      addConfigIssue(context, ['value'], `is only allowed with count, not with ${metric}`);
    if (column_code !== undefined && metric !== 'sum' && metric !== 'mean')
      addConfigIssue(context, ['column_code'], `is only allowed with sum and mean, not with ${metric}`);
  })
  .meta({ id: 'VariableMetric' });

const variable = z
  .strictObject({
    survey_id: idNumber.optional(),
    dimension: columnChoice,
    variable: z
      .union([z.enum(VARIABLE_METRICS).transform((metric) => ({ metric })), variableObject])
      .pipe(variableObject),
    weight_column: columnText.optional(),
    filter: filterInput.nullish(),
    ...countedChoice,
  })
  .superRefine((config, context) => checkSurvey(config, context, 'dimension'));
/** A single number with its label and source. */
export type VariableConfig = z.infer<typeof variable>;

interface TextConfig {
  text: string;
}

/** What an element shows, by element type. Short forms are expanded. */
export type ChartConfig<Type extends ChartType = ChartType> = Type extends FigureChart
  ? FigureConfig
  : Type extends 'text'
    ? TextConfig
    : Type extends 'filter'
      ? FilterConfig
      : VariableConfig;

/** Schemas by kind of element. They do not check which figures a chart type accepts. */
export const chartConfigShapes = { figures, text, filter, variable };

/**
 * The schema of `chart_config` for an element type. Reports unknown fields by path. chart-plan.ts checks that the columns exist and are
 * suitable.
 */
export function chartConfigSchema<Type extends ChartType>(type: Type): z.ZodType<ChartConfig<Type>>;
export function chartConfigSchema(type: ChartType): z.ZodType<ChartConfig> {
  if (isFigureChart(type)) return cachedFigureSchema(type);
  return { text, filter, variable }[type];
}

const schemaCache = new Map<FigureChart, z.ZodType<FigureConfig>>();

function cachedFigureSchema(type: FigureChart): z.ZodType<FigureConfig> {
  const known = schemaCache.get(type) ?? figureConfigSchema(type);
  schemaCache.set(type, known);
  return known;
}
