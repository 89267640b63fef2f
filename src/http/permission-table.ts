import type { Route } from './define-route.ts';

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
