import type { SlideType } from '../../domain/reports/report.ts';
import type { Table } from './table.ts';

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
