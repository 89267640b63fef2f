import { z } from 'zod';
import {
  reportSettingsChangesSchema,
  reportSettingsOf,
  reportSettingsSchema,
} from '../../domain/reports/report-settings.ts';
import { SLIDE_TYPES } from '../../domain/reports/slide-types.ts';
import { idParam } from '../../http/paging.ts';
import type { ReportRow, ReportSlideRow } from '../../repositories/reports.ts';
import { MAX_NAME } from '../../services/reports/reports.ts';
import { slideUnion } from './slide-schemas.ts';

export const ofReport = z.strictObject({ reportId: idParam });
export const ofSlide = ofReport.extend({ slideId: idParam });

export const reportName = z.string().trim().min(1, 'is required').max(MAX_NAME);

/** Fields of create and update. */
export const reportFields = {
  report_description: z.string().max(10_000).nullish(),
  report_settings: reportSettingsChangesSchema
    .nullish()
    .describe(
      'Settings are merged by key: an omitted key keeps its value, null resets it to its default, and null for the whole ' +
        'object resets all keys',
    ),
};

const shape = {
  report_id: z.int(),
  workspace_id: z.int(),
  report_name: z.string(),
  report_description: z.string().nullable(),
  report_settings: reportSettingsSchema,
  revision: z.int().describe('Increases with every change of the report, its slides or its images'),
  slide_count: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

export const reportSchema = z.strictObject(shape).meta({ id: 'Report' });

export const slideType = z.enum(SLIDE_TYPES);

export const slideSchema = slideUnion('ReportSlide', {
  slide_id: z.int(),
  slide_order: z.int().describe('From 1'),
  slide_title: z.string().nullable(),
});

export const reportWithSlidesSchema = z
  .strictObject({
    ...shape,
    my_role: z.enum(['viewer', 'editor', 'owner']).describe('Your role in the workspace'),
    slides: z.array(slideSchema).describe('Slides in order'),
  })
  .meta({ id: 'ReportWithSlides' });

export const presentReport = (row: ReportRow): z.input<typeof reportSchema> => ({
  report_id: row.report_id,
  workspace_id: row.workspace_id,
  report_name: row.report_name,
  report_description: row.report_description,
  report_settings: reportSettingsOf(row.report_settings),
  revision: row.revision,
  slide_count: row.slide_count,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const presentSlide = (row: ReportSlideRow): z.input<typeof slideSchema> => ({
  slide_id: row.slide_id,
  slide_order: row.slide_order,
  slide_type: row.slide_type,
  slide_title: row.slide_title,
  slide_content: row.slide_content,
});
