import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/routes/index.ts';

interface Endpoint {
  family: string;
  method: string;
  path: string;
}

/** The endpoint list of the specification: every row of its tables, the AI operations one by one. */
const specified = JSON.parse(
  readFileSync(new URL('./specified-endpoints.json', import.meta.url), 'utf8'),
) as Endpoint[];
const declared = routes.map((route) => ({ method: route.method.toUpperCase(), path: route.path }));

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const shapeOf = (path: string) => path.replace(/:[A-Za-z]+/g, ':');
const isDeclared = (endpoint: Endpoint) => declared.some((route) => keyOf(route) === keyOf(endpoint));
const missingOf = (endpoints: Endpoint[]) => endpoints.filter((each) => !isDeclared(each)).map(keyOf);

describe('the declared operations and the specification', () => {
  it('name the same address in the same words', () => {
    const known = new Map(specified.map(({ path }) => [shapeOf(path), path]));
    const otherwise = declared.filter(({ path }) => (known.get(shapeOf(path)) ?? path) !== path).map(keyOf);
    expect(otherwise).toEqual([]);
  });

  it('use the same method at the same address, whatever else is offered there', () => {
    const contradicting = declared.filter(({ method, path }) => {
      const here = specified.filter((endpoint) => endpoint.path === path);
      const isExtra = !here.some((endpoint) => endpoint.method === method);
      return here.length > 0 && isExtra && missingOf(here).length > 0;
    });
    expect(contradicting.map(keyOf)).toEqual([]);
  });

  it('differ by what is still missing, which is printed here', () => {
    const families = [...new Set(specified.map(({ family }) => family))];
    const lines = families.flatMap((family) => {
      const endpoints = specified.filter((endpoint) => endpoint.family === family);
      const missing = missingOf(endpoints);
      return missing.length === 0
        ? []
        : [
            `${family}: ${missing.length} of ${endpoints.length} missing`,
            ...missing.map((line) => `  ${line}`),
          ];
    });
    if (lines.length > 0) console.info(`Specified, not yet declared:\n${lines.join('\n')}`);
    // The whole list, or the comparison says nothing.
    expect(new Set(specified.map(keyOf)).size).toBe(153);
  });
});

it.each(['auth', 'workspaces', 'groups', 'invite links', 'surveys', 'pages', 'questions', 'dashboards'])(
  'the family %s is complete',
  (family) => {
    const endpoints = specified.filter((endpoint) => endpoint.family === family);
    expect(endpoints.length).toBeGreaterThan(0);
    expect(missingOf(endpoints)).toEqual([]);
  },
);

it('the first five operations on responses are complete', () => {
  const first = ['stats', 'grid', 'question/:questionId', 'distribution/:columnCode', 'export'];
  const endpoints = specified.filter((endpoint) =>
    first.some((end) => endpoint.path === `/api/responses/:surveyId/${end}`),
  );
  expect(endpoints).toHaveLength(5);
  expect(missingOf(endpoints)).toEqual([]);
});
