import { expect, it } from 'vitest';
import { checkCitus, citusStatements } from '../../../../src/db/distribution/citus.ts';
import {
  DISTRIBUTION_COLUMN,
  RESPONSE_TABLES,
  UNDISTRIBUTED_TABLES,
} from '../../../../src/db/distribution/response-tables.ts';
import { useDatabase } from '../../../support/database.ts';

const database = useDatabase();

async function rows<Row>(sql: string, bindings: unknown[] = []): Promise<Row[]> {
  return (await database.db.raw<{ rows: Row[] }>(sql, bindings as never)).rows;
}

it('every table with a survey_id is distributed or listed as local with a reason', async () => {
  const tables = await rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = ?`,
    [DISTRIBUTION_COLUMN],
  );
  const decided = new Set<string>([...RESPONSE_TABLES, ...UNDISTRIBUTED_TABLES.keys()]);
  expect(tables.map(({ name }) => name).filter((name) => !decided.has(name))).toEqual([]);
  expect(
    [...RESPONSE_TABLES, ...UNDISTRIBUTED_TABLES.keys()].filter(
      (item) => !tables.some(({ name }) => name === item),
    ),
  ).toEqual([]);
});

it('every key of a distributed table contains survey_id, and foreign keys connect only distributed tables', async () => {
  const spread = [[...RESPONSE_TABLES]];
  expect(
    await rows(
      `SELECT indexrelid::regclass::text AS index FROM pg_index i WHERE indisunique AND indrelid::regclass::text = ANY(?::text[])
         AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attname = 'survey_id' AND a.attnum = ANY(i.indkey::smallint[]))`,
      spread,
    ),
  ).toEqual([]);
  const references = await rows<{ from: string; to: string; by: string }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to, pg_get_constraintdef(oid) AS by FROM pg_constraint
     WHERE contype = 'f' AND (conrelid::regclass::text = ANY(?::text[]) OR confrelid::regclass::text = ANY(?::text[]))`,
    [...spread, ...spread],
  );
  expect(references.length).toBeGreaterThan(2);
  for (const { from, to, by } of references) {
    expect(RESPONSE_TABLES, by).toContain(from);
    expect(RESPONSE_TABLES, by).toContain(to);
    expect(by).toMatch(/\(survey_id, .*REFERENCES \w+\(survey_id, /);
  }
});

it('reports that PostgreSQL lacks Citus', async () => {
  await expect(checkCitus(database.db)).rejects.toThrow('Citus is not installed');
});

