import type { ChartType } from '../../domain/charts/registry.ts';
import type { Table } from './table.ts';

/** In cells of a grid that is 12 wide. */
export interface ChartPosition {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface DashboardTable {
  dashboard_id: number;
  organization_id: number;
  workspace_id: number;
  dashboard_name: string;
  created_at: Date;
  deleted_at: Date | null;
  dashboard_description: string | null;
  dashboard_slug: string;
  /** Only the settings that an author chose; see domain/dashboards/dashboard.ts. */
  dashboard_settings: Record<string, unknown>;
  /** Raised by every change of what the dashboard shows. */
  revision: number;
  created_by: number | null;
  updated_at: Date;
}

export interface DashboardPageTable {
  page_id: number;
  organization_id: number;
  dashboard_id: number;
  page_order: number;
  page_title: string | null;
}

export interface DashboardChartTable {
  chart_id: number;
  organization_id: number;
  dashboard_id: number;
  page_id: number;
  chart_order: number;
  chart_type: ChartType;
  chart_title: string | null;
  /** As the schema of the chart's type returns it. */
  chart_config: Record<string, unknown>;
  /** null: below the previous chart. */
  position: ChartPosition | null;
  /** null: the chart shows no data. */
  survey_id: number | null;
}

export interface DashboardShareTable {
  share_id: number;
  organization_id: number;
  dashboard_id: number;
  share_type: 'public' | 'password' | 'user' | 'group';
  /** Of a share of the type password. */
  password_hash: string | null;
  user_id: number | null;
  group_id: number | null;
  created_at: Date;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    dashboards: Table<
      DashboardTable,
      'dashboard_id' | 'created_at' | 'dashboard_settings' | 'revision' | 'updated_at',
      'dashboard_settings'
    >;
    dashboard_pages: Table<DashboardPageTable, 'page_id'>;
    dashboard_charts: Table<DashboardChartTable, 'chart_id', 'chart_config' | 'position'>;
    dashboard_shares: Table<DashboardShareTable, 'share_id' | 'created_at'>;
  }
}
