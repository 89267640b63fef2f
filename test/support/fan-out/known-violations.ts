import type { DistributionRule } from './distribution-rules.ts';

/** A statement that may break a rule, with the reason. */
interface KnownViolation {
  rule: DistributionRule;
  reason: string;
  /** Part of the statement, compared without regard to case, quotation marks and the amount of white space. */
  contains: string;
}

/** All that there are. A statement that is not among them fails the test that runs it. */
const KNOWN_VIOLATIONS: readonly KnownViolation[] = [
  {
    rule: 'reads all surveys',
    reason: 'What one person answered may be in any survey: a look into one small index in each partition.',
    contains:
      'SELECT respondent_id, count(*) AS completed FROM responses WHERE respondent_id = ANY(?::bigint[])',
  },
  {
    rule: 'reads all surveys',
    reason: 'The same, to be handed out to the person.',
    contains: 'SELECT survey_id, count(*) AS responses FROM responses WHERE respondent_id = ?',
  },
  {
    rule: 'reads all surveys',
    reason: 'The same, when the person is erased.',
    contains: 'UPDATE responses SET external_id = ?, updated_at = CURRENT_TIMESTAMP WHERE respondent_id = ?',
  },
  {
    rule: 'reads all surveys',
    reason: 'The same: the external_id that refused entries of the person have too.',
    contains: 'SELECT survey_id, external_id FROM responses WHERE respondent_id = ?',
  },
  {
    rule: 'reads all surveys',
    reason: 'A daily chore over all surveys: files that nobody named.',
    contains:
      'FROM response_files LEFT JOIN responses USING (survey_id, response_id) WHERE response_files.deleted_at IS NULL',
  },
  {
    rule: 'reads all surveys',
    reason: 'A daily chore over all surveys: files that are to be removed.',
    contains: 'FROM response_files WHERE deleted_at IS NOT NULL LIMIT ?',
  },
  {
    rule: 'reads all surveys',
    reason:
      'A scheduled task over all surveys: abandoned responses, found by one small index in each partition.',
    contains: 'UPDATE responses SET has_exact_times = ? WHERE has_exact_times = ?',
  },
  {
    rule: 'reads all surveys',
    reason: 'A scheduled task over all surveys: responses that were deleted long ago.',
    contains: 'SELECT survey_id, response_id FROM responses WHERE deleted_at < ?',
  },
  {
    rule: 'reads all surveys',
    reason: 'A daily chore over all surveys: results that are old.',
    contains: 'FROM analysis_results WHERE created_at < now()',
  },
  {
    rule: 'reads all surveys',
    reason: 'A scheduled task over all surveys: which large ones need a new column snapshot.',
    contains: 'FROM response_counts GROUP BY survey_id HAVING sum(response_count) >= ?',
  },
  {
    rule: 'reads all surveys',
    reason: 'A backup is of everything.',
    contains: 'SELECT stored_name FROM response_files',
  },
  {
    rule: 'reads all surveys',
    reason: 'A backup has a snapshot on each server.',
    contains: 'SELECT count(*) FROM link_limits',
  },
  {
    rule: 'reads all surveys',
    reason: 'A command compares everything.',
    contains: 'SELECT DISTINCT survey_id FROM',
  },
  {
    rule: 'reads all surveys',
    reason: 'A backup that is restored is of everything.',
    contains: 'SELECT count(*)::bigint AS count FROM "',
  },
];

const normalized = (sql: string) => sql.toLowerCase().replaceAll('"', '').replace(/\s+/g, ' ');

export const isKnownViolation = (sql: string, rule: DistributionRule): boolean =>
  KNOWN_VIOLATIONS.some(
    (known) => known.rule === rule && normalized(sql).includes(normalized(known.contains)),
  );
