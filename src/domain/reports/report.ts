import { z } from 'zod';
import { settingsChangesSchema } from '../../lib/settings.ts';

const color = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a hex color such as #6366f1');

const shape = {
  page_size: z.enum(['16:9', 'a4']).describe('`a4` is landscape'),
  color: color
    .nullable()
    .describe('Color of accents and of the first series; null: the default color of Canvass'),
  colors: z
    .array(color)
    .max(20)
    .describe('Colors of series and categories in charts without their own colors'),
  font: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[\p{L}\p{N} ._-]+$/u, 'must be the name of a typeface such as Calibri')
    .nullable()
    .describe(
      'Typeface of the PowerPoint file; has to be installed on the viewer’s computer. PDF files embed their own. null: ' +
        'Calibri',
    ),
  logo_image_id: z.int().positive().nullable().describe('An uploaded image of this report'),
  footer: z
    .string()
    .trim()
    .max(200)
    .nullable()
    .describe('Text at the bottom of every slide; null: the name of the report'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or pt-BR')
    .describe('Language of the report; a right-to-left language mirrors the slides'),
};

export const reportSettingsSchema = z.strictObject(shape).meta({ id: 'ReportSettings' });
export const reportSettingsChangesSchema = settingsChangesSchema(shape);
export type ReportSettings = z.infer<typeof reportSettingsSchema>;

const DEFAULTS: ReportSettings = {
  page_size: '16:9',
  color: null,
  colors: [],
  font: null,
  logo_image_id: null,
  footer: null,
  language: 'en',
};

/** Merges stored settings, which hold only changed values, with the defaults. */
export function reportSettingsOf(stored: unknown): ReportSettings {
  return { ...DEFAULTS, ...(stored as Partial<ReportSettings>) };
}
