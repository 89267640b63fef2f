import { expect, it } from 'vitest';
import { repartitionResponses } from '../../../../src/db/distribution/partitions.ts';
import { useDatabase } from '../../../support/database.ts';

const database = useDatabase();

/** Everything that PostgreSQL knows of the tables, but for what partitions are made of. */
async function schema(): Promise<string[]> {
  const { rows } = await database.db.raw<{ rows: { line: string }[] }>(`
    WITH t AS (SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition)
    SELECT concat_ws(' ', 'column', relname, attnum - (SELECT count(*) FROM pg_attribute d WHERE d.attrelid = t.oid AND d.attnum BETWEEN 1 AND a.attnum AND d.attisdropped),
        attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attstorage, pg_get_expr(adbin, adrelid),
        pg_get_serial_sequence(relname, attname)) AS line
      FROM t JOIN pg_attribute a ON a.attrelid = t.oid AND attnum > 0 AND NOT attisdropped LEFT JOIN pg_attrdef d ON adrelid = t.oid AND adnum = attnum
    UNION ALL SELECT concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(c.oid), convalidated)
      FROM t JOIN pg_constraint c ON conrelid = t.oid WHERE conparentid = 0
    UNION ALL SELECT 'index ' || replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM t JOIN pg_index ON indrelid = t.oid
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(g.oid) FROM t JOIN pg_trigger g ON tgrelid = t.oid WHERE NOT tgisinternal AND tgparentid = 0
    UNION ALL SELECT 'sequence ' || relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace
    UNION ALL SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname !~ '^pg_'
    ORDER BY 1`);
  return rows.map(({ line }) => line);
}

it('repartition converts tables to partitions and back without other schema changes', async () => {
  const before = await schema();
  await repartitionResponses(database.db, 3);
  expect(await schema()).toEqual(before);
  await repartitionResponses(database.db, 5);
  expect(await schema()).toEqual(before);
  await repartitionResponses(database.db, 0);
  expect(await schema()).toEqual(before);
});

it('repartition reports blocking objects and changes nothing on failure', async () => {
  const before = await schema();
  await database.db.raw('CREATE VIEW looked_at AS SELECT survey_id FROM responses');
  await expect(repartitionResponses(database.db, 3)).rejects.toThrow('other objects depend on');
  await database.db.raw(
    'DROP VIEW looked_at; CREATE TABLE strange (survey_id bigint, response_id bigint, FOREIGN KEY (survey_id, response_id) REFERENCES responses)',
  );
  await expect(repartitionResponses(database.db, 3)).rejects.toThrow(
    'strange (strange_survey_id_response_id_fkey) refers to',
  );
  await database.db.raw('DROP TABLE strange');
  await expect(repartitionResponses(database.db, 257)).rejects.toThrow('between 0');
  expect(await schema()).toEqual(before);
});

it('repartition keeps rows, counters and sequences', async () => {
  const { db } = database;
  await db.raw(`
    INSERT INTO organizations (organization_id, organization_name, organization_slug) VALUES (1, 'O', 'o');
    INSERT INTO users (user_id, organization_id, user_email, user_name, password_hash, user_role) VALUES (1, 1, 'a@o.example', 'A', '', 'admin');
    INSERT INTO workspaces (workspace_id, organization_id, owner_id, workspace_name) VALUES (1, 1, 1, 'W');
    INSERT INTO surveys (survey_id, organization_id, workspace_id, created_by, survey_name) SELECT n, 1, 1, 1, 'S' FROM generate_series(1, 9) n;
    INSERT INTO responses (survey_id, response_token, response_status, survey_version) SELECT 1 + n % 9, n, 'complete', 1 FROM generate_series(1, 90) n;
    INSERT INTO response_comments (survey_id, response_id, organization_id, user_id, comment_text) SELECT survey_id, response_id, 1, 1, 'c' FROM responses;`);
  const all = async () =>
    (
      await db.raw<{ rows: unknown[] }>(
        `SELECT r.*, c.comment_id FROM responses r JOIN response_comments c USING (survey_id, response_id) ORDER BY response_id`,
      )
    ).rows;
  const before = await all();
  await repartitionResponses(db, 4);
  expect(await all()).toEqual(before);
  const { rows } = await db.raw<{ rows: object[] }>(`
    SELECT count(DISTINCT r.tableoid)::int AS parts, 
      (SELECT sum(response_count)::int FROM response_counts) AS counted FROM responses r`);
  expect(rows).toEqual([{ parts: 4, counted: 90 }]);
  const added = await db.raw<{ rows: { comment_id: number }[] }>(
    `INSERT INTO response_comments (survey_id, response_id, organization_id, user_id, comment_text)
     SELECT survey_id, response_id, 1, 1, 'new' FROM responses WHERE response_id = 1 RETURNING comment_id`,
  );
  expect(added.rows).toEqual([{ comment_id: 91 }]);
});
