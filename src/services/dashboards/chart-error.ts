import type { AppError } from '../../lib/errors.ts';
import type { ChartError } from './chart-figures.ts';

/** What is wrong with one chart of several, in its place. */
export function toChartError({ code, message, details }: AppError): ChartError {
  return { error: { code, message, field: details[0]?.field ?? null } };
}
