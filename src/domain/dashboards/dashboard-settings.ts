import { z } from 'zod';
import { settingsChangesSchema } from '../../lib/settings.ts';

const shape = {
  theme: z.enum(['auto', 'light', 'dark']).describe('`auto` follows the setting of the viewer’s device'),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a hex color such as #6366f1')
    .nullable()
    .describe('Accent color; null: the default color of Canvass'),
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

export const MAX_SLUG_LENGTH = 80;
export const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Letters that Unicode normalization does not decompose into a base letter and a mark. */
const TRANSLITERATIONS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
]);

/** The URL slug for a dashboard name: `Käufer & Märkte 2026` becomes `kaufer-markte-2026`. */
export function createSlug(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, (letter) => TRANSLITERATIONS.get(letter) ?? '-');
  const slug = joined(plain.replace(/['"]/g, '').replace(/[^a-z0-9]+/g, '-'), MAX_SLUG_LENGTH);
  return slug === '' ? 'dashboard' : slug;
}

/** Returns the slug, or the first of `…-2`, `…-3` that is not taken. */
export function findFreeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  for (let n = 1; ; n += 1) {
    const end = n === 1 ? '' : `-${n}`;
    const candidate = joined(slug, MAX_SLUG_LENGTH - end.length) + end;
    if (!isTaken(candidate)) return candidate;
  }
}

const joined = (text: string, maxLength: number): string =>
  text.replace(/^-+/, '').slice(0, maxLength).replace(/-+$/, '');
