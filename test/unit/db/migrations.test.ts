import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { migrate, rollback } from '../../../src/db/migrate.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

/** Tables, columns, constraints, indexes, triggers and functions, as PostgreSQL describes them. */
async function schema(): Promise<string[]> {
  const { rows } = await database.db.raw(`
    SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
           || coalesce(column_default, '') AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'index ' || regexp_replace(indexdef, ' INDEX \\S+ ', ' INDEX ') FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'function ' || proname || md5(prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1`);
  return (rows as { line: string }[]).map((row) => row.line);
}

it('every migration is taken back, one at a time, and applied again, and the schema is the same', async () => {
  const before = await schema();
  const count = readdirSync('migrations').length;
  const undone: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const taken = await rollback(database.db, false);
    expect(taken).toHaveLength(1);
    undone.push(...taken);
  }
  expect(undone).toEqual([...undone].sort().reverse());
  expect((await schema()).filter((line) => !line.includes('knex_migrations'))).toEqual([]);
  expect(await rollback(database.db, false)).toEqual([]);
  expect(await migrate(database.db)).toEqual([...undone].reverse());
  expect(await schema()).toEqual(before);
  expect(await migrate(database.db)).toEqual([]);
});

it('what a superadmin made in another organization does not keep 0013 from being taken back', async () => {
  await database.db.raw(`
    INSERT INTO organizations (organization_id, organization_name, organization_slug) VALUES (1, 'Home', 'home'), (2, 'Away', 'away');
    INSERT INTO users (user_id, organization_id, user_email, user_name, password_hash, user_role)
      VALUES (1, 1, 'super@home.example', 'Super', '', 'superadmin'), (2, 2, 'owner@away.example', 'Owner', '', 'admin');
    INSERT INTO workspaces (workspace_id, organization_id, owner_id, workspace_name) VALUES (1, 2, 2, 'Theirs');
    INSERT INTO surveys (survey_id, organization_id, workspace_id, created_by, survey_name) VALUES (1, 2, 1, 1, 'Made as a guest');
    INSERT INTO responses (survey_id, response_id, response_token, response_status, survey_version) VALUES (1, 1, '', 'complete', 1);
    INSERT INTO response_comments (survey_id, response_id, organization_id, user_id, comment_text)
      VALUES (1, 1, 2, 1, 'By a guest'), (1, 1, 2, 2, 'By the owner');
    INSERT INTO api_keys (organization_id, user_id, key_name, key_start, key_hash, acting_organization_id, current_workspace_id)
      VALUES (1, 1, 'Key', '', '', 2, 1);`);
  let taken: string[] = [];
  while (taken[0] !== '0013-people') {
    taken = await rollback(database.db, false);
    expect(taken).toHaveLength(1);
  }
  const { rows } = await database.db.raw(
    `SELECT (SELECT created_by FROM surveys), (SELECT string_agg(comment_text, ' ') FROM response_comments) AS comments,
            (SELECT current_workspace_id FROM api_keys)`,
  );
  expect(rows).toEqual([{ created_by: 2, comments: 'By the owner', current_workspace_id: null }]);
  await migrate(database.db);
});
