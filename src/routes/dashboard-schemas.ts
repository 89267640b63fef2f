import { z } from 'zod';
import type { WorkspaceRole } from '../domain/access/scopes.ts';
import { figureForm, AGGREGATIONS } from '../domain/charts/chart-config.ts';
import { CHART_TYPES, type ChartType, chartTypeOf, FIGURE_CHARTS } from '../domain/charts/registry.ts';
import type { DashboardChartRow, DashboardPageRow } from '../repositories/dashboards.ts';
import { VARIABLE_METRICS } from '../domain/charts/chart-data.ts';
import { MEASURES } from '../domain/columns/column-spec.ts';
import { idNumber } from '../http/paging.ts';
import type { ChartQuery } from '../services/dashboards/dashboard-content.ts';
import { inclusionCountsSchema } from './selection-query.ts';

/** The forms of `chart_config` with the types that have them. */
const FORMS = [...new Set(CHART_TYPES.map((type) => chartTypeOf(type).form))].map((form) => ({
  ...form,
  types: CHART_TYPES.filter((type) => chartTypeOf(type).form === form),
  config: form.schema.meta({ id: `${form.name}ChartConfig` }),
}));

function requireForm(wanted: (typeof FORMS)[number]['schema']) {
  const form = FORMS.find(({ schema }) => schema === wanted);
  if (form === undefined) throw new Error('no chart type has this form');
  return form;
}

/** The `chart_config` of bar, line, pie, radar, gauge, kpi and table charts. */
export const figureChartConfig = requireForm(figureForm.schema).config;

/** The configuration of an element without a `chart_type` next to it; for the API document only. */
export const anyChartConfig = z.union(FORMS.map(({ config }) => config)).meta({ id: 'ChartConfig' });

/** All fields of all configurations, optional: for requests that send them on the top level instead of in `chart_config`. */
export const chartConfigFields = Object.fromEntries(
  FORMS.flatMap(({ schema }) => Object.entries(schema.shape)).map(([name, schema]) => [
    name,
    (schema as z.ZodType).optional(),
  ]),
);

/** A dashboard element, discriminated by `chart_type`; the type decides the form of `chart_config`. */
export function chartUnion<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape, example?: unknown) {
  const members = FORMS.map(({ name, types, config }) => {
    const [first] = types;
    return z
      .strictObject({
        ...shape,
        chart_type: first !== undefined && types.length === 1 ? z.literal(first) : z.enum(types),
        chart_config: config,
      })
      .meta({ id: `${name}${id}` });
  });
  const meta = { id, ...(example !== undefined && { examples: [example] }) };
  return z.discriminatedUnion('chart_type', members as [never]).meta(meta) as unknown as z.ZodType<
    z.output<z.ZodObject<Shape & ChartFields>>,
    z.input<z.ZodObject<Shape & ChartFields>>
  >;
}

/** The type for presenters. Only the schema checks that type and configuration match. */
interface ChartFields {
  chart_type: z.ZodEnum<{ [Type in ChartType]: Type }>;
  chart_config: z.ZodType<Record<string, unknown>, Record<string, unknown>>;
}

export const chartType = z.enum(CHART_TYPES);

export const chartPosition = z
  .strictObject({
    x: z.int().min(0).max(11).describe('Left column, from 0'),
    y: z.int().min(0).max(10_000).describe('Top row, from 0'),
    w: z.int().min(1).max(12).describe('Width in columns; x + w is at most 12'),
    h: z.int().min(1).max(100).describe('Height in rows'),
  })
  .refine(({ x, w }) => x + w <= 12, {
    error: 'is wider than the grid: x and w are at most 12 together',
    path: ['w'],
  })
  .meta({ id: 'ChartPosition', description: 'Position and size in the cells of a grid with 12 columns' });

/** A page of a dashboard in replies. */
export const DASHBOARD_PAGE_EXAMPLE = { page_id: 1, page_title: 'Satisfaction', chart_ids: [1] };

export const dashboardPageSchema = z
  .strictObject({
    page_id: z.int(),
    page_title: z.string().nullable(),
    chart_ids: z.array(z.int()).describe('Charts of the page, in order'),
  })
  .meta({ id: 'DashboardPage', examples: [DASHBOARD_PAGE_EXAMPLE] });

/** A chart of a dashboard in replies. */
export const DASHBOARD_CHART_EXAMPLE = {
  chart_id: 1,
  page_id: 1,
  chart_type: 'bar',
  chart_title: 'Satisfaction by gender',
  chart_config: {
    survey_id: 1,
    dimension: { column_code: 'Q4', question_id: 4 },
    series: { column_code: 'Q1' },
    aggregation: { function: 'percent' },
    options: { sort: 'original', show_rest: true, show_values: true, bins: 'auto' },
  },
  position: { x: 0, y: 0, w: 6, h: 6 },
  survey_deleted: false,
};

const dashboardChartShape = {
  chart_id: z.int(),
  page_id: z.int(),
  chart_title: z.string().nullable(),
  position: chartPosition.nullable().describe('null: after the previous chart'),
  survey_deleted: z
    .boolean()
    .describe('Whether the survey of the chart was deleted, so that it shows no data'),
};

export const dashboardChartSchema = chartUnion(
  'DashboardChart',
  dashboardChartShape,
  DASHBOARD_CHART_EXAMPLE,
);

