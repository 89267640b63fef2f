import type { ErrorKind } from '../lib/errors.ts';
import type { Route } from './define-route.ts';
import { STATUS_OF } from './problem.ts';

interface ErrorCodeEntry {
  kinds: readonly ErrorKind[];
  meaning: string;
}

const entry = (meaning: string, ...kinds: ErrorKind[]): ErrorCodeEntry => ({ kinds, meaning });
const conflict = (meaning: string) => entry(meaning, 'conflict');
const gone = (meaning: string) => entry(meaning, 'gone');
const forbidden = (meaning: string) => entry(meaning, 'forbidden');
const unauthenticated = (meaning: string) => entry(meaning, 'unauthenticated');
const unavailable = (meaning: string) => entry(meaning, 'unavailable');
const unprocessable = (meaning: string) => entry(meaning, 'unprocessable');

/** Every error code of the API with its kinds and meaning; `npm run generate` writes docs/reference/error-codes.md from it. */
export const ERROR_CODES: Readonly<Record<string, ErrorCodeEntry>> = {
  validation_failed: entry('The request is invalid; `details` lists the fields', 'invalid'),
  invalid_host: entry('The Host header is missing, repeated or malformed', 'invalid'),
  invalid_signature: entry('The signature of the webhook request is invalid', 'invalid'),

  unauthenticated: unauthenticated('The credential is missing, invalid, expired or revoked'),
  login_failed: unauthenticated('The email address or the password is wrong'),
  password_required: unauthenticated('The dashboard is protected by a password; unlock it first'),
  wrong_password: unauthenticated('The password of the dashboard is wrong'),

  insufficient_credits: entry(
    'The organization has fewer credits than the operation may need',
    'payment_required',
  ),

  forbidden: forbidden('The caller lacks the permission'),
  account_pending: forbidden('An admin has to approve the user first'),
  account_suspended: forbidden('An admin suspended the user'),
  admins_publish_dashboards: forbidden(
    'Only admins make dashboards public here (`ADMINS_PUBLISH_DASHBOARDS`)',
  ),
  ai_disabled: forbidden('AI features are disabled for the user'),
  cross_site_request: forbidden('A request with the session cookie came from another site'),
  signature_invalid: forbidden(
    'The signature of the panel does not match the link, the external_id and the time',
  ),
  signature_missing: forbidden('The link requires a signature of the panel'),
  session_required: forbidden('The operation requires a session; an API key is not sufficient'),

  not_found: entry('The object does not exist or is not visible to the caller', 'not_found'),
  method_not_allowed: entry(
    'The path does not support this method; see the Allow header',
    'method_not_allowed',
  ),

  precondition_failed: entry(
    'The object is not in the version of the header `If-Match`; `current` is the object as it is now',
    'precondition_failed',
  ),

  too_many_streams: entry('The user has too many open event streams', 'too_many_requests'),

  acting_elsewhere: conflict('Workspaces can only be created in the home organization'),
  already_answered: conflict('The invitation was already answered'),
  already_owner: conflict('The user already owns the workspace'),
  already_sent: conflict('The scheduled invitations are being sent, or were sent or canceled already'),
  already_shared: conflict('The dashboard is already shared in this way'),
  already_undone: conflict('The change was already undone'),
  anonymous_promised: conflict('Responses were collected anonymously, so the setting cannot change'),
  answer_under_way: conflict('The chat session is still processing a message'),
  block_has_data: conflict('The code of the block names data and cannot change'),
  cannot_own: conflict('The new owner is a client or not active'),
  changed_meanwhile: conflict('Another request changed the column; read it and try again'),
  column_code_taken: conflict('Another column of the survey has this code'),
  column_in_use: conflict('Other columns depend on the column'),
  conflict: conflict('Another request created the same object at the same time'),
  conversation_changed: conflict('A later message was sent, so the answer cannot be resumed'),
  data_changed: conflict('A response changed during the operation; try again'),
  duplicate_response: conflict('The respondent already answered the survey'),
  email_taken: conflict('The email address is already in use'),
  external_id_taken: conflict('Another respondent of the workspace has this external_id'),
  fixed_by_data: conflict('The question was published or has responses, so this cannot change'),
  group_name_taken: conflict('Another group of the organization has this name'),
  idempotency_clash: conflict('The Idempotency-Key was used with another body'),
  idempotency_in_progress: conflict('The first request with this Idempotency-Key is still running'),
  illegal_transition: conflict('The object cannot change from its current status to the requested one'),
  image_in_use: conflict('A slide or the logo of the report uses the image'),
  images_too_large: conflict('The images of the report exceed the total size limit'),
  last_admin: conflict('The organization would have no active admin'),
  column_erased: conflict('The change concerns a derived column that was deleted and is erased since'),
  later_changes: conflict('Later changes have to be undone first'),
  link_paused: conflict('The link is paused'),
  moved_since: conflict('The object was deleted or moved again'),
  mail_not_configured: conflict('The installation has no mail server'),
  not_a_panel_link: conflict('Only links of panels have signing keys'),
  nobody_invited: conflict('No invitations exist for the link'),
  not_converged: conflict('The weighting did not converge'),
  payment_mismatch: conflict('The payment does not match the order'),
  question_code_taken: conflict('Another question of the survey has this code'),
  question_retired: conflict('The question is retired; restore it first'),
  quota_full: conflict('The quota of the link is full, or its last places are reserved'),
  response_ended: conflict('The response is finished and cannot change'),
  session_full: conflict('The chat session has the maximum number of messages'),
  shared_otherwise: conflict('Public and password shares exclude each other; delete the other share first'),
  slug_taken: conflict('The slug is already in use'),
  submission_id_taken: conflict('Another response of the survey has this submission_id'),
  survey_closed: conflict('The survey is closed'),
  survey_not_published: conflict('The survey is not published'),
  too_many_charts: conflict('The dashboard has the maximum number of charts'),
  too_many_columns: conflict('The survey has the maximum number of derived columns'),
  too_many_files: conflict('The question has the maximum number of files'),
  too_many_api_keys: conflict('The user has the maximum number of API keys'),
  too_many_media: conflict('The survey has the maximum number of uploaded sound, video and caption files'),
  too_many_images: conflict('The report has the maximum number of images'),
  too_many_options: conflict('The survey has the maximum number of options'),
  too_many_blocks: conflict('The survey has the maximum number of blocks'),
  too_many_pages: conflict('The survey or dashboard has the maximum number of pages'),
  too_many_questions: entry('The survey has the maximum number of questions', 'conflict', 'unprocessable'),
  too_many_slides: conflict('The report has the maximum number of slides'),
  user_not_active: conflict('The user is not active'),
  visibility_needed: conflict('The change would hide an object from users who must keep seeing it'),
  wave_ended: conflict('The wave has ended'),
  wave_has_links: conflict('Links belong to the wave'),
  wave_has_responses: conflict('Responses belong to the wave'),
  wave_not_open: conflict('No wave of the survey is open yet'),
  workspace_deleted: conflict('The previous workspace is deleted'),
  workspace_private: conflict('The previous workspace is private'),

  client_left: gone('The client closed the connection before the operation finished'),
  events_forgotten: gone('The events of the answer are no longer stored'),
  invite_expired: gone('The invite link has expired'),
  invite_revoked: gone('The invite link was revoked'),
  invite_used_up: gone('The invite link reached its maximum number of uses'),
  link_deleted: gone('The survey link was deleted'),
  link_expired: gone('The survey link or preview has expired'),
  response_expired: gone('The response was last saved too long ago to be continued'),
  confirmation_link_over: gone('The link that confirms an address was used or has expired'),
  reset_link_over: gone('The password reset link was used or has expired'),
  sign_in_link_over: gone('The one-time sign-in link was used or has expired'),
  signature_expired: gone('The signature of the panel is too old, or its time is in the future'),
  signature_used: gone('The signature of the panel has started a response'),
  survey_deleted: gone('The survey of the chart was deleted'),

  too_large: entry('The body or file exceeds a size limit', 'too_large'),
  unsupported_media_type: entry('The content type is not supported', 'unsupported_media_type'),

  chart_too_large: unprocessable('The chart would have too many categories or series'),
  compression_ratio: unprocessable('The workbook is compressed too strongly'),
  crosstab_too_large: unprocessable('The tables would have too many cells'),
  cycle: unprocessable('The definition of the column would depend on itself'),
  design_invalid: unprocessable('The sampling design does not fit the data'),
  has_parts: unprocessable('The question has several columns; select one'),
  no_categories: unprocessable('The column has no categories'),
  no_number: unprocessable('The column has no numeric values'),
  too_many_values: unprocessable('Too many values to rank in memory'),
  no_spread: unprocessable('All values of the column are equal, or there are too few'),
  no_statistics: unprocessable('The measure of the column does not allow the statistic'),
  no_verbatims: unprocessable('Texts of respondents cannot be shown here'),
  no_waves: unprocessable('The survey has no two waves to compare'),
  not_a_move: unprocessable('The audit entry does not record a move'),
  not_a_weight: unprocessable('The column cannot be used as a weight'),
  not_editable: unprocessable('The column cannot be edited'),
  not_open: unprocessable('The question is not an open question'),
  not_published: unprocessable('The question was never published'),
  questionnaire_not_data: unprocessable('The file contains a questionnaire instead of responses'),
  scheme_does_not_fit: unprocessable('The current data do not fit the weighting targets'),
  too_large_for_format: unprocessable('The data exceed the limits of the file format'),
  too_many_periods: unprocessable('The period would give too many categories'),
  too_many_texts: unprocessable('Too many texts for one analysis'),
  unsupported_layout: unprocessable('The layout of the file is not supported'),
  workbook_too_complex: unprocessable('The workbook exceeds the reading limits'),
  wrong_column_type: unprocessable('The column has the wrong type'),

  too_many_requests: entry('The rate limit is exceeded; see Retry-After', 'too_many_requests'),
  too_many_jobs: entry('Too many unfinished jobs', 'too_many_requests'),
  upload_limit_reached: entry('The daily upload limit of the survey is reached', 'too_many_requests'),

  ai_provider_failed: entry('The language model failed or returned an unusable answer', 'bad_gateway'),
  payment_provider_failed: entry('The payment provider rejected the order', 'bad_gateway'),

  unavailable: unavailable('The service is temporarily unavailable'),
  ai_provider_required: unavailable('The operation requires a language model, and none is configured'),
  ai_provider_unavailable: unavailable('The language model cannot be reached'),
  busy: unavailable('Too many expensive requests are running; see Retry-After'),
  database_unavailable: unavailable('The database does not respond'),
  file_storage_unavailable: unavailable('Files cannot be stored or read at the moment'),
  overloaded: unavailable('Too many responses are being stored at once'),
  payment_provider_required: unavailable('No payment provider is configured'),
  payment_provider_unavailable: unavailable('The payment provider does not respond'),
  storage_full: unavailable('The disk is full; nothing was saved'),
  storage_low: unavailable('The server is low on disk space'),
  try_again: unavailable('Concurrent changes to the same data; try again'),

  upload_storage_full: entry('The file storage of the organization is full', 'insufficient_storage'),
};

