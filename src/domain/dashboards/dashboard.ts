import { z } from 'zod';
import { settingsChangesSchema } from '../../lib/settings.ts';
import { type ChartType, chartTypeOf } from '../charts/registry.ts';

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

/** In cells of a grid 12 columns wide. */
export interface GridPosition {
  x: number;
  y: number;
  w: number;
  h: number;
}

const GRID_COLUMNS = 12;

const overlap = (a: GridPosition, b: GridPosition) =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/**
 * Computes the position of each element, in the given order. An element that would overlap an earlier one moves down. Elements without a
 * position are laid out side by side below the earlier ones. Empty grid rows are removed.
 */
export function layOutElements(
  elements: readonly { type: ChartType; position: GridPosition | null }[],
): GridPosition[] {
  const occupied: GridPosition[] = [];
  const isFree = (index: GridPosition) => !occupied.some((other) => overlap(index, other));
  let cursor = { x: 0, y: 0 };
  const indices = elements.map(({ type, position }) => {
    const size = position ?? chartTypeOf(type).gridSize;
    const w = Math.min(Math.max(1, size.w), GRID_COLUMNS);
    const h = Math.max(1, size.h);
    let index: GridPosition;
    if (position === null) {
      index = { ...cursor, w, h };
      if (index.x + w > GRID_COLUMNS || !isFree(index))
        index = { x: 0, y: Math.max(0, ...occupied.map((other) => other.y + other.h)), w, h };
    } else {
      index = { x: Math.min(Math.max(0, position.x), GRID_COLUMNS - w), y: Math.max(0, position.y), w, h };
      while (!isFree(index)) index = { ...index, y: index.y + 1 };
    }
    occupied.push(index);
    cursor = { x: index.x + w, y: index.y };
    return index;
  });
  return removeVerticalGaps(indices);
}

function removeVerticalGaps(indices: readonly GridPosition[]): GridPosition[] {
  const ordered = [...indices].sort((a, b) => a.y - b.y);
  const shifts: { from: number; by: number }[] = [];
  let [bottom, by] = [0, 0];
  for (const { y, h } of ordered) {
    if (y > bottom) shifts.push({ from: y, by: (by += y - bottom) });
    bottom = Math.max(bottom, y + h);
  }
  return indices.map((index) => ({
    ...index,
    y: index.y - (shifts.findLast(({ from }) => index.y >= from)?.by ?? 0),
  }));
}
