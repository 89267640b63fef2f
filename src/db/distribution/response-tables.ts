/**
 * Tables that grow with responses, in the order of their foreign keys. Each has survey_id in its primary key, in every unique index and in
 * its foreign keys to other such tables, so all rows of a survey can be stored together, in one partition or on one server.
 */
export const RESPONSE_TABLES = [
  'responses',
  'response_files',
  'response_comments',
  'response_counts',
  'response_segments',
  'survey_segments',
  'frozen_values',
  'data_changes',
  'data_change_rows',
  'wave_counts',
  'quota_cells',
  'quota_reservations',
  'link_reservations',
  'analysis_results',
] as const;

/**
 * Tables that are copied to every server, because statements about responses join them, response tables refer to them, or they refer to
 * each other. They grow with surveys and users and are rarely written.
 */
export const REFERENCE_TABLES = [
  'organizations',
  'users',
  'invite_links',
  'workspaces',
  'surveys',
  'waves',
  'quotas',
  'links',
  'respondents',
] as const;

/** Tables with a survey_id that are not distributed, with the reason. */
export const UNDISTRIBUTED_TABLES: ReadonlyMap<string, string> = new Map([
  ['survey_pages', 'what authors write'],
  ['questions', 'what authors write'],
  ['question_options', 'what authors write'],
  ['survey_versions', 'what was published'],
  ['derived_columns', 'definitions'],
  ['campaigns', 'one row for many people'],
  ['invitations', 'found by a token that tells no survey; written once or twice for each person'],
  ['dashboard_charts', 'what authors write'],
  ['jobs', 'one queue for all'],
  ['credit_reservations', 'of organizations'],
  ['credit_usage', 'of organizations'],
  ['chat_sessions', 'of people'],
  ['daily_uploads', 'one row for each survey and day'],
]);

/** The distribution column of RESPONSE_TABLES. */
export const DISTRIBUTION_COLUMN = 'survey_id';
