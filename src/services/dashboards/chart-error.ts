import type { AppError } from '../../lib/errors.ts';
import type { ChartError } from './chart-figures.ts';

/** The error of one chart in a batch reply. */
export function toChartError({ code, message, details }: AppError): ChartError {
  return { error: { code, message, field: details[0]?.field ?? null } };
}
