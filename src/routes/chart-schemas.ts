import { z } from 'zod';
import { chartConfigShapes } from '../domain/charts/chart-config.ts';
import { CHART_TYPES, FIGURE_CHARTS } from '../domain/charts/chart-types.ts';

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

/** What `chart_config` is of bars, lines, pies, radar, gauge, kpi and table. */
export const figureChartConfig = configs[0]!;

/** The configuration of an element whose type is not named beside it, for the API document. */
export const anyChartConfig = z.union(configs).meta({ id: 'ChartConfig' });

/** Every member that a configuration can have, all optional: for requests that give them without `chart_config` around them. */
export const chartConfigFields = Object.fromEntries(
  KINDS.flatMap(({ config }) => Object.entries(config.shape)).map(([name, schema]) => [
    name,
    (schema as z.ZodType).optional(),
  ]),
);

/** An element of a dashboard, discriminated by `chart_type`, which decides what `chart_config` is. */
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

/** What presenters give; that they go together, the schema checks. */
interface ChartFields {
  chart_type: z.ZodEnum<{ [Type in (typeof CHART_TYPES)[number]]: Type }>;
  chart_config: z.ZodType<Record<string, unknown>, Record<string, unknown>>;
}
