import { z } from 'zod';
import type { ReportScope } from '../../domain/access/scopes.ts';
import {
  reportSettingsChangesSchema,
  reportSettingsOf,
  reportSettingsSchema,
  SLIDE_TYPES,
  type SlideType,
} from '../../domain/reports/report.ts';
import { slideContentShapes } from '../../domain/reports/slide-content.ts';
import { idParam } from '../../http/paging.ts';
import type { ReportRow, ReportSlideRow } from '../../repositories/reports.ts';
import { MAX_NAME } from '../../services/reports/reports.ts';
import type { Services } from '../../services/services.ts';
import { anyChartConfig, figureChartConfig } from '../dashboard-schemas.ts';

const contents = slideContentShapes({ figures: figureChartConfig, numbers: anyChartConfig });

/** `key-figures` becomes `KeyFigures` in schema names. */
function pascalCase(type: SlideType): string {
  return type.replace(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase());
}

const contentOf = Object.fromEntries(
  SLIDE_TYPES.map((type) => [type, contents[type].meta({ id: `${pascalCase(type)}SlideContent` })]),
) as unknown as Record<SlideType, z.ZodType>;

/** The type for presenters. Only the schema checks that type and content match. */
interface SlideFields {
  slide_type: z.ZodEnum<{ [Type in SlideType]: Type }>;
  slide_content: z.ZodType<Record<string, unknown>, Record<string, unknown>>;
}

/** A slide, discriminated by `slide_type`; the type decides the form of `slide_content`. */
export function slideUnion<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  const members = SLIDE_TYPES.map((type) =>
    z
      .strictObject({ ...shape, slide_type: z.literal(type), slide_content: contentOf[type] })
      .meta({ id: `${pascalCase(type)}${id}` }),
  );
  return z.discriminatedUnion('slide_type', members as [never]).meta({ id }) as unknown as z.ZodType<
    z.output<z.ZodObject<Shape & SlideFields>>,
    z.input<z.ZodObject<Shape & SlideFields>>
  >;
}

/** The content of a slide without a `slide_type` next to it; for the API document only. */
export const anySlideContent = z
  .union(SLIDE_TYPES.map((type) => contentOf[type]) as [z.ZodType, z.ZodType])
  .meta({ id: 'SlideContent' });

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

/** Returns a report with its slides. */
export async function presentReportWithSlides(
  { reports }: Services,
  scope: ReportScope,
): Promise<z.input<typeof reportWithSlidesSchema>> {
  const { report, slides } = await reports.get(scope);
  return { ...presentReport(report), my_role: scope.role, slides: slides.map(presentSlide) };
}
