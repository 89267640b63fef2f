import type { TestApp } from './app.ts';

let count = 0;

/** Inserts an empty dashboard directly into the table, also where no API call could create it. */
export async function storeDashboard(
  test: TestApp,
  { organizationId, workspaceId }: { organizationId: number; workspaceId: number },
  name = 'Figures',
): Promise<number> {
  const { rows } = await test.database.db.raw<{ rows: { dashboard_id: number }[] }>(
    `INSERT INTO dashboards (organization_id, workspace_id, dashboard_name, dashboard_slug)
     VALUES (?, ?, ?, ?) RETURNING dashboard_id`,
    [organizationId, workspaceId, name, `stored-${(count += 1)}`],
  );
  return rows[0]!.dashboard_id;
}

/** Inserts a share into the database, because an admin without access to the dashboard cannot create one. */
export async function insertShare(
  test: TestApp,
  organizationId: number,
  dashboardId: number,
  { userId, groupId }: { userId?: number; groupId?: number },
): Promise<void> {
  await test.database.db.raw(
    `INSERT INTO dashboard_shares (organization_id, dashboard_id, share_type, user_id, group_id) VALUES (?, ?, ?, ?, ?)`,
    [organizationId, dashboardId, userId === undefined ? 'group' : 'user', userId ?? null, groupId ?? null],
  );
}
