import { describe, expect, it } from 'vitest';
import type { Route } from '../../../src/http/route.ts';
import { routes } from '../../../src/routes/index.ts';
import type { Services } from '../../../src/services/services.ts';
import type { Actor } from '../actors.ts';
import type { TestApp } from '../app.ts';
import { MISSING_ID } from '../refusals.ts';
import { dependsOnPlace, type Kind, KINDS, type Place, PLACES, type Verdict, verdict } from './callers.ts';
import type { Row, Rows } from './row.ts';
import { type Ids, type Way, WAYS, type World } from './world.ts';

type AnyRoute = Route<Services>;
interface Cell {
  kind: Kind;
  way: Way;
  place: Place;
  expected: Verdict;
}
interface Reply {
  status: number;
  text: string;
}

const MISSING_UUID = '00000000-0000-4000-8000-000000000000';
const missing = (id: string | number | undefined) => (typeof id === 'string' ? MISSING_UUID : MISSING_ID);

/** What `:id` means, by what the path begins with. */
const IDS: readonly [string, keyof Ids][] = [
  ['/api/workspaces/', 'workspaceId'],
  ['/api/surveys/', 'surveyId'],
  ['/api/users/', 'userId'],
  ['/api/jobs/', 'jobId'],
  ['/api/api-keys/', 'apiKeyId'],
  ['/api/sessions/', 'sessionId'],
  ['/api/invite-links/', 'inviteId'],
  ['/api/organizations/', 'organizationId'],
];

let calls = 0;

/** One kind of request to one route. */
class Operation {
  readonly route: AnyRoute;
  private readonly row: Row;
  private readonly names: string[];

  constructor(route: AnyRoute, row: Row) {
    this.route = route;
    this.row = row;
    this.names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  }

  /** Every kind of caller in every place that makes a difference; with a session too, in one of them. */
  cells(): Cell[] {
    const places = dependsOnPlace(this.route) ? (Object.keys(PLACES) as Place[]) : (['shared'] as const);
    const isOpen = this.route.access.credential === 'none';
    return places.flatMap((place) =>
      KINDS.flatMap((kind) =>
        WAYS.filter((way) => way === 'key' || (place === 'shared' && kind !== 'nobody' && !isOpen)).map(
          (way) => ({ kind, way, place, expected: verdict(this.route, kind, way, place) }),
        ),
      ),
    );
  }

  fresh = (world: World, ids: Ids, cell: Cell) => this.row.fresh?.(world, ids, cell);

  /** The parameters of the path that are ids, by name. */
  params(ids: Ids): Map<string, string | number> {
    const [, own] = IDS.find(([start]) => this.route.path.startsWith(start)) ?? [];
    const said = this.row.path?.(ids) ?? {};
    return new Map(
      this.names.map((name) => {
        const value = said[name] ?? ids[name === 'id' ? own! : (name as keyof Ids)];
        if (value === undefined) throw new Error(`${this.route.operationId}: what is :${name}?`);
        return [name, value];
      }),
    );
  }

  /** The same request about something that never was. */
  sendAboutNothing(origin: string, actor: Actor, ids: Ids): Promise<Reply> {
    const [first] = this.params(ids);
    if (first !== undefined) return this.send(origin, actor, ids, { [first[0]]: missing(first[1]) });
    return this.send(origin, actor, { ...ids, workspaceId: MISSING_ID, surveyId: MISSING_ID });
  }

