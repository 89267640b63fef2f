import { expect, it } from 'vitest';
import { fromDatabaseError } from '../../../src/db/errors.ts';

const postgresError = (code: string, constraint?: string) =>
  Object.assign(new Error('duplicate key value (secret)'), { code, constraint, detail: 'secret' });

it.each([
  [postgresError('23505', 'users_email_unique'), 'conflict', 'email_taken'],
  [postgresError('23505', 'users_organization_email_unique'), 'conflict', 'email_taken'],
  [postgresError('23505', 'unheard_of'), 'conflict', 'conflict'],
  [postgresError('40001'), 'unavailable', 'try_again'],
  [postgresError('40P01'), 'unavailable', 'try_again'],
  [postgresError('57P01'), 'unavailable', 'database_unavailable'],
  [postgresError('08006'), 'unavailable', 'database_unavailable'],
  [postgresError('ECONNREFUSED'), 'unavailable', 'database_unavailable'],
  [new Error('Connection terminated unexpectedly'), 'unavailable', 'database_unavailable'],
])('maps the database error %s to an API error without its details', (error, kind, code) => {
  const appError = fromDatabaseError(error);
  expect(appError).toMatchObject({ kind, code });
  expect(appError!.message).not.toContain('secret');
});

it.each([
  [postgresError('22P02')],
  [postgresError('42601')],
  [postgresError('23503')],
  [new Error('x')],
  ['x'],
  [null],
])('treats the database error %s as an internal error', (error) => {
  expect(fromDatabaseError(error)).toBeNull();
});
