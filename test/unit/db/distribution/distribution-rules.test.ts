import { describe, expect, it } from 'vitest';
import { type DistributionRule, findRuleViolations } from '../../../support/fan-out/distribution-rules.ts';

const DISTRIBUTED = new Set([
  'responses',
  'response_files',
  'response_counts',
  'data_changes',
  'data_change_rows',
  'link_limits',
  'quota_cells',
  'quotas',
  'quota_reservations',
]);
const violationsOf = (sql: string) => findRuleViolations(sql, DISTRIBUTED);
const rulesOf = (sql: string): DistributionRule[] => violationsOf(sql).map(({ rule }) => rule);

/** The tables that are read for all surveys. */
const unboundTables = (sql: string) =>
  violationsOf(sql).find(({ rule }) => rule === 'reads all surveys')?.detail ?? '';

describe('statements that name their surveys', () => {
  it.each([
    'SELECT * FROM responses WHERE survey_id = ?',
    'SELECT * FROM responses WHERE survey_id = ANY(?::bigint[]) AND response_id > ?',
    'SELECT * FROM responses r WHERE 7::bigint = r.survey_id',
    'SELECT * FROM responses WHERE survey_id IN (?, ?)',
    'SELECT * FROM responses WHERE response_id = ? AND (survey_id = ? AND (NOT is_test))',
    'SELECT * FROM response_files f JOIN responses r ON r.survey_id = f.survey_id WHERE f.survey_id = ?',
    "SELECT extract(epoch FROM now()), 'FROM responses' -- FROM responses",
    'WITH them AS (SELECT survey_id FROM responses WHERE survey_id = ?) SELECT * FROM responses r JOIN them USING (survey_id)',
    'INSERT INTO responses (survey_id, answers) SELECT survey_id, answers FROM json_to_recordset(?::json) AS g (survey_id bigint, answers jsonb) ON CONFLICT (survey_id, submission_id) WHERE submission_id IS NOT NULL DO NOTHING RETURNING response_id',
    'INSERT INTO responses (survey_id) VALUES (?) RETURNING response_id',
    'UPDATE responses r SET answers = ? FROM json_to_recordset(?::json) AS p (id bigint) WHERE r.survey_id = ? AND r.response_id = p.id',
    'DELETE FROM response_files f USING responses r WHERE r.survey_id = ? AND f.survey_id = r.survey_id',
    'SELECT 1 FROM responses WHERE survey_id = ? UNION ALL SELECT 2 FROM data_changes WHERE survey_id = ?',
    'SELECT * FROM responses r LEFT JOIN response_files f USING (survey_id, response_id) WHERE survey_id = ? FOR UPDATE OF r',
    'SELECT * FROM responses r CROSS JOIN unnest(?::bigint[]) AS k (id) JOIN response_files f USING (survey_id) WHERE survey_id = ?',
    'SELECT * FROM responses LEFT JOIN json_to_recordset(?::json) AS g (id bigint) ON g.id = response_id WHERE survey_id = ?',
    'SELECT * FROM responses r WHERE survey_id = ? AND NOT EXISTS (SELECT FROM response_files f WHERE f.survey_id = r.survey_id)',
    'SELECT (SELECT system_identifier FROM pg_control_system()), pg_current_snapshot() FROM responses WHERE survey_id = ?',
    'WITH r AS (SELECT * FROM responses WHERE survey_id = ?) SELECT (SELECT count(*) FROM quotas q WHERE q.survey_id = ? AND q.wave_id = r.wave_id) FROM r',
    'SELECT * FROM unnest(?::bigint[]) AS k (id) JOIN LATERAL (SELECT * FROM responses WHERE survey_id = ? AND response_id = k.id) x ON true',
    'UPDATE responses SET updated_at = now(), last_page_id = coalesce(?, last_page_id) WHERE survey_id = ? AND updated_at < now()',
    'UPDATE responses SET completed_at = CASE WHEN is_test THEN iso_timestamp(?) ELSE ?::timestamptz END WHERE survey_id = ?',
    "UPDATE responses r SET answers = coalesce((SELECT jsonb_object_agg(a.key, a.value) FROM jsonb_each(r.answers) a), '{}') WHERE survey_id = ?",
    'DELETE FROM quota_reservations h USING (SELECT survey_id, response_id FROM responses WHERE survey_id = ? AND wave_id = ANY(?::bigint[])) expired WHERE h.survey_id = expired.survey_id AND h.response_id = expired.response_id',
    'INSERT INTO link_limits (survey_id, link_id, max_completes) VALUES (?, ?, ?), (?, ?, ?) ON CONFLICT (survey_id, link_id) DO UPDATE SET max_completes = coalesce(excluded.max_completes, 0)',
    'INSERT INTO data_changes (survey_id, created_at) VALUES (?, now()) RETURNING nextval(?)',
    'SELECT count(*) FROM surveys JOIN pg_class ON true',
  ])('%s', (sql) => {
    expect(violationsOf(sql)).toEqual([]);
  });
});

