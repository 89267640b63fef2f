import type { ChartType } from '../../domain/charts/registry.ts';
import type { Table } from './table.ts';
import type { SlideType } from '../../domain/charts/slide-type.ts';
import type { ChatFigure } from '../../domain/chat/chat-figure.ts';

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

export interface ReportTable {
  report_id: number;
  organization_id: number;
  workspace_id: number;
  report_name: string;
  report_description: string | null;
  /** Only the settings that an author chose; see domain/reports/report.ts. */
  report_settings: Record<string, unknown>;
  /** Raised by every change of what the report shows. */
  revision: number;
  created_by: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

export interface ReportSlideTable {
  slide_id: number;
  organization_id: number;
  report_id: number;
  /** From 1, without gaps. */
  slide_order: number;
  slide_type: SlideType;
  slide_title: string | null;
  /** As the schema of the slide's type returns it. */
  slide_content: Record<string, unknown>;
}

export interface ReportImageTable {
  image_id: number;
  organization_id: number;
  report_id: number;
  content_type: 'image/png' | 'image/jpeg';
  picture: Buffer;
  /** Pixels. */
  width: number;
  height: number;
  created_at: Date;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    reports: Table<
      ReportTable,
      'report_id' | 'report_settings' | 'revision' | 'created_at' | 'updated_at',
      'report_settings'
    >;
    report_slides: Table<ReportSlideTable, 'slide_id', 'slide_content'>;
    report_images: Table<ReportImageTable, 'image_id' | 'created_at'>;
  }
}

interface AnalysisResultTable {
  survey_id: number;
  result_key: Buffer;
  result: unknown;
  created_at: Date;
}

export interface ChatSessionTable {
  session_id: string;
  organization_id: number;
  user_id: number;
  survey_id: number | null;
  created_at: Date;
  last_message_at: Date;
}

export interface ChatMessageTable {
  message_id: number;
  session_id: string;
  message_role: 'user' | 'assistant';
  content: string;
  figures: ChatFigure[];
  message_state: 'answering' | 'complete' | 'stopped' | 'failed';
  reservation_id: number | null;
  planned_content: string | null;
  engine: string | null;
  model: string | null;
  input_tokens: number;
  output_tokens: number;
  credits_used: number;
  created_at: Date;
}

export interface ChatEventTable {
  message_id: number;
  event_number: number;
  event_name: string;
  data: object;
  created_at: Date;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    analysis_results: Table<AnalysisResultTable, 'created_at', 'result'>;
    chat_sessions: Table<ChatSessionTable, 'created_at' | 'last_message_at'>;
    chat_messages: Table<
      ChatMessageTable,
      'message_id' | 'figures' | 'input_tokens' | 'output_tokens' | 'credits_used' | 'created_at',
      'figures'
    >;
    chat_events: Table<ChatEventTable, 'created_at', 'data'>;
  }
}
