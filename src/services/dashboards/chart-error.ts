import type { AppError } from '../../lib/errors.ts';

/** A chart of a batch that has no figures. */
export interface ChartError {
  error: { code: string; message: string; field: string | null };
}

/** The error of one chart in a batch reply. */
export function toChartError({ code, message, details }: AppError): ChartError {
  return { error: { code, message, field: details[0]?.field ?? null } };
}