describe('statements that reach every shard', () => {
  it.each([
    ['SELECT * FROM responses', ['responses']],
    ['SELECT * FROM responses WHERE response_id = ?', ['responses']],
    ['SELECT * FROM responses WHERE survey_id > ?', ['responses']],
    ['SELECT * FROM responses WHERE survey_id <> ?', ['responses']],
    ['SELECT * FROM responses WHERE NOT survey_id = ?', ['responses']],
    ['SELECT * FROM responses WHERE survey_id = ? OR is_test', ['responses']],
    ['SELECT * FROM responses WHERE (?::bigint IS NULL OR survey_id = ?)', ['responses']],
    ['SELECT * FROM responses WHERE CASE WHEN is_test THEN survey_id = ? ELSE true END', ['responses']],
    ['SELECT * FROM responses WHERE survey_id + 0 = ?', ['responses']],
    ['SELECT * FROM responses WHERE survey_id = response_id', ['responses']],
    [
      'SELECT * FROM responses WHERE (survey_id, response_id) IN (SELECT survey_id, response_id FROM data_changes)',
      ['responses', 'data_changes'],
    ],
    [
      'SELECT * FROM responses WHERE survey_id IN (SELECT survey_id FROM surveys WHERE workspace_id = ?)',
      ['responses'],
    ],
    ['SELECT * FROM surveys s JOIN responses r USING (survey_id) WHERE s.workspace_id = ?', ['responses']],
    ['SELECT * FROM responses r JOIN unnest(?::bigint[]) AS w (survey_id) USING (survey_id)', ['responses']],
    [
      'SELECT * FROM responses r LEFT JOIN response_files f ON r.survey_id = ?',
      ['responses', 'response_files'],
    ],
    [
      'SELECT * FROM responses r LEFT JOIN response_files f ON f.survey_id = ? AND f.survey_id = r.survey_id',
      ['responses'],
    ],
    ['SELECT * FROM responses r, response_files f WHERE f.survey_id = ?', ['responses']],
    ['SELECT 1 FROM responses WHERE survey_id = ? UNION SELECT 2 FROM data_changes', ['data_changes']],
    [
      'SELECT (SELECT count(*) FROM responses a WHERE a.respondent_id = r.respondent_id) FROM respondents r WHERE r.respondent_id = ?',
      ['responses'],
    ],
    ['WITH x AS (SELECT * FROM responses) SELECT * FROM x WHERE survey_id = ?', ['responses']],
    ['UPDATE responses SET external_id = NULL WHERE respondent_id = ?', ['responses']],
    [
      'UPDATE responses SET external_id = (SELECT max(1) FROM data_changes) WHERE survey_id = ?',
      ['data_changes'],
    ],
    ['DELETE FROM response_files WHERE deleted_at IS NOT NULL', ['response_files']],
    ['INSERT INTO responses SELECT * FROM given', ['responses']],
    // A list, a query that is computed first and a subquery that is a value pass no survey on.
    [
      'SELECT * FROM quotas q JOIN quota_cells c ON c.survey_id = q.survey_id WHERE q.survey_id = ANY(?::bigint[])',
      ['quota_cells'],
    ],
    [
      'DELETE FROM quota_reservations h USING (SELECT survey_id FROM responses WHERE survey_id = ? FOR UPDATE SKIP LOCKED) expired WHERE h.survey_id = expired.survey_id',
      ['quota_reservations'],
    ],
    [
      'DELETE FROM quota_reservations h USING (SELECT survey_id FROM responses WHERE wave_id = ?) expired WHERE h.survey_id = expired.survey_id',
      ['responses', 'quota_reservations'],
    ],
    [
      'DELETE FROM quota_reservations h USING (SELECT f.file_id AS survey_id FROM response_files f WHERE f.survey_id = ?) x WHERE h.survey_id = x.survey_id',
      ['quota_reservations'],
    ],
    [
      'WITH x AS MATERIALIZED (SELECT survey_id FROM responses WHERE survey_id = ?) SELECT * FROM response_files f JOIN x USING (survey_id)',
      ['response_files'],
    ],
    [
      'SELECT (SELECT count(*) FROM response_files f WHERE f.survey_id = r.survey_id) FROM responses r WHERE survey_id = ?',
      ['response_files'],
    ],
    [
      'DELETE FROM responses r WHERE survey_id = ? AND (is_test OR NOT EXISTS (SELECT FROM response_files f WHERE f.survey_id = r.survey_id))',
      ['response_files'],
    ],
    ['INSERT INTO data_changes (survey_id) SELECT survey_id FROM responses', ['responses']],
  ])('%s', (sql, tables) => {
    expect(unboundTables(sql)).toBe(tables.join(', '));
  });
});

