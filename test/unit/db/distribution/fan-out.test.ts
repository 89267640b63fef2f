import { describe, expect, it } from 'vitest';
import { findFanOut } from '../../../support/fan-out/fan-out.ts';

const SPREAD = new Set(['responses', 'response_files', 'response_counts', 'data_changes']);
const found = (sql: string) => findFanOut(sql, SPREAD);

describe('statements that name their surveys', () => {
  it.each([
    'SELECT * FROM responses WHERE survey_id = ?',
    'SELECT * FROM responses WHERE survey_id = ANY(?::bigint[]) AND response_id > ?',
    'SELECT * FROM responses r WHERE 7::bigint = r.survey_id',
    'SELECT * FROM responses WHERE survey_id IN (?, ?)',
    'SELECT * FROM responses WHERE response_id = ? AND (survey_id = ? AND (NOT is_test))',
    'SELECT * FROM responses r LEFT JOIN waves v USING (survey_id, wave_id) WHERE survey_id = ? FOR UPDATE OF r',
    'SELECT * FROM surveys s LEFT JOIN responses r ON r.survey_id = s.survey_id AND NOT r.is_preview WHERE s.survey_id = ?',
    'SELECT * FROM response_files f JOIN responses r ON r.survey_id = f.survey_id WHERE f.survey_id = ?',
    'SELECT (SELECT count(*) FROM response_counts c WHERE c.survey_id = s.survey_id) FROM surveys s WHERE s.survey_id = ?',
    'SELECT * FROM surveys s CROSS JOIN LATERAL (SELECT 1 FROM responses r WHERE r.survey_id = s.survey_id) x WHERE s.survey_id = ?',
    'SELECT * FROM surveys s WHERE EXISTS (SELECT FROM responses WHERE survey_id = ?)',
    'select (select count(*) from "response_counts" where "survey_id" = surveys.survey_id) from "surveys" where "survey_id" = ?',
    "SELECT extract(epoch FROM now()), 'FROM responses' -- FROM responses",
    'WITH them AS (SELECT survey_id FROM responses WHERE survey_id = ?) SELECT * FROM responses r JOIN them USING (survey_id)',
    'INSERT INTO responses (survey_id, answers) SELECT survey_id, answers FROM json_to_recordset(?::json) AS g (survey_id bigint, answers jsonb) ON CONFLICT (survey_id, submission_id) WHERE submission_id IS NOT NULL DO NOTHING RETURNING response_id',
    'INSERT INTO responses (survey_id) VALUES (?) RETURNING response_id',
    'UPDATE responses r SET answers = ? FROM json_to_recordset(?::json) AS p (id bigint) WHERE r.survey_id = ? AND r.response_id = p.id',
    'DELETE FROM response_files f USING responses r WHERE r.survey_id = ? AND f.survey_id = r.survey_id',
    'SELECT 1 FROM responses WHERE survey_id = ? UNION ALL SELECT 2 FROM data_changes WHERE survey_id = ?',
    'SELECT count(*) FROM surveys',
  ])('%s', (sql) => {
    expect(found(sql)).toEqual([]);
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
    ['INSERT INTO data_changes (survey_id) SELECT survey_id FROM responses', ['responses']],
  ])('%s', (sql, tables) => {
    expect(found(sql)).toEqual(tables);
  });
});

it('reports a statement that it cannot parse', () => {
  expect(() => found('SELECT * FROM responses FULL JOIN surveys USING (survey_id)')).toThrow(
    'not understood',
  );
  expect(() => found('SELECT (1')).toThrow('stays open');
});
