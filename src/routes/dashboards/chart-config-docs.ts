import { z } from 'zod';
import { chartConfigSchema } from '../../domain/charts/chart-config.ts';
import type { ChartType } from '../../domain/charts/chart-types.ts';

type JsonSchema = Record<string, unknown>;

const FILTER: JsonSchema = {
  description: 'Which responses count: a condition, or an expression as text',
  anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
};

/** A configuration as the API's documentation shows it; a request is read by the schema of its chart type. */
function documented(type: ChartType, title: string): JsonSchema & { properties: Record<string, JsonSchema> } {
  const { required = [], properties: members } = z.toJSONSchema(chartConfigSchema(type), { io: 'input' });
  const properties = { ...(members as Record<string, JsonSchema>) };
  if ('filter' in properties) properties['filter'] = FILTER;
  return { title, type: 'object', required, additionalProperties: false, properties };
}

const figures = documented('line-bar', 'Figures: bars, lines, pies, radar, gauge, kpi and table');

/** The members of a configuration of figures, by name. */
export const FIGURE_MEMBERS = figures.properties;

/** `chart_config` of each type of element. */
export const CHART_CONFIG: JsonSchema = {
  anyOf: [
    figures,
    documented('text', 'text'),
    documented('filter', 'filter'),
    documented('variable', 'variable'),
  ],
};