const JOINS_LOCAL = 'joins distributed and local tables';
const CHOICE = 'has a function that is not immutable in CASE or COALESCE';
const VOLATILE = 'has a volatile function in UPDATE or DELETE';
const UPSERT = 'has a function that is not immutable, or a query, in DO UPDATE';
const WRITING_CTE = 'writes in a common table expression';
const DEPENDENT = 'has a dependent subquery over several surveys';
const LOCKS = 'locks rows of several surveys';
const WRITES = 'writes rows of several surveys';

describe('statements that Citus refuses', () => {
  it.each<[DistributionRule, string]>([
    [JOINS_LOCAL, 'SELECT * FROM responses r JOIN surveys s USING (survey_id) WHERE survey_id = ?'],
    [JOINS_LOCAL, 'SELECT * FROM surveys WHERE EXISTS (SELECT FROM responses WHERE survey_id = ?)'],
    [
      JOINS_LOCAL,
      'WITH s AS (SELECT * FROM surveys) SELECT * FROM responses r JOIN s USING (survey_id) WHERE r.survey_id = ?',
    ],
    [
      JOINS_LOCAL,
      'SELECT * FROM responses WHERE survey_id = ? AND wave_id IN (SELECT wave_id FROM waves WHERE survey_id = ?)',
    ],
    [JOINS_LOCAL, 'SELECT * FROM responses, pg_catalog.pg_database WHERE survey_id = ?'],
    [JOINS_LOCAL, 'SELECT * FROM responses WHERE survey_id = ? AND EXISTS (SELECT FROM pg_stat_activity)'],
    [
      JOINS_LOCAL,
      'INSERT INTO link_limits (survey_id, link_id) SELECT survey_id, link_id FROM links WHERE survey_id = ?',
    ],
    [CHOICE, 'UPDATE responses SET deleted_at = coalesce(deleted_at, now()) WHERE survey_id = ?'],
    [
      CHOICE,
      'UPDATE responses SET deleted_at = CASE WHEN is_test THEN CURRENT_TIMESTAMP END WHERE survey_id = ?',
    ],
    [
      CHOICE,
      'UPDATE responses SET deleted_at = CASE WHEN is_test THEN ?::text::timestamptz END WHERE survey_id = ?',
    ],
    [
      CHOICE,
      "UPDATE responses SET deleted_at = CASE WHEN is_test THEN (answers ->> 'd')::date END WHERE survey_id = ?",
    ],
    [
      CHOICE,
      "UPDATE responses SET deleted_at = CASE WHEN is_test THEN updated_at + interval '1 day' END WHERE survey_id = ?",
    ],
    [CHOICE, 'UPDATE responses SET answers = coalesce(to_jsonb(response_id), ?) WHERE survey_id = ?'],
    [CHOICE, 'DELETE FROM responses WHERE survey_id = ? AND NOT (coalesce(updated_at, now()) < ?)'],
    [VOLATILE, 'UPDATE responses SET updated_at = clock_timestamp() WHERE survey_id = ?'],
    [VOLATILE, 'DELETE FROM responses WHERE survey_id = ? AND (updated_at < clock_timestamp())'],
    [
      UPSERT,
      'INSERT INTO data_changes (survey_id) VALUES (?) ON CONFLICT (survey_id) DO UPDATE SET updated_at = now()',
    ],
    [
      UPSERT,
      'INSERT INTO data_changes AS d (survey_id) SELECT ? ON CONFLICT (survey_id) DO UPDATE SET change_id = nextval(?) WHERE d.survey_id > 0 RETURNING change_id',
    ],
    [
      UPSERT,
      'INSERT INTO quotas (survey_id) VALUES (?) ON CONFLICT (survey_id) DO UPDATE SET target = (SELECT 1)',
    ],
    [
      WRITING_CTE,
      'WITH gone AS (UPDATE responses SET deleted_at = ? WHERE survey_id = ? RETURNING response_id) SELECT count(*) FROM gone',
    ],
    [
      WRITING_CTE,
      'WITH noted AS (INSERT INTO data_change_rows (survey_id) VALUES (?)) UPDATE responses SET answers = ? WHERE survey_id = ?',
    ],
    [
      DEPENDENT,
      'SELECT (SELECT count(*) FROM responses r WHERE r.survey_id = k.id AND r.survey_id = ANY(?)) FROM unnest(?::bigint[]) AS k (id)',
    ],
    [
      DEPENDENT,
      'WITH r AS (SELECT * FROM responses WHERE survey_id = ANY(?)) SELECT (SELECT count(*) FROM quotas q WHERE q.survey_id = ANY(?) AND q.wave_id = r.wave_id) FROM r',
    ],
    [
      DEPENDENT,
      'SELECT * FROM (SELECT * FROM responses WHERE survey_id = ANY(?) LIMIT 10) r WHERE EXISTS (SELECT FROM quotas q WHERE q.survey_id = ANY(?) AND q.wave_id = r.wave_id)',
    ],
    [
      DEPENDENT,
      'SELECT * FROM quotas q CROSS JOIN LATERAL (SELECT count(*) FROM responses r WHERE r.survey_id = ANY(?) AND r.wave_id = q.wave_id) x WHERE q.survey_id = ANY(?)',
    ],
    [LOCKS, 'SELECT 1 FROM responses WHERE survey_id = ANY(?::bigint[]) FOR UPDATE'],
    [LOCKS, 'SELECT 1 FROM (SELECT 1 FROM responses WHERE survey_id IN (?, ?) FOR KEY SHARE SKIP LOCKED) x'],
    [LOCKS, 'SELECT 1 FROM responses WHERE response_id = ? FOR NO KEY UPDATE'],
    [WRITES, 'UPDATE response_files SET deleted_at = now() WHERE survey_id = ANY(?::bigint[])'],
    [WRITES, 'DELETE FROM response_files WHERE survey_id = ANY(?::bigint[]) AND file_id = ?'],
    [WRITES, 'INSERT INTO data_changes (survey_id) SELECT survey_id FROM responses WHERE survey_id = ANY(?)'],
  ])('%s: %s', (rule, sql) => {
    expect(rulesOf(sql)).toContain(rule);
  });

  // Statements of earlier versions that Citus 13.2 refused, shortened.
  it.each<[DistributionRule, string]>([
    [
      JOINS_LOCAL,
      'SELECT s.survey_id, (SELECT coalesce(sum(c.response_count), 0) FROM response_counts c WHERE c.survey_id = s.survey_id)::bigint AS response_count FROM unnest(?::bigint[], ?::bigint[]) AS k (organization_id, survey_id) JOIN surveys s ON s.survey_id = k.survey_id WHERE s.survey_id = ANY(?)',
    ],
    [
      JOINS_LOCAL,
      'SELECT s.survey_id, c.response_count FROM surveys s CROSS JOIN LATERAL ( SELECT coalesce(sum(r.response_count), 0)::bigint AS response_count FROM response_counts r WHERE r.survey_id = s.survey_id ) c WHERE s.workspace_id = ? AND (?::int IS NULL OR s.survey_status = ?)',
    ],
    [
      JOINS_LOCAL,
      'WITH v AS MATERIALIZED ( SELECT v.* FROM surveys s JOIN waves v USING (survey_id) WHERE s.workspace_id = ?) SELECT v.wave_id, (SELECT max(q.target) FROM ( SELECT sum(target) AS target FROM quota_cells WHERE survey_id = v.survey_id GROUP BY quota_id) q) FROM v',
    ],
    [
      JOINS_LOCAL,
      'SELECT r.*, (SELECT count(*) FROM responses a WHERE a.respondent_id = r.respondent_id) AS completed_count FROM ( SELECT r.respondent_id FROM respondents r WHERE r.workspace_id = ? ) r',
    ],
    [
      JOINS_LOCAL,
      "SELECT s.survey_id FROM surveys s WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE kind = ? AND payload ->> 'survey_id' = s.survey_id::text) AND CASE WHEN s.survey_id IS NULL THEN EXISTS (SELECT 1 FROM responses r WHERE r.survey_id = s.survey_id AND NOT is_preview OFFSET ?) END",
    ],
    [
      WRITING_CTE,
      'WITH seeded AS ( SELECT response_id FROM responses WHERE survey_id = ? AND is_seeded FOR UPDATE), gone AS ( UPDATE responses r SET deleted_at = coalesce(deleted_at, now()) FROM seeded s WHERE r.survey_id = ? AND r.response_id = s.response_id RETURNING s.response_id) SELECT count(*) AS removed FROM gone',
    ],
    [
      WRITING_CTE,
      "WITH given AS ( SELECT coalesce(quota_id, nextval(pg_get_serial_sequence('quotas', 'quota_id'))) AS quota_id FROM json_to_recordset(?::json) AS g (quota_id bigint)), written AS ( INSERT INTO quotas (quota_id, survey_id) SELECT quota_id, ? FROM given ON CONFLICT (quota_id) DO UPDATE SET quota_id = excluded.quota_id RETURNING quota_id) INSERT INTO quota_cells (quota_id, survey_id) SELECT quota_id, ? FROM written",
    ],
    [
      CHOICE,
      "UPDATE responses r SET completed_at = CASE WHEN jsonb_exists(p.patch, 'completedAt') THEN (p.patch ->> 'completedAt')::timestamptz ELSE r.completed_at END FROM json_to_recordset(?::json) AS p (id bigint, patch jsonb) WHERE r.survey_id = ? AND r.response_id = p.id",
    ],
    [
      WRITES,
      'UPDATE response_files SET deleted_at = now() WHERE survey_id = ANY(?::bigint[]) AND (survey_id, file_id) IN ( SELECT f.survey_id, f.file_id FROM unnest(?::bigint[], ?::uuid[]) AS w (survey_id, file_id) JOIN response_files f USING (survey_id, file_id) LEFT JOIN responses r USING (survey_id, response_id) WHERE f.survey_id = ANY(?::bigint[]))',
    ],
  ])('%s: %s', (rule, sql) => {
    expect(rulesOf(sql)).toContain(rule);
  });
});

it('names the tables or the expression', () => {
  expect(
    violationsOf('UPDATE responses SET deleted_at = coalesce(deleted_at, now()) WHERE survey_id = ANY(?)'),
  ).toEqual([
    { rule: CHOICE, detail: 'now()' },
    { rule: WRITES, detail: 'responses' },
  ]);
});

it('reports a statement that it cannot parse', () => {
  expect(() => violationsOf('SELECT * FROM responses FULL JOIN surveys USING (survey_id)')).toThrow(
    'not understood',
  );
  expect(() => violationsOf('SELECT (1')).toThrow('stays open');
});
