import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/routes/index.ts';

interface Endpoint {
  family: string;
  method: string;
  path: string;
}

/** Every endpoint of the specification: each row of its tables, the AI operations one by one. */
const specified = JSON.parse(
  readFileSync(new URL('./specified-endpoints.json', import.meta.url), 'utf8'),
) as Endpoint[];
const declared = routes.map((route) => ({ method: route.method.toUpperCase(), path: route.path }));

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const shapeOf = (path: string) => path.replace(/:[A-Za-z]+/g, ':');
const families = [...new Set(specified.map(({ family }) => family))];

describe('the specification', () => {
  it('lists 153 operations', () => {
    expect(new Set(specified.map(keyOf)).size).toBe(153);
  });

  it.each(families)('has every operation of the family %s declared', (family) => {
    const known = new Set(declared.map(keyOf));
    const endpoints = specified.filter((endpoint) => endpoint.family === family);
    expect(endpoints.map(keyOf).filter((key) => !known.has(key))).toEqual([]);
  });

  it('names path parameters as the declarations do', () => {
    const paths = new Map(specified.map(({ path }) => [shapeOf(path), path]));
    const renamed = declared.filter(({ path }) => (paths.get(shapeOf(path)) ?? path) !== path);
    expect(renamed.map(keyOf)).toEqual([]);
  });
});
