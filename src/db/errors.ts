import { alreadyUsed, tooManyConcurrent } from '../lib/error-messages.ts';
import { AppError, conflict, invalid, unavailable, isStorageFull, storageFull } from '../lib/errors.ts';
import { NoReplyError } from './pg-pool.ts';

export function addressTaken(): AppError {
  return conflict('email_taken', 'user_email: this address cannot be used; choose another one');
}

/** The error that each constraint stands for, by the constraint's name. */
const CONSTRAINTS: Record<string, () => AppError> = {
  // Both have the same text: the second one is about a user of another organization, whose existence must not be disclosed.
  users_organization_email_unique: addressTaken,
  users_email_unique: addressTaken,
  questions_code_unique: () =>
    conflict(
      'question_code_taken',
      `question_code: ${alreadyUsed(undefined, 'another question of this survey')}`,
    ),
  question_options_value_unique: () =>
    invalid(
      'options',
      'must not have two options with the same option_value (a retired option keeps its value)',
    ),
  derived_columns_code_unique: () =>
    conflict('column_code_taken', `column_code: ${alreadyUsed(undefined, 'another column of this survey')}`),
  organizations_slug_unique: () =>
    conflict('slug_taken', `organization_slug: ${alreadyUsed(undefined, 'another organization')}`),
  links_slug_unique: () => conflict('slug_taken', `link_slug: ${alreadyUsed(undefined, 'another link')}`),
  dashboards_slug_unique: () =>
    conflict(
      'slug_taken',
      `dashboard_slug: ${alreadyUsed(undefined, 'another dashboard of this organization')}`,
    ),
  groups_name_unique: () =>
    conflict(
      'group_name_taken',
      `group_name: ${alreadyUsed(undefined, 'another group of this organization')}`,
    ),
  respondents_email_unique: () =>
    conflict('email_taken', `email: ${alreadyUsed(undefined, 'another respondent of this workspace')}`),
  respondents_external_id_unique: () =>
    conflict(
      'external_id_taken',
      `external_id: ${alreadyUsed(undefined, 'another respondent of this workspace')}`,
    ),
};

const UNIQUE_VIOLATION = '23505';
/** serialization_failure, deadlock_detected, lock_not_available */
const RETRYABLE = new Set(['40001', '40P01', '55P03']);
/** Connection exceptions, server shutting down or starting, too many connections, statement timeout. */
const UNAVAILABLE = /^(08|57P0|53)|^57014$/;
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
const UNAVAILABLE_MESSAGES =
  /Connection terminated|connection timeout|timeout expired|acquiring a connection|Client has encountered a connection error|Client was closed|Unable to acquire a connection/i;

/** Whether the database is unavailable, or cancelled the statement in favor of another one. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  fromDatabaseError(error)?.kind === 'unavailable';

/** Maps an error of PostgreSQL to an AppError. Returns null for any other error, which is a bug. */
export function fromDatabaseError(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null;
  if (isStorageFull(error)) return storageFull();
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (typeof code === 'string') {
    const known = typeof constraint === 'string' ? CONSTRAINTS[constraint] : undefined;
    if (known) return known();
    if (code === UNIQUE_VIOLATION)
      return conflict('conflict', 'Another request created the same object at the same time');
    if (RETRYABLE.has(code))
      return unavailable(tooManyConcurrent('changes to the same data'), 1, 'try_again');
    if (UNAVAILABLE.test(code) || UNAVAILABLE_CODES.has(code))
      return unavailable('The database cannot be reached', 5, 'database_unavailable');
  }
  if (error instanceof NoReplyError || UNAVAILABLE_MESSAGES.test(error.message))
    return unavailable('The database cannot be reached', 5, 'database_unavailable');
  return null;
}

/** serialization_failure (also raised by one of our triggers), deadlock_detected */
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);

/** Whether a transaction was aborted because of a concurrent one. Repeated from the beginning, it may succeed. */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof Error && SERIALIZATION_FAILURES.has(String((error as { code?: unknown }).code));
}

/**
 * Whether a response was not written because its survey has the random id that was chosen for it. With another one it can be written. The
 * constraint of a partition or a shard has its own name.
 */
export function isResponseIdTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return (
    code === UNIQUE_VIOLATION && typeof constraint === 'string' && /^responses_(\w*_)?pkey/.test(constraint)
  );
}
