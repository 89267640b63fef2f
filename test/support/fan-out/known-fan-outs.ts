/** A statement that reads responses of more surveys than it names, with the reason. */
export interface KnownFanOut {
  reason: string;
  /** Part of the statement, compared without regard to case, quotation marks and the amount of white space. */
  contains: string;
}

const IN_WORKSPACE = 's.organization_id = ? AND s.workspace_id = ?';

/** All that there are. A statement that is not among them fails the test that runs it. */
const KNOWN_FAN_OUTS: readonly KnownFanOut[] = [
  {
    reason:
      'Lists of a workspace ask, by its key, for each survey that is shown: sums of few small rows, no response.',
    contains: IN_WORKSPACE,
  },
  {
    reason: 'The same, without an alias for surveys.',
    contains: 'surveys.organization_id = ? AND surveys.workspace_id = ?',
  },
  {
    reason: 'The same, where surveys is the only table.',
    contains: 'WHERE organization_id = ? AND workspace_id = ? AND NOT survey_status = ?',
  },
  {
    reason: 'The version of a dashboard asks for each of its surveys, by its key.',
    contains: 'SELECT c.survey_id FROM dashboard_charts c WHERE c.dashboard_id = d.dashboard_id',
  },
  {
    reason: 'What one person answered may be in any survey: a look into one small index in each partition.',
    contains: 'respondent_id = respondents.respondent_id',
  },
  { reason: 'The same, to be handed out to the person.', contains: 'WHERE responses.respondent_id = ?' },
  {
    reason: 'The same, when the person is erased.',
    contains: 'UPDATE responses SET external_id = ?, updated_at = CURRENT_TIMESTAMP WHERE respondent_id = ?',
  },
  {
    reason: 'A daily chore over all surveys: files that nobody named.',
    contains:
      'FROM response_files LEFT JOIN responses USING (survey_id, response_id) WHERE response_files.deleted_at IS NULL',
  },
  {
    reason: 'A daily chore over all surveys: files that are to be removed.',
    contains: 'FROM response_files WHERE deleted_at IS NOT NULL LIMIT ?',
  },
  {
    reason: 'A daily chore over all surveys: results that are old.',
    contains: 'FROM analysis_results WHERE created_at < now()',
  },
  {
    reason: 'A scheduled task over all surveys: which large ones need a new column snapshot.',
    contains: 'FROM surveys s LEFT JOIN survey_segments g ON g.survey_id = s.survey_id',
  },
  { reason: 'A backup is of everything.', contains: 'select "stored_name" from "response_files" union' },
  {
    reason: 'A backup that is restored is of everything.',
    contains: 'SELECT count(*)::bigint AS count FROM "',
  },
];

const normalized = (sql: string) => sql.toLowerCase().replaceAll('"', '').replace(/\s+/g, ' ');

export const findKnownFanOut = (sql: string): KnownFanOut | null =>
  KNOWN_FAN_OUTS.find(({ contains }) => normalized(sql).includes(normalized(contains))) ?? null;
