import { z } from 'zod';
import { VARIABLE_METRICS } from '../domain/charts/chart-config.ts';
import { countedSchema } from './selection-query.ts';
import { AGGREGATIONS, FIGURE_CHARTS } from '../domain/charts/chart-types.ts';
import { MEASURES } from '../domain/dataset/columns/column-spec.ts';

const figure = z.number().nullable();
const flag = z.literal(true).optional();

const column = z.strictObject({
  column_code: z.string(),
  label: z.string(),
  measure: z.enum(MEASURES).describe('Whether its categories have an order'),
});

const base = z.strictObject({
  unweighted: z.number(),
  weighted: z.number(),
  effective: z.number().describe('(Σw)²/Σw²'),
});

const note = z.strictObject({ code: z.string(), message: z.string() });

const applied = {
  filters_applied: z
    .array(
      z.strictObject({ column_code: z.string(), label: z.string(), values: z.array(z.string()).nullable() }),
    )
    .describe('Filters of the dashboard that narrowed this element: those on its own survey'),
  data_version: z.string().describe('Differs whenever the data or the definition of the survey do'),
  counted: countedSchema
    .optional()
    .describe('Absent on public dashboards and where small groups of a confidential survey are hidden'),
};

const measured = {
  suppressed: flag.describe('Something is not told, because a group is too small'),
  notes: z.array(note),
  ...applied,
};

/** See domain/charts/chart-data.ts for what each figure is. */
const figuresSchema = z
  .strictObject({
    chart_type: z.enum(FIGURE_CHARTS),
    dimension: column,
    series_by: column.nullable(),
    aggregation: z.strictObject({
      function: z.enum(AGGREGATIONS),
      column_code: z.string().optional(),
      n: z.int().optional(),
      value: z.array(z.string()).optional(),
      label: z.string(),
    }),
    binning: z
      .strictObject({
        method: z.enum(['freedman_diaconis', 'fixed']),
        classes: z
          .int()
          .nullable()
          .describe(
            'How many the rule, or options.bins, asks for, before edges are made round; at most 30 are made',
          ),
        width: z.number(),
        breaks: z.array(z.number()).describe('A class takes its lower edge; the last one both'),
      })
      .optional()
      .describe('The classes of a number with many values'),
    categories: z.array(
      z.strictObject({
        code: figure,
        value: z.string().nullable(),
        label: z.string(),
        is_net: flag,
        is_rest: flag,
        missing: flag,
        base: base
          .optional()
          .describe(
            'Of a row of a matrix, and of an option of a ranking with the base answering: whom its percents are of',
          ),
      }),
    ),
    series: z
      .array(
        z.strictObject({
          name: z.string(),
          value: z.string().nullable().optional(),
          drawn_as: z
            .enum(['line', 'label'])
            .optional()
            .describe(
              'A line beside bars; label: its figures are written beside the names of the categories',
            ),
          is_rest: flag.describe('Of a stacked bar: the remainder of the other parts'),
          function: z.enum(AGGREGATIONS).optional().describe('Where it is not that of the chart'),
          values: z.array(figure).describe('What is drawn'),
          counts: z.array(figure).describe('Respondents, unweighted'),
          percents: z.array(figure).describe('0 to 100, by weight where there is one'),
          letters: z
            .array(z.array(z.string()))
            .optional()
            .describe('Of the series that this one is above: upper case at 95 %, lower case at 90 %'),
          base: base.nullable(),
        }),
      )
      .describe(
        'Their lists are parallel to the categories; null where there is nothing, or nothing to be told',
      ),
    base: base.nullable(),
    ...measured,
  })
  .meta({ id: 'ChartFigures' });

const variableSchema = z
  .strictObject({
    chart_type: z.literal('variable'),
    dimension: column,
    metric: z.enum(VARIABLE_METRICS),
    value: figure,
    base: base.nullable(),
    previous: figure.optional().describe('Of the wave before'),
    change: figure.optional(),
    waves: z
      .strictObject({ current: z.string().nullable(), previous: z.string().nullable() })
      .optional()
      .describe('The names of the two waves that are compared'),
    sparkline: z.array(z.strictObject({ at: z.string(), value: figure })).optional(),
    ...measured,
  })
  .meta({ id: 'VariableFigure' });

const choicesSchema = z
  .strictObject({
    chart_type: z.literal('filter'),
    dimension: column,
    multiple: z.boolean(),
    options: z.array(z.strictObject({ value: z.string(), label: z.string() })),
    ...applied,
  })
  .meta({ id: 'FilterChoices' });

const textSchema = z
  .strictObject({ chart_type: z.literal('text'), text: z.string().describe('Markdown') })
  .meta({ id: 'ChartText' });

export const chartDataSchema = z
  .union([figuresSchema, variableSchema, choicesSchema, textSchema])
  .meta({ id: 'ChartData' });

/** In the order of the charts that were asked for. */
export const chartBatchSchema = z.array(
  z.union([
    chartDataSchema,
    z
      .strictObject({
        error: z.strictObject({ code: z.string(), message: z.string(), field: z.string().nullable() }),
      })
      .meta({ id: 'ChartError' }),
  ]),
);