it('the Citus statements drop and restore every foreign key and trigger and name every table once', async () => {
  const statements = await citusStatements(database.db, 16);
  const names = (pattern: RegExp) => statements.flatMap((item) => pattern.exec(item)?.slice(1) ?? []).sort();
  expect(names(/create_distributed_table\('(\w+)'/)).toEqual([...RESPONSE_TABLES].sort());
  expect(names(/DROP CONSTRAINT (\w+)/)).toEqual(names(/ADD CONSTRAINT (\w+)/));
  expect(names(/DROP TRIGGER (\w+)/)).toEqual(names(/CREATE TRIGGER (\w+)/));
  const lastTable = statements.findLastIndex((statement) => statement.includes('create_distributed_table'));
  expect(statements.findIndex((statement) => statement.startsWith('CREATE TRIGGER'))).toBeGreaterThan(
    lastTable,
  );
});

it('triggers keep counters equal to the responses', async () => {
  const { db } = database;
  const survey = 3;
  const live = () =>
    db.raw(`
      INSERT INTO surveys (survey_id, organization_id, workspace_id, created_by, survey_name) VALUES (${survey}, 1, 1, 1, 'Lived');
      INSERT INTO waves (wave_id, organization_id, survey_id, wave_name) VALUES (${survey}1, 1, ${survey}, 'One'), (${survey}2, 1, ${survey}, 'Two');
      INSERT INTO quotas (quota_id, survey_id, wave_id, quota_name, mode, quota_order) VALUES (${survey}, ${survey}, ${survey}1, 'Q', 'hard', 0);
      INSERT INTO quota_cells (cell_id, quota_id, survey_id, wave_id, cell_label, condition, cell_order)
        VALUES (${survey}1, ${survey}, ${survey}, ${survey}1, 'a', '{}', 1), (${survey}2, ${survey}, ${survey}, ${survey}1, 'b', '{}', 2);
      INSERT INTO responses (survey_id, response_id, response_token, response_status, status_reason, survey_version, link_id, wave_id, quota_cells, is_test, completed_at)
        SELECT ${survey}, n, n, (ARRAY['complete', 'partial', 'screened_out'])[1 + n % 3], CASE WHEN n % 2 = 0 THEN 'over_quota' END, 1,
          nullif(n % 4, 0), CASE WHEN n % 5 > 0 THEN ${survey}0 + 1 + n % 2 END,
          CASE WHEN n % 5 > 0 THEN ARRAY[${survey}0 + 1 + n % 2] END, n % 7 = 0,
          CASE WHEN n % 8 > 0 THEN '1969-12-31 20:00Z'::timestamptz + n * interval '23 minutes' END FROM generate_series(1, 60) n;
      UPDATE responses SET response_status = 'complete' WHERE survey_id = ${survey} AND response_id % 4 = 1;
      UPDATE responses SET deleted_at = now() WHERE survey_id = ${survey} AND response_id % 6 = 2;
      UPDATE responses SET deleted_at = NULL, quota_cells = '{${survey}1,${survey}2}' WHERE survey_id = ${survey} AND response_id % 12 = 2 AND wave_id IS NOT NULL;
      UPDATE responses SET is_test = NOT is_test, link_id = 9 WHERE survey_id = ${survey} AND response_id % 11 = 0;
      UPDATE responses SET language = 'de' WHERE survey_id = ${survey};
      DELETE FROM responses WHERE survey_id = ${survey} AND response_id % 13 = 0;`);
  await db.raw(`
    INSERT INTO organizations (organization_id, organization_name, organization_slug) VALUES (1, 'O', 'o');
    INSERT INTO users (user_id, organization_id, user_email, user_name, password_hash, user_role) VALUES (1, 1, 'a@o.example', 'A', '', 'admin');
    INSERT INTO workspaces (workspace_id, organization_id, owner_id, workspace_name) VALUES (1, 1, 1, 'W');`);
  await live();
  expect(
    await rows(
      `SELECT link_id, sum(response_count) AS n, sum(complete_count) AS c FROM response_counts WHERE survey_id = ? GROUP BY 1
       HAVING sum(response_count) <> 0 OR sum(complete_count) <> 0 ORDER BY 1`,
      [survey],
    ),
  ).toEqual(
    await rows(
      `SELECT coalesce(link_id, 0) AS link_id, count(*)::numeric AS n, count(*) FILTER (WHERE response_status = 'complete')::numeric AS c
       FROM responses WHERE survey_id = ? AND deleted_at IS NULL AND NOT is_test GROUP BY 1 ORDER BY 1`,
      [survey],
    ),
  );
  const quarters = await rows(
    `SELECT hour * 4 + quarter AS quarter, sum(n) AS n FROM hourly_completes
       CROSS JOIN LATERAL (VALUES (0, quarter_1), (1, quarter_2), (2, quarter_3), (3, quarter_4)) AS q (quarter, n)
     WHERE survey_id = ? GROUP BY 1 HAVING sum(n) <> 0 ORDER BY 1`,
    [survey],
  );
  expect(quarters.length).toBeGreaterThan(10);
  expect(quarters).toEqual(
    await rows(
      `SELECT floor(extract(epoch FROM completed_at) / 900)::integer AS quarter, count(*) AS n FROM responses
       WHERE survey_id = ? AND deleted_at IS NULL AND NOT is_test AND response_status = 'complete' AND completed_at IS NOT NULL
       GROUP BY 1 ORDER BY 1`,
      [survey],
    ),
  );
  expect(
    await rows(
      `SELECT wave_id, sum(partial) AS p, sum(complete) AS c, sum(screened_out) AS s FROM wave_counts WHERE survey_id = ?
       GROUP BY 1 HAVING sum(partial) <> 0 OR sum(complete) <> 0 OR sum(screened_out) <> 0 ORDER BY 1`,
      [survey],
    ),
  ).toEqual(
    await rows(
      `SELECT wave_id, count(*) FILTER (WHERE response_status = 'partial')::numeric AS p,
         count(*) FILTER (WHERE response_status = 'complete')::numeric AS c,
         count(*) FILTER (WHERE response_status = 'screened_out')::numeric AS s
       FROM responses WHERE survey_id = ? AND wave_id IS NOT NULL AND deleted_at IS NULL AND NOT is_test GROUP BY 1 ORDER BY 1`,
      [survey],
    ),
  );
  const cells = await rows<{ completed: number; over_quota: number }>(
    'SELECT cell_id, completed, over_quota FROM quota_cells WHERE survey_id = ? ORDER BY cell_id',
    [survey],
  );
  expect(cells).toEqual(
    await rows(
      `SELECT cell_id, count(*) FILTER (WHERE response_status = 'complete') AS completed,
         count(*) FILTER (WHERE response_status = 'screened_out' AND status_reason = 'over_quota') AS over_quota
       FROM responses, unnest(quota_cells) AS cell_id WHERE survey_id = ? AND deleted_at IS NULL AND NOT is_test GROUP BY 1 ORDER BY 1`,
      [survey],
    ),
  );
  expect(cells).toHaveLength(2);
  for (const cell of cells) expect(cell.completed).toBeGreaterThan(0);
});
