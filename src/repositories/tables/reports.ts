import type { Table } from './table.ts';

export interface ReportTable {
  report_id: number;
  organization_id: number;
  workspace_id: number;
  report_name: string;
  report_description: string | null;
  report_settings: unknown;
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
  slide_order: number;
  slide_type: string;
  slide_title: string | null;
  slide_content: unknown;
}

export interface ReportImageTable {
  image_id: number;
  organization_id: number;
  report_id: number;
  content_type: 'image/png' | 'image/jpeg';
  picture: Buffer;
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
