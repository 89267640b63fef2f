import { expect, it } from 'vitest';
import { checkCitus, citusStatements, ROW_TRIGGERS } from '../../../../src/db/distribution/citus.ts';
import {
  DISTRIBUTION_COLUMN,
  REFERENCE_TABLES,
  RESPONSE_TABLES,
  UNDISTRIBUTED_TABLES,
} from '../../../../src/db/distribution/response-tables.ts';
import { useDatabase } from '../../../support/database.ts';

const database = useDatabase();

async function rows<Row>(sql: string, bindings: unknown[] = []): Promise<Row[]> {
  return (await database.db.raw<{ rows: Row[] }>(sql, bindings as never)).rows;
}

it('every table with a survey_id is distributed, replicated or listed as local with a reason', async () => {
  const tables = await rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = ?`,
    [DISTRIBUTION_COLUMN],
  );
  const decided = new Set<string>([...RESPONSE_TABLES, ...REFERENCE_TABLES, ...UNDISTRIBUTED_TABLES.keys()]);
  expect(tables.map(({ name }) => name).filter((name) => !decided.has(name))).toEqual([]);
  expect(
    [...RESPONSE_TABLES, ...UNDISTRIBUTED_TABLES.keys()].filter(
      (item) => !tables.some(({ name }) => name === item),
    ),
  ).toEqual([]);
});

it('every key of a distributed table, and every foreign key between two of them, contains survey_id', async () => {
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
  expect(references.length).toBeGreaterThan(4);
  for (const { from, to, by } of references) {
    expect(RESPONSE_TABLES, by).toContain(from);
    if ((RESPONSE_TABLES as readonly string[]).includes(to))
      expect(by).toMatch(/\(survey_id, .*REFERENCES \w+\(survey_id, /);
    else expect(REFERENCE_TABLES, by).toContain(to);
  }
});

it('replicated tables refer only to replicated tables', async () => {
  for (const table of REFERENCE_TABLES) {
    const to = await rows<{ to: string }>(
      `SELECT confrelid::regclass::text AS to FROM pg_constraint WHERE contype = 'f' AND conrelid = ?::regclass`,
      [table],
    );
    for (const reference of to) expect(REFERENCE_TABLES, table).toContain(reference.to);
  }
});

it('reports that PostgreSQL lacks Citus', async () => {
  await expect(checkCitus(database.db)).rejects.toThrow('Citus is not installed');
});

it('the Citus statements drop and restore every foreign key and name every table once', async () => {
  const statements = await citusStatements(database.db, 16);
  const names = (pattern: RegExp) => statements.flatMap((item) => pattern.exec(item)?.slice(1) ?? []).sort();
  expect(names(/create_distributed_table\('(\w+)'/)).toEqual([...RESPONSE_TABLES].sort());
  expect(names(/create_reference_table\('(\w+)'/)).toEqual([...REFERENCE_TABLES].sort());
  expect(names(/DROP CONSTRAINT (\w+)/)).toEqual(names(/ADD CONSTRAINT (\w+)/));
});

it('row-level triggers keep the same counts as statement-level triggers', async () => {
  const { db } = database;
  const counts = async (survey: number) => [
    await rows(
      `SELECT link_id, sum(response_count) AS n, sum(complete_count) AS c FROM response_counts WHERE survey_id = ? GROUP BY 1
       HAVING sum(response_count) <> 0 OR sum(complete_count) <> 0 ORDER BY 1`,
      [survey],
    ),
    await rows(
      `SELECT wave_id - ? * 10 AS wave, sum(partial) AS p, sum(complete) AS c, sum(screened_out) AS s FROM wave_counts WHERE survey_id = ?
       GROUP BY 1 HAVING sum(partial) <> 0 OR sum(complete) <> 0 OR sum(screened_out) <> 0 ORDER BY 1`,
      [survey, survey],
    ),
    await rows(
      'SELECT cell_order, completed, over_quota FROM quota_cells WHERE survey_id = ? ORDER BY cell_order',
      [survey],
    ),
  ];
  const lived = async (survey: number) => {
    await db.raw(`
      INSERT INTO surveys (survey_id, organization_id, workspace_id, created_by, survey_name) VALUES (${survey}, 1, 1, 1, 'Lived');
      INSERT INTO waves (wave_id, organization_id, survey_id, wave_name) VALUES (${survey}1, 1, ${survey}, 'One'), (${survey}2, 1, ${survey}, 'Two');
      INSERT INTO quotas (quota_id, survey_id, wave_id, quota_name, mode, quota_order) VALUES (${survey}, ${survey}, ${survey}1, 'Q', 'hard', 0);
      INSERT INTO quota_cells (cell_id, quota_id, survey_id, wave_id, cell_label, condition, cell_order)
        VALUES (${survey}1, ${survey}, ${survey}, ${survey}1, 'a', '{}', 1), (${survey}2, ${survey}, ${survey}, ${survey}1, 'b', '{}', 2);
      INSERT INTO responses (survey_id, response_id, response_token, response_status, status_reason, survey_version, link_id, wave_id, quota_cells, is_test)
        SELECT ${survey}, n, n, (ARRAY['complete', 'partial', 'screened_out'])[1 + n % 3], CASE WHEN n % 2 = 0 THEN 'over_quota' END, 1,
          nullif(n % 4, 0), CASE WHEN n % 5 > 0 THEN ${survey}0 + 1 + n % 2 END,
          CASE WHEN n % 5 > 0 THEN ARRAY[${survey}0 + 1 + n % 2] END, n % 7 = 0 FROM generate_series(1, 60) n;
      UPDATE responses SET response_status = 'complete' WHERE survey_id = ${survey} AND response_id % 4 = 1;
      UPDATE responses SET deleted_at = now() WHERE survey_id = ${survey} AND response_id % 6 = 2;
      UPDATE responses SET deleted_at = NULL, quota_cells = '{${survey}1,${survey}2}' WHERE survey_id = ${survey} AND response_id % 12 = 2 AND wave_id IS NOT NULL;
      UPDATE responses SET is_test = NOT is_test, link_id = 9 WHERE survey_id = ${survey} AND response_id % 11 = 0;
      UPDATE responses SET language = 'de' WHERE survey_id = ${survey};
      DELETE FROM responses WHERE survey_id = ${survey} AND response_id % 13 = 0;`);
    return counts(survey);
  };
  await db.raw(`
    INSERT INTO organizations (organization_id, organization_name, organization_slug) VALUES (1, 'O', 'o');
    INSERT INTO users (user_id, organization_id, user_email, user_name, password_hash, user_role) VALUES (1, 1, 'a@o.example', 'A', '', 'admin');
    INSERT INTO workspaces (workspace_id, organization_id, owner_id, workspace_name) VALUES (1, 1, 1, 'W');`);
  const byStatements = await lived(3);
  for (const statement of ROW_TRIGGERS) await db.raw(statement);
  expect(await lived(4)).toEqual(byStatements);
  expect(JSON.stringify(byStatements)).toMatch(/"completed":[1-9].*"completed":[1-9]/);
});
