import { expect, it } from 'vitest';
import { migrate, rollback } from '../../../src/db/migrate.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

/** Takes migrations back down to and with this one. */
async function undo(name: string): Promise<void> {
  for (;;) {
    const [taken] = await rollback(database.db, false);
    if (taken === undefined || taken.startsWith(name)) return;
  }
}
const rows = async <T>(sql: string): Promise<T[]> =>
  ((await database.db.raw(sql)) as unknown as { rows: T[] }).rows;

it('what users and groups were given before there were shares is kept, there and back', async () => {
  await undo('0019');
  await database.db.raw(`
    INSERT INTO organizations (organization_id, organization_name, organization_slug) VALUES (1, 'O', 'o');
    INSERT INTO users (user_id, organization_id, user_email, user_name, password_hash, user_role)
      VALUES (1, 1, 'a@o.example', 'A', 'x', 'client');
    INSERT INTO workspaces (workspace_id, organization_id, owner_id, workspace_name) VALUES (1, 1, 1, 'W');
    INSERT INTO groups (group_id, organization_id, group_name) VALUES (1, 1, 'G');
    INSERT INTO dashboards (dashboard_id, organization_id, workspace_id, dashboard_name) VALUES (7, 1, 1, 'Seven'), (8, 1, 1, 'Eight');
    INSERT INTO user_dashboards (organization_id, user_id, dashboard_id, granted_at) VALUES (1, 1, 7, '2026-01-02');
    INSERT INTO group_dashboards (organization_id, group_id, dashboard_id, granted_at) VALUES (1, 1, 8, '2026-01-03');
  `);
  const before = [await rows('SELECT * FROM user_dashboards'), await rows('SELECT * FROM group_dashboards')];
  await migrate(database.db);
  expect(
    await rows(
      'SELECT dashboard_id, share_type, user_id, group_id FROM dashboard_shares ORDER BY dashboard_id',
    ),
  ).toEqual([
    { dashboard_id: 7, share_type: 'user', user_id: 1, group_id: null },
    { dashboard_id: 8, share_type: 'group', user_id: null, group_id: 1 },
  ]);
  const slugs = await rows<{ dashboard_slug: string }>(
    'SELECT dashboard_slug FROM dashboards ORDER BY dashboard_id',
  );
  expect(slugs.map(({ dashboard_slug }) => dashboard_slug)).toEqual(['dashboard-7', 'dashboard-8']);
  await undo('0019');
  expect([await rows('SELECT * FROM user_dashboards'), await rows('SELECT * FROM group_dashboards')]).toEqual(
    before,
  );
});
