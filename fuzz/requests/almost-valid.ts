import type { Ids, Fixtures } from '../../test/support/permission-matrix/fixtures.ts';
import { type Change, cloneDraft, type Draft } from './draft.ts';
import { idNamed } from './known-values.ts';
import { listObjects, type ValueRef, listValueRefs } from './value-paths.ts';
import type { Random } from './random.ts';
import { anySender } from './senders.ts';

/** Changes one thing of a valid request and describes the change. */
export function makeAlmostValid(valid: Draft, random: Random, fixtures: Fixtures): Draft {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const draft: Draft = { ...cloneDraft(valid), family: 'almost valid' };
    const what = random.pick(CHANGES)(draft, random, fixtures);
    if (what !== null) return { ...draft, what };
  }
  return {
    ...valid,
    family: 'almost valid',
    what: 'sent by somebody else',
    sender: anySender(fixtures, random),
  };
}

const WRONG: readonly [what: string, value: (place: ValueRef, random: Random) => unknown][] = [
  ['null', () => null],
  ['a number for a text', ({ value }) => (typeof value === 'string' ? 7 : 'seven')],
  ['a truth value', () => true],
  ['an object', ({ value }) => ({ value })],
  ['a list of it', ({ value }) => [value]],
  ['an empty list', () => []],
  ['an empty object', () => ({})],
  ['an empty text', () => ''],
  ['blanks', () => '   '],
  ['a huge text', () => 'x'.repeat(100_000)],
  ['a huge number', () => 1e15],
  ['a very huge number', () => Number.MAX_VALUE],
  ['a negative number', () => -1],
  ['nothing', () => 0],
  ['a fraction', () => 1.5],
  ['a missing id', () => 99_999_999_999_999],
  ['a number as text', ({ value }) => (typeof value === 'number' ? String(value) : '1')],
  ['many of it', ({ value }) => Array.from({ length: 2_000 }, () => value)],
];

const CHANGES: readonly Change[] = [
  // Repeated entries are more likely.
  wrongValue,
  wrongValue,
  wrongValue,
  wrongValue,
  (draft, random) =>
    atPlace(draft, random, (place) => {
      place.remove();
      return `without ${place.path}`;
    }),
  (draft, random) => {
    if (draft.body.kind !== 'json') return null;
    const target = random.pick([...listObjects(draft.body.value), null]);
    if (target === null) return null;
    target.surprise = 1;
    return 'with a member that nobody knows';
  },
  foreignInBody,
  foreignInBody,
  foreignInPath,
  (draft) => {
    draft.query.push('surprise=1');
    return 'with a query that nobody knows';
  },
  (draft, random) => {
    if (draft.query.length === 0) return null;
    draft.query.push(random.pick(draft.query));
    return 'a query said twice';
  },
  (draft, random) => {
    const names = Object.keys(draft.route.query.shape);
    if (names.length === 0) return null;
    const name = random.pick(names);
    draft.query = [
      `${name}=${random.pick(['', '-1', '0', '1.5', 'x', '%5B%5D', 'null', '9'.repeat(30), '%20'])}`,
    ];
    return `a wrong ${name} in the query`;
  },
  (draft, _random, fixtures) => {
    if (!('workspace_id' in draft.route.query.shape)) return null;
    draft.query = [`workspace_id=${fixtures.foreign.workspaceId}`];
    return "another organization's workspace in the query";
  },
  (draft, random, fixtures) => {
    draft.sender = anySender(fixtures, random);
    return 'sent by somebody else';
  },
  (draft, random, fixtures) => {
    draft.sender = anySender(fixtures, random);
    return 'sent by somebody else';
  },
];

function wrongValue(draft: Draft, random: Random): string | null {
  const [what, value] = random.pick(WRONG);
  return atPlace(draft, random, (place) => {
    place.replace(value(place, random));
    return `${what} as ${place.path}`;
  });
}

/** Somewhere in the body, or in a field of the form. */
function atPlace(draft: Draft, random: Random, change: (place: ValueRef) => string): string | null {
  if (draft.body.kind !== 'json') return null;
  const places = listValueRefs(draft.body.value);
  return places.length === 0 ? null : change(random.pick(places));
}

/** Replaces an id with one of another organization. */
function foreignInBody(draft: Draft, random: Random, { foreign }: Fixtures): string | null {
  if (draft.body.kind !== 'json') return null;
  const isOfDashboard = draft.route.path.includes('dashboards');
  const places = listValueRefs(draft.body.value).filter(
    ({ name, value }) => idNamed(name, isOfDashboard) !== null && typeof value !== 'object',
  );
  if (places.length === 0) return null;
  const place = random.pick(places);
  place.replace(foreign[idNamed(place.name, isOfDashboard)!]);
  return `another organization's ${place.path}`;
}

function foreignInPath(draft: Draft, random: Random, { foreign }: Fixtures): string | null {
  const { path } = draft.route;
  // Public objects are accessible to all callers.
  if (path.startsWith('/api/public/')) return null;
  const names = Object.keys(draft.params);
  if (names.length === 0) return null;
  const name = random.pick(names);
  const id = name === 'id' ? idOfPath(path) : (name as keyof Ids);
  if (id === null || foreign[id] === undefined) return null;
  draft.params[name] = String(foreign[id]);
  return `another organization's :${name}`;
}

const OWN: readonly [string, keyof Ids][] = [
  ['/api/workspaces/', 'workspaceId'],
  ['/api/surveys/waves/', 'waveId'],
  ['/api/surveys/', 'surveyId'],
  ['/api/dashboards/', 'dashboardId'],
  ['/api/users/', 'userId'],
  ['/api/api-keys/', 'apiKeyId'],
  ['/api/sessions/', 'sessionId'],
  ['/api/invite-links/', 'inviteId'],
];
const idOfPath = (path: string): keyof Ids | null =>
  OWN.find(([start]) => path.startsWith(start))?.[1] ?? null;
