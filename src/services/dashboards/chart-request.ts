import type { ChartConfig } from '../../domain/charts/chart-config.ts';
import type { ChartType } from '../../domain/charts/chart-types.ts';

/** An element whose figures are wanted; its type and its configuration belong together. */
export interface ChartRequest {
  chartType: ChartType;
  /** As chartConfigSchema gives it. */
  config: ChartConfig;
  /** Whose data; whoever asks has checked that the viewer may see figures of them. Null for a text. */
  surveyId: number | null;
  /** What was chosen in the dashboard's filters, as the client sent it; undefined: nothing. Narrows beside the element's own filter. */
  filters?: unknown;
}
