import { isRecord } from '../../domain/answers/read-result.ts';
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

/** What was chosen in a dashboard's filters, by column code: one value or several. */
export type ChosenValues = Readonly<Record<string, unknown>>;

/** Values by column, and no condition. */
export const isChoices = (filter: unknown): filter is ChosenValues =>
  isRecord(filter) &&
  !['conditions', 'connector', 'operator', 'left'].some((name) => Object.hasOwn(filter, name));