/** Describes who may call an operation. */
export function permissionText<Services>(route: Route<Services>): string {
  const { credential, roles, resource } = route.access;
  if (credential === 'none') return 'anyone';
  if (credential === 'optional') return 'anyone; credentials are optional';
  const who =
    roles === null ? 'any user' : roles.filter((role) => role !== 'superadmin').join(', ') || 'superadmin';
  const how = credential === 'session' ? ' (session only, no API key)' : '';
  return `${who}${how}${resource === null ? '' : `; ${resource}`}`;
}

/** The table of docs/reference/permissions.md: one row per operation, as declared. */
export function permissionTable<Services>(routes: readonly Route<Services>[]): string {
  const lines = [...routes]
    .sort((a, b) => (a.path === b.path ? (a.method < b.method ? -1 : 1) : a.path < b.path ? -1 : 1))
    .map(
      (route) =>
        `| ${route.method.toUpperCase()} | \`${route.path}\` | ${permissionText(route)} | ${route.rateLimit} |`,
    );
  return [
    '# Permissions',
    '',
    '<!-- Written by `npm run generate` from the route declarations. -->',
    '',
    'Who may call each endpoint, the permission they need on its object, and the rate limit that applies.',
    '',
    '| Method | Path | Caller and permission | Rate limit |',
    '| --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

/** The Markdown of docs/reference/error-codes.md: a row per code and status, sorted by status. */
export function errorCodeTable(): string {
  const rows = Object.entries(ERROR_CODES)
    .flatMap(([code, { kinds, meaning }]) =>
      kinds.map((kind) => ({ code, status: STATUS_OF[kind], meaning })),
    )
    .concat({ code: 'internal_error', status: 500, meaning: 'An unexpected error; report the request_id' })
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
  return [
    '# Error codes',
    '',
    'Generated from `src/http/reference-tables.ts` by `npm run generate`. Every error has the form',
    '`{"error":1,"code":…,"message":…,"details":[…],"request_id":…}`; programs should use `code`, which does not change.',
    '',
    '| Code | Status | Meaning |',
    '| --- | --- | --- |',
    ...rows.map(({ code, status, meaning }) => `| \`${code}\` | ${status} | ${meaning} |`),
    '',
  ].join('\n');
}
