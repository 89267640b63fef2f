import { expect, it } from 'vitest';
import { openApiDocument } from '../../src/http/openapi.ts';
import { routes, tags } from '../../src/routes/index.ts';
import { VERSION } from '../../src/version.ts';

const document = openApiDocument(tags, VERSION);

it('the document contains exactly the declared operations', () => {
  const documented = Object.entries(document.paths ?? {}).flatMap(([address, operations]) =>
    Object.keys(operations as object).map((method) => `${method} ${address}`),
  );
  const declared = routes.map((route) => `${route.method} ${route.path.replace(/:([A-Za-z]+)/g, '{$1}')}`);
  expect(documented.sort()).toEqual(declared.sort());
});

it('every path parameter is documented under its own name', () => {
  for (const route of routes) {
    const named = [...route.path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1]!);
    expect(Object.keys(route.params.shape).sort(), route.operationId).toEqual(named.sort());
  }
});

it('every operation has a listed tag, and every tag has operations', () => {
  const listed = (document.tags ?? []).map(({ name }) => name);
  const used = Object.values(document.paths ?? {}).flatMap((operations) =>
    Object.values(operations as Record<string, { tags?: string[] }>).flatMap(({ tags = [] }) => tags),
  );
  expect([...new Set(used)].sort()).toEqual([...listed].sort());
});
