/**
 * Tables that grow with responses. Each has survey_id, in its primary key and in every unique index, and refers to others of them by it:
 * so all rows of a survey can stand together, in a partition or on a server of their own. In the order in which they refer to each other.
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
  'quota_holds',
  'link_places',
  'analysis_results',
] as const;

/**
 * Tables that are copied to every server, because statements about responses join them, rows of RESPONSE_TABLES refer to them, or they
 * refer to each other: they grow with surveys and people, and are written seldom.
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

/** Tables with a survey_id that stay where they are, and why. */
export const UNDISTRIBUTED_TABLES: ReadonlyMap<string, string> = new Map([
  ['survey_pages', 'what authors write'],
  ['questions', 'what authors write'],
  ['question_options', 'what authors write'],
  ['survey_versions', 'what was published'],
  ['derived_columns', 'definitions'],
  ['mailings', 'one row for many people'],
  ['invitations', 'found by a token that tells no survey; written once or twice for each person'],
  ['dashboard_charts', 'what authors write'],
  ['jobs', 'one queue for all'],
  ['credit_reservations', 'of organizations'],
  ['credit_usage', 'of organizations'],
  ['chat_sessions', 'of people'],
  ['upload_days', 'one row for each survey and day'],
]);

/** By what rows of RESPONSE_TABLES are spread. */
export const DISTRIBUTION_COLUMN = 'survey_id';
