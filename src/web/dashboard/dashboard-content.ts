import type { ChartFigures, FilterChoices, VariableFigure } from '../../domain/charts/chart-data.ts';
import type { ChartType } from '../../domain/charts/registry.ts';
import type { GridPosition, DashboardSettings } from '../../domain/dashboards/dashboard.ts';

export interface DashboardElement {
  chart_id: number;
  page_id: number;
  chart_type: ChartType;
  chart_title: string | null;
  chart_config: Readonly<Record<string, unknown>>;
  position: GridPosition | null;
}

/** A dashboard as its page shows it. */
export interface DashboardContent {
  name: string;
  description: string | null;
  organizationName: string;
  settings: DashboardSettings;
  pages: readonly { page_id: number; page_title: string | null }[];
  elements: readonly DashboardElement[];
}

export type Figures = (ChartFigures | VariableFigure | FilterChoices) & {
  filters_applied?: readonly unknown[];
};

/** Content of an element: its figures, nothing (a text), or the error that prevents them. */
export type ElementContent = Figures | { chart_type: 'text' } | { error: { code: string; message: string } };

/** Values selected in the dashboard's filters, by column code. */
export type FilterSelection = ReadonlyMap<string, readonly string[]>;
