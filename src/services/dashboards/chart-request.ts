import { isRecord } from '../../domain/answers/read-result.ts';
import type { ChartConfig, ChartType } from '../../domain/charts/registry.ts';

/** A chart to compute; the configuration matches the chart type. */
export interface ChartRequest {
  chartType: ChartType;
  /** Output of chartConfigSchema. */
  config: ChartConfig;
  /** The survey whose data are shown; the caller has checked that the viewer may see its figures. null for a text. */
  surveyId: number | null;
  /**
   * Values chosen in the dashboard filters, as sent by the client; undefined without a choice. Applied in addition to the filter of the
   * element.
   */
  filters?: unknown;
}

/** Values chosen in the dashboard filters by column code: one value or several. */
export type ChosenValues = Readonly<Record<string, unknown>>;

/** Whether the filter is a map of values by column rather than a condition. */
export const isChoices = (filter: unknown): filter is ChosenValues =>
  isRecord(filter) &&
  !['conditions', 'connector', 'operator', 'left'].some((name) => Object.hasOwn(filter, name));
