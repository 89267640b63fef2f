import { describe, expect, it } from 'vitest';
import type { Actor } from '../actors.ts';
import type { TestApp } from '../app.ts';
import { type Cell, credential, missing, operationsOf, type Reply, titled } from './operation.ts';
import type { Rows } from './row.ts';
import { useStored } from './stored.ts';
import type { Ids, Fixtures } from './fixtures.ts';

/** What an error says, without the number of its request. */
const words = ({ status, text }: Reply) => `${status} ${text.replace(/"request_id":"[^"]*"/, '')}`;
const named = ({ kind, way, place }: Cell, came: number | string) => `${kind} by ${way} in ${place}: ${came}`;

/** Call at the top of a test file: tries every cell of these rows. */
export function tryEveryCell(world: Fixtures, test: TestApp, rows: Rows): void {
  const operations = operationsOf(rows);
  const actorOf = ({ kind, way }: Cell) => world.people[kind][way];

  describe('whoever may not', () => {
    const stored = useStored(test);

    it.each(operations.map(titled))('%s: is refused, and nothing changes', async (_name, operation) => {
      const refusals = operation.cells().filter(({ expected }) => expected !== 'may');
      const tried = await Promise.all(
        refusals.map(async (cell) => {
          const ids = world.standing[cell.place];
          return { cell, reply: await operation.send(world.origin, credential(actorOf(cell)), ids) };
        }),
      );
      expect(tried.map(({ cell, reply }) => named(cell, reply.status))).toEqual(
        refusals.map((cell) => named(cell, cell.expected)),
      );
      for (const { reply } of tried) expect(JSON.parse(reply.text)).toMatchObject({ error: 1 });
      // An invisible object gets the same reply as one that never existed.
      const unseen = tried.filter(({ cell }) => cell.expected === 404);
      const ask = async (actor: Actor) =>
        words(await operation.sendAboutNothing(world.origin, actor, world.standing.shared));
      const actors = [...new Set(unseen.map(({ cell }) => actorOf(cell)))];
      const told = new Map(
        await Promise.all(actors.map(async (actor) => [actor, await ask(actor)] as const)),
      );
      expect(unseen.map(({ reply }) => words(reply))).toEqual(
        unseen.map(({ cell }) => told.get(actorOf(cell))),
      );
      await stored.expectUnchanged();
    });

    const nested = operations.filter(
      ({ route, names }) => names.length > 1 && route.access.credential === 'any',
    );
    it.each(nested.map(titled))(
      '%s: finds nothing of others below what is one’s own, nor of another of one’s own',
      async (_name, operation) => {
        const { owner, admin } = world.people;
        const ids = world.standing.team;
        const actor = operation.route.access.roles?.includes('member') ? owner.key : admin.key;
        const own = operation.params(ids);
        const elsewhere = (others: Ids) =>
          [...operation.params(others)].slice(1).filter(([name, id]) => id !== own.get(name));
        for (const [name, id] of [...elsewhere(world.foreign), ...elsewhere(world.used.team)]) {
          const about = async (other: string | number) =>
            operation.send(world.origin, credential(actor), ids, { params: { [name]: other } });
          const theirs = await about(id);
          expect(theirs.status, theirs.text).toBe(404);
          expect(words(theirs)).toBe(words(await about(missing(id))));
        }
        await stored.expectUnchanged();
      },
    );
  });

  describe('whoever may', () => {
    it.each(operations.map(titled))('%s: is let in', async (_name, operation) => {
      const allowed = operation.cells().filter(({ expected }) => expected === 'may');
      expect(allowed).not.toEqual([]);
      const letIn = async (cell: Cell) => {
        const ids = cell.kind === 'foreign' ? world.foreign : world.used[cell.place];
        const { as, ...made } = (await operation.fresh(world, ids, cell)) ?? {};
        const about = { ...ids, ...made };
        // Callers who name the correct workspace are accepted too.
        const isSaid = cell.way === 'session' && 'workspace_id' in operation.route.query.shape;
        const query = isSaid ? { workspace_id: String(about.workspaceId) } : {};
        const reply = await operation.send(world.origin, credential(as ?? actorOf(cell)), about, { query });
        return named(cell, reply.status < 400 ? reply.status : `${reply.status} ${reply.text}`);
      };
      const seen: string[] = [];
      if (operation.mayOverlap()) seen.push(...(await Promise.all(allowed.map(letIn))));
      else for (const cell of allowed) seen.push(await letIn(cell));
      expect(seen).toEqual(allowed.map((cell) => named(cell, operation.route.status)));
    });
  });
}
