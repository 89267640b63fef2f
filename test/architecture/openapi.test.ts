import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { openApiDocument } from '../../src/http/openapi.ts';
import { families, routes } from '../../src/routes/index.ts';
import { VERSION } from '../../src/version.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-openapi-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const document = openApiDocument(routes, families, VERSION);

interface Finding {
  code: string;
  path: (string | number)[];
  message: string;
}

it('a public linter finds nothing wrong with the document', async () => {
  const file = path.join(folder, 'openapi.json');
  const ruleset = path.join(folder, 'ruleset.json');
  writeFileSync(file, JSON.stringify(document));
  // array-items takes a tuple's `items: false` for a mistake, which it is not in OpenAPI 3.1.
  writeFileSync(ruleset, JSON.stringify({ extends: 'spectral:oas', rules: { 'array-items': 'off' } }));
  const program = path.resolve('node_modules/.bin/spectral');
  const settings = [
    'lint',
    file,
    '--ruleset',
    ruleset,
    '--format',
    'json',
    '--quiet',
    '--fail-severity',
    'hint',
  ];
  const { stdout } = await promisify(execFile)(program, settings, { maxBuffer: 50_000_000 }).catch(
    (error: { stdout: string }) => error,
  );
  const findings = (JSON.parse(stdout) as Finding[]).map(
    (finding) => `${finding.code} at ${finding.path.join(' > ')}: ${finding.message}`,
  );
  expect(findings).toEqual([]);
});

it('the document holds every declared operation, and nothing else', () => {
  const documented = Object.entries(document.paths ?? {}).flatMap(([address, operations]) =>
    Object.keys(operations as object).map((method) => `${method} ${address}`),
  );
  const declared = routes.map((route) => `${route.method} ${route.path.replace(/:([A-Za-z]+)/g, '{$1}')}`);
  expect(documented.sort()).toEqual(declared.sort());
});

it('every field of a path is documented under its own name', () => {
  for (const route of routes) {
    const named = [...route.path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1]!);
    expect(Object.keys(route.params.shape).sort(), route.operationId).toEqual(named.sort());
  }
});
