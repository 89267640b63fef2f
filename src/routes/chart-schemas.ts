import { z } from 'zod';
import { figureForm } from '../domain/charts/chart-config.ts';
import { CHART_TYPES, type ChartType, chartTypeOf } from '../domain/charts/registry.ts';

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
