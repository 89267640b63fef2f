import { z } from 'zod';
import type { WorkspaceRole } from '../domain/access/scopes.ts';
import { figureForm } from '../domain/charts/chart-config.ts';
import { CHART_TYPES, type ChartType, chartTypeOf } from '../domain/charts/registry.ts';
import type { DashboardChartRow, DashboardPageRow } from '../repositories/dashboards.ts';

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
export function chartUnion<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
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
  return z.discriminatedUnion('chart_type', members as [never]).meta({ id }) as unknown as z.ZodType<
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

export const dashboardPageSchema = z
  .strictObject({
    page_id: z.int(),
    page_title: z.string().nullable(),
    chart_ids: z.array(z.int()).describe('Charts of the page, in order'),
  })
  .meta({ id: 'DashboardPage' });

export const dashboardChartSchema = chartUnion('DashboardChart', {
  chart_id: z.int(),
  page_id: z.int(),
  chart_title: z.string().nullable(),
  position: chartPosition.nullable().describe('null: after the previous chart'),
  survey_deleted: z
    .boolean()
    .describe('Whether the survey of the chart was deleted, so that it shows no data'),
});

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
