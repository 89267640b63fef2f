import { z } from 'zod';
import { settingsChangesSchema } from '../../lib/settings.ts';

const shape = {
  theme: z.enum(['auto', 'light', 'dark']).describe('auto: as the reader’s device has it'),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a hex colour such as #6366f1')
    .nullable()
    .describe('Of accents; null: our own'),
  min_base: z
    .int()
    .min(1)
    .max(1_000)
    .describe(
      'What the dashboard shows to the public, with or without a password, hides groups of fewer respondents and the figures that would reveal ' +
        'them; 1 hides nothing. Default 5. A confidential survey with a larger `min_base` keeps its own, and members see everything',
    ),
};

export const dashboardSettingsSchema = z.strictObject(shape).meta({ id: 'DashboardSettings' });
export const dashboardSettingsChangesSchema = settingsChangesSchema(shape);
export type DashboardSettings = z.infer<typeof dashboardSettingsSchema>;

const DEFAULTS: DashboardSettings = { theme: 'auto', color: null, min_base: 5 };

/** Only changed settings are stored; adds the defaults. */
export function resolveDashboardSettings(stored: unknown): DashboardSettings {
  return { ...DEFAULTS, ...(stored as Partial<DashboardSettings>) };
}
