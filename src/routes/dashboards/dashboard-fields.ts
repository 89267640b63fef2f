import { z } from 'zod';
import {
  dashboardSettingsChangesSchema,
  dashboardSettingsSchema,
  MAX_SLUG_LENGTH,
  resolveDashboardSettings,
  SLUG_PATTERN,
} from '../../domain/dashboards/dashboard-settings.ts';
import { idParam } from '../../http/paging.ts';
import type { DashboardRow, ListedDashboardRow } from '../../repositories/dashboards.ts';
import { MAX_NAME } from '../../services/dashboards/dashboards.ts';
import { dashboardChartSchema, dashboardPageSchema } from '../dashboard-reply.ts';

export const dashboardParams = z.strictObject({ id: idParam });

export const slugText = z
  .string()
  .max(MAX_SLUG_LENGTH)
  .regex(SLUG_PATTERN, 'must be lower-case letters, digits and single hyphens, such as brand-tracker-2026');

export const dashboardName = z.string().trim().min(1, 'is required').max(MAX_NAME);

/** Fields of create and update. */
export const dashboardFields = {
  dashboard_description: z.string().max(10_000).nullish(),
  dashboard_settings: dashboardSettingsChangesSchema
    .nullish()
    .describe(
      'Settings are merged by key: an omitted key keeps its value, null resets it to its default, and null for the whole ' +
        'object resets all keys',
    ),
};

const shape = {
  dashboard_id: z.int(),
  workspace_id: z.int(),
  dashboard_name: z.string(),
  dashboard_description: z.string().nullable(),
  dashboard_slug: z.string(),
  organization_slug: z.string(),
  dashboard_settings: dashboardSettingsSchema,
  open_to: z
    .enum(['members', 'public', 'password'])
    .describe(
      'Who can view the dashboard: `members` only users who are signed in, `public` anyone with the address, `password` ' +
        'anyone with the address and the password',
    ),
  public_url: z
    .string()
    .nullable()
    .describe('Public address; null: only users who are signed in can view the dashboard'),
  revision: z.int().describe('Increases with every change of the dashboard, its pages or its charts'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

export const dashboardSchema = z.strictObject(shape).meta({ id: 'Dashboard' });

export const listedDashboardSchema = z
  .strictObject({ ...shape, page_count: z.int(), chart_count: z.int() })
  .meta({ id: 'ListedDashboard' });

export const dashboardWithPagesSchema = z
  .strictObject({
    ...shape,
    my_role: z
      .enum(['viewer', 'editor', 'owner'])
      .nullable()
      .describe(
        'Your role in the workspace; null: the dashboard was shared with you, without access to the workspace',
      ),
    pages: z.array(dashboardPageSchema),
    charts: z.array(dashboardChartSchema).describe('All charts in the order of pages and positions'),
  })
  .meta({ id: 'DashboardWithPages' });

export const presentDashboard = (
  row: DashboardRow,
  publicUrl: string | null,
): z.input<typeof dashboardSchema> => ({
  dashboard_id: row.dashboard_id,
  workspace_id: row.workspace_id,
  dashboard_name: row.dashboard_name,
  dashboard_description: row.dashboard_description,
  dashboard_slug: row.dashboard_slug,
  organization_slug: row.organization_slug,
  dashboard_settings: resolveDashboardSettings(row.dashboard_settings),
  open_to: row.open_share ?? 'members',
  public_url: publicUrl,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const presentListed = (
  row: ListedDashboardRow,
  publicUrl: string | null,
): z.input<typeof listedDashboardSchema> => ({
  ...presentDashboard(row, publicUrl),
  page_count: row.page_count,
  chart_count: row.chart_count,
});