  async send(
    origin: string,
    actor: Actor,
    ids: Ids,
    instead: Partial<Record<string, string | number>> = {},
  ): Promise<Reply> {
    const { method, path, access } = this.route;
    const params = this.params(ids);
    const address = path.replace(/:(\w+)/g, (_, name: string) => String(instead[name] ?? params.get(name)));
    const query = new URLSearchParams(this.row.query);
    if (access.resource?.startsWith('workspace:') && this.names.length === 0)
      query.set('workspace_id', String(ids.workspaceId));
    const body = method === 'get' || method === 'delete' ? undefined : this.row.body?.(ids, (calls += 1));
    const isForm = body instanceof FormData;
    const reply = await fetch(`${origin}${address}?${query.toString()}`, {
      method: method.toUpperCase(),
      headers: { ...credential(actor), ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    return { status: reply.status, text: await reply.text() };
  }
}

function credential(actor: Actor): Record<string, string> {
  const token = (actor as { token?: string }).token;
  if (token !== undefined) return { Authorization: `Bearer ${token}` };
  return actor.apiKey === null ? {} : { 'X-API-Key': actor.apiKey };
}

/** What an error says, without the number of its request. */
const words = ({ status, text }: Reply) => `${status} ${text.replace(/"request_id":"[^"]*"/, '')}`;
const named = ({ kind, way, place }: Cell, { status }: Reply) => `${kind} by ${way} in ${place}: ${status}`;

/** Everything that is stored, but when credentials were used last. */
function fingerprints(test: TestApp): () => Promise<string[]> {
  let statement = '';
  return async () => {
    if (statement === '') {
      const { rows } = await test.database.db.raw(
        `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'knex%' ORDER BY 1`,
      );
      statement = (rows as { tablename: string }[])
        .map(
          ({ tablename }) =>
            `SELECT '${tablename} ' || count(*) || ' ' || coalesce(md5(string_agg(h, '' ORDER BY h)), '') AS print
             FROM (SELECT md5((to_jsonb(t) - 'last_used_at')::text) AS h FROM "${tablename}" t) hashed`,
        )
        .join(' UNION ALL ')
        .concat(' ORDER BY print');
    }
    const { rows } = await test.database.db.raw(statement);
    return (rows as { print: string }[]).map(({ print }) => print);
  };
}

/** Call at the top of a test file: tries every cell of these rows. */
export function tryEveryCell(world: World, test: TestApp, rows: Rows): void {
  const stored = fingerprints(test);
  const operations = routes
    .filter(({ operationId }) => Object.hasOwn(rows, operationId))
    .map((route) => new Operation(route, rows[route.operationId]!));
  const titled = (operation: Operation) =>
    [`${operation.route.method.toUpperCase()} ${operation.route.path}`, operation] as const;

  describe('whoever may not', () => {
    it.each(operations.map(titled))('%s: is refused, and nothing changes', async (_name, operation) => {
      const before = await stored();
      const refusals = operation.cells().filter(({ expected }) => expected !== 'may');
      const tried = await Promise.all(
        refusals.map(async (cell) => {
          const actor = world.people[cell.kind][cell.way];
          return { cell, reply: await operation.send(world.origin, actor, world.standing[cell.place]) };
        }),
      );
      expect(tried.map(({ cell, reply }) => named(cell, reply))).toEqual(
        refusals.map((cell) => named(cell, { status: cell.expected as number, text: '' })),
      );
      for (const { reply } of tried) expect(JSON.parse(reply.text)).toMatchObject({ error: 1 });
      // What one must not see is told in the words of what never was.
      const unseen = tried.filter(({ cell }) => cell.expected === 404);
      const asked = await Promise.all(
        unseen.map(async ({ cell: { kind, way } }) => {
          const actor = world.people[kind][way];
          return words(await operation.sendAboutNothing(world.origin, actor, world.standing.shared));
        }),
      );
      expect(unseen.map(({ reply }) => words(reply))).toEqual(asked);
      expect(await stored()).toEqual(before);
    });

    const nested = operations.filter(
      ({ route }) => /:\w+\/.*:\w+/.test(route.path) && route.access.credential === 'any',
    );
    it.each(nested.map(titled))(
      '%s: finds nothing of others below what is one’s own',
      async (_, operation) => {
        const before = await stored();
        const { owner, admin } = world.people;
        const ids = world.standing.team;
        const actor = operation.route.access.roles?.includes('member') ? owner.key : admin.key;
        for (const [name, foreign] of [...operation.params(world.foreign)].slice(1)) {
          if (name === 'columnCode') continue;
          const theirs = await operation.send(world.origin, actor, ids, { [name]: foreign });
          const none = await operation.send(world.origin, actor, ids, { [name]: missing(foreign) });
          expect(theirs.status, theirs.text).toBe(404);
          expect(words(theirs)).toBe(words(none));
        }
        expect(await stored()).toEqual(before);
      },
    );
  });

  describe('whoever may', () => {
    it.each(operations.map(titled))('%s: is let in', async (_name, operation) => {
      const allowed = operation.cells().filter(({ expected }) => expected === 'may');
      expect(allowed).not.toEqual([]);
      const seen: string[] = [];
      const should: string[] = [];
      for (const cell of allowed) {
        const ids = cell.kind === 'foreign' ? world.foreign : world.used[cell.place];
        const { as, ...made } = (await operation.fresh(world, ids, cell)) ?? {};
        const actor = as ?? world.people[cell.kind][cell.way];
        const reply = await operation.send(world.origin, actor, { ...ids, ...made });
        const said = reply.status < 400 ? '' : ` ${reply.text}`;
        seen.push(named(cell, reply) + said);
        should.push(named(cell, { status: operation.route.status, text: '' }));
      }
      expect(seen).toEqual(should);
    });
  });
}
