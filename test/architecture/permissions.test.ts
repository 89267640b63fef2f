import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { permissionTable } from '../../src/http/reference-tables.ts';
import { routes } from '../../src/routes/index.ts';

it('docs/reference/permissions.md is the output of `npm run generate`', () => {
  const committed = readFileSync(new URL('../../docs/reference/permissions.md', import.meta.url), 'utf8');
  expect(committed).toBe(permissionTable(routes));
});

it('every operation has a unique name and declares its callers', () => {
  const names = routes.map((route) => route.operationId);
  expect(names.length).toBe(new Set(names).size);
  for (const route of routes) {
    const { credential, roles } = route.access;
    const open = credential === 'none' || credential === 'optional';
    expect(open || (roles !== null && roles.length > 0), route.operationId).toBe(true);
  }
});

it('only public endpoints accept callers without credentials', () => {
  const open = routes.filter(
    ({ access }) => access.credential === 'none' || access.credential === 'optional',
  );
  for (const { path } of open)
    expect(path).toMatch(/^\/api\/(auth$|health$|public\/|billing\/stripe-webhook$)/);
});
