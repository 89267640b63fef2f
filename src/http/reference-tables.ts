import { ERROR_CODES } from './error-code-table.ts';
import type { Route } from './define-route.ts';
import { STATUS_OF } from './problem.ts';

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
    '<!-- Written by `npm run permissions` from the route declarations. -->',
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
    'Generated from `src/http/error-code-table.ts` by `npm run error-codes`. Every error has the form',
    '`{"error":1,"code":…,"message":…,"details":[…],"request_id":…}`; programs should use `code`, which does not change.',
    '',
    '| Code | Status | Meaning |',
    '| --- | --- | --- |',
    ...rows.map(({ code, status, meaning }) => `| \`${code}\` | ${status} | ${meaning} |`),
    '',
  ].join('\n');
}
