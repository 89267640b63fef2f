import { z } from 'zod';
import { CHART_TYPES, chartConfigShapes, FIGURE_CHARTS } from '../domain/charts/chart-config.ts';

/** `chart_type` and `chart_config` by kind of element; the names of schemas begin with `name`. */
const KINDS = [
  { name: 'Figure', types: z.enum(FIGURE_CHARTS), config: chartConfigShapes.figures },
  { name: 'Text', types: z.literal('text'), config: chartConfigShapes.text },
  { name: 'Filter', types: z.literal('filter'), config: chartConfigShapes.filter },
  { name: 'Variable', types: z.literal('variable'), config: chartConfigShapes.variable },
] as const;

const configs: z.ZodType<Record<string, unknown>>[] = KINDS.map(({ name, config }) =>
  config.meta({ id: `${name}ChartConfig` }),
);

/** The `chart_config` of bar, line, pie, radar, gauge, kpi and table charts. */
export const figureChartConfig = configs[0]!;

/** The configuration of an element without a `chart_type` next to it; for the API document only. */
export const anyChartConfig = z.union(configs).meta({ id: 'ChartConfig' });

/** All fields of all configurations, optional: for requests that send them on the top level instead of in `chart_config`. */
export const chartConfigFields = Object.fromEntries(
  KINDS.flatMap(({ config }) => Object.entries(config.shape)).map(([name, schema]) => [
    name,
    (schema as z.ZodType).optional(),
  ]),
);

/** A dashboard element, discriminated by `chart_type`; the type decides the form of `chart_config`. */
export function chartUnion<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  const members = KINDS.map(({ name, types }, index) =>
    z
      .strictObject({ ...shape, chart_type: types, chart_config: configs[index]! })
      .meta({ id: `${name}${id}` }),
  );
  return z.discriminatedUnion('chart_type', members as [never]).meta({ id }) as unknown as z.ZodType<
    z.output<z.ZodObject<Shape & ChartFields>>,
    z.input<z.ZodObject<Shape & ChartFields>>
  >;
}

/** The type for presenters. Only the schema checks that type and configuration match. */
interface ChartFields {
  chart_type: z.ZodEnum<{ [Type in (typeof CHART_TYPES)[number]]: Type }>;
  chart_config: z.ZodType<Record<string, unknown>, Record<string, unknown>>;
}
