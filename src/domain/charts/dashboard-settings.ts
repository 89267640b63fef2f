import { z } from 'zod';
import { settingsChangesSchema } from '../../lib/settings.ts';

const shape = {
  theme: z.enum(['auto', 'light', 'dark']).describe('`auto` follows the setting of the viewer’s device'),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a hex colour such as #6366f1')
    .nullable()
    .describe('Accent colour; null: the default colour of Canvass'),
  min_base: z
    .int()
    .min(1)
    .max(1_000)
    .describe(
      'For viewers who are not signed in, with or without a password: hides groups of fewer respondents and figures that ' +
        'would reveal them; 1 hides nothing. Default: 5. A larger `min_base` of a confidential survey takes precedence. ' +
        'Workspace members see everything',
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
