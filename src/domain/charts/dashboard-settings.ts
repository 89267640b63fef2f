import { z } from 'zod';
import { changesOf } from '../../lib/settings.ts';

const shape = {
  theme: z.enum(['auto', 'light', 'dark']).describe('auto: as the reader’s device has it'),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a hex colour such as #6366f1')
    .nullable()
    .describe('Of accents; null: our own'),
};

export const dashboardSettingsSchema = z.strictObject(shape).meta({ id: 'DashboardSettings' });
export const dashboardSettingsChangesSchema = changesOf(shape);
export type DashboardSettings = z.infer<typeof dashboardSettingsSchema>;

const DEFAULTS: DashboardSettings = { theme: 'auto', color: null };

/** What is stored holds only what was chosen. */
export function dashboardSettingsOf(stored: unknown): DashboardSettings {
  return { ...DEFAULTS, ...(stored as Partial<DashboardSettings>) };
}