/** `role` null: the caller can view the dashboard but not its workspace, so filters and weights are left out. */
export const presentChart = (
  chart: DashboardChartRow,
  role: WorkspaceRole | null,
): z.input<typeof dashboardChartSchema> => ({
  chart_id: chart.chart_id,
  page_id: chart.page_id,
  chart_type: chart.chart_type,
  chart_title: chart.chart_title,
  chart_config: role === null ? shownConfig(chart.chart_config) : chart.chart_config,
  position: chart.position,
  survey_deleted: chart.survey_gone,
});

const NOT_SHOWN: ReadonlySet<string> = new Set(['filter', 'weight_column']);

const shownConfig = (config: DashboardChartRow['chart_config']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !NOT_SHOWN.has(name)));

export const presentPage = (
  page: DashboardPageRow,
  charts: readonly Pick<DashboardChartRow, 'chart_id' | 'page_id'>[],
): z.input<typeof dashboardPageSchema> => ({
  page_id: page.page_id,
  page_title: page.page_title,
  chart_ids: charts.filter(({ page_id }) => page_id === page.page_id).map(({ chart_id }) => chart_id),
});

export const MAX_BATCH = 100;

const filterValue = z.union([z.string().max(1_000), z.number()]);

/** Selected values of filter elements, by column code. */
export const filterValues = z
  .record(z.string().max(120), z.union([filterValue, z.array(filterValue).max(1_000)]))
  .describe(
    'Selected values by column code of a filter element, such as `{"Q1": ["1", "2"]}`. Applies to the charts of the ' +
      'same survey',
  )
  .meta({ id: 'DashboardFilters' });

/** Fields that identify a chart. */
export const chartQueryFields = {
  chart_id: idNumber.optional(),
  survey_id: idNumber.optional(),
  question_id: idNumber.optional(),
  chart_type: chartType.optional(),
};

interface ChartQueryInput {
  chart_id?: number | undefined;
  survey_id?: number | undefined;
  question_id?: number | undefined;
  chart_type?: z.output<typeof chartType> | undefined;
  filters?: unknown;
}

export const chartQueryOf = (fields: ChartQueryInput, config: ChartQuery['config'] = null): ChartQuery => ({
  chartId: fields.chart_id ?? null,
  surveyId: fields.survey_id ?? null,
  questionId: fields.question_id ?? null,
  type: fields.chart_type ?? null,
  config,
  filters: fields.filters,
});

const figure = z.number().nullable();
const flag = z.literal(true).optional();

const column = z
  .strictObject({
    column_code: z.string(),
    label: z.string(),
    measure: z.enum(MEASURES).describe('Whether the categories are ordered'),
  })
  .meta({ id: 'ChartColumn' });

const base = z
  .strictObject({
    unweighted: z.number(),
    weighted: z.number(),
    effective: z.number().describe('Effective base (Kish): (Σw)²/Σw²'),
  })
  .meta({ id: 'ChartBase' });

const note = z.strictObject({ code: z.string(), message: z.string() }).meta({ id: 'Note' });

const applied = {
  filters_applied: z
    .array(
      z.strictObject({ column_code: z.string(), label: z.string(), values: z.array(z.string()).nullable() }),
    )
    .describe('Filters of the dashboard that were applied to this chart: those of the same survey'),
  data_version: z.string().describe('Changes when the data or the questions of the survey change'),
  counted: inclusionCountsSchema
    .optional()
    .describe('Omitted on public dashboards, and if small groups of a confidential survey are hidden'),
};

const measured = {
  suppressed: flag.describe('Values are hidden because a group is too small'),
  notes: z.array(note),
  ...applied,
};

/** Figures have their type as a string, because the chart types are built on them. */
const figureChart: z.ZodType<string> = z.enum(FIGURE_CHARTS);

/** See domain/charts/chart-data.ts for the definition of each value. */
const figuresSchema = z
  .strictObject({
    chart_type: figureChart,
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
            'Number of bins requested by the rule or by `options.bins`, before edges are rounded; at most 30',
          ),
        width: z.number(),
        breaks: z.array(z.number()).describe('Edges of the bins: [a, b), the last one closed'),
      })
      .optional()
      .describe('Bins of a number with many values'),
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
            'Base of the percentages of this category: for matrix rows, and for ranking options with the base `answering`',
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
              '`line`: a line next to bars. `label`: its values are shown next to the category labels',
            ),
          is_rest: flag.describe('The remainder of a stacked bar'),
          function: z
            .enum(AGGREGATIONS)
            .optional()
            .describe('The statistic of this series, if it differs from that of the chart'),
          values: z.array(figure).describe('Displayed values'),
          counts: z.array(figure).describe('Number of respondents, unweighted'),
          percents: z.array(figure).describe('Percentages (0 to 100), weighted if there is a weight'),
          letters: z
            .array(z.array(z.string()))
            .optional()
            .describe(
              'For each category, letters of the series that are significantly lower: upper case at 95 %, lower case at 90 %',
            ),
          base: base.nullable(),
        }),
      )
      .describe('The lists in each series are in the order of `categories`; null: no value, or hidden'),
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
    previous: figure.optional().describe('Value of the previous wave'),
    change: figure.optional(),
    waves: z
      .strictObject({ current: z.string().nullable(), previous: z.string().nullable() })
      .optional()
      .describe('Names of the compared waves'),
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
  .meta({ id: 'FilterOptions' });

const textSchema = z
  .strictObject({ chart_type: z.literal('text'), text: z.string().describe('Markdown') })
  .meta({ id: 'ChartText' });

export const chartDataSchema = z
  .union([figuresSchema, variableSchema, choicesSchema, textSchema])
  .meta({ id: 'ChartData' });

/** In the order of the requested charts. */
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
