import { describe, expect, it } from 'vitest';
import type { Actor } from '../actors.ts';
import type { TestApp } from '../app.ts';
import { type Cell, credentialHeaders, missingId, operationsOf, type Reply, withTitle } from './operation.ts';
import type { Rows } from './row.ts';
import { useUnchangedCheck } from './unchanged-check.ts';
import type { Ids, Fixtures } from './fixtures.ts';

/** The status and body of an error, without its request id. */
const withoutRequestId = ({ status, text }: Reply) => `${status} ${text.replace(/"request_id":"[^"]*"/, '')}`;
const describeCell = ({ kind, credential, visibility }: Cell, received: number | string) =>
  `${kind} by ${credential} in ${visibility}: ${received}`;

/** Call at the top of a test file: tries every cell of these rows. */
export function testPermissions(fixtures: Fixtures, test: TestApp, rows: Rows): void {
  const operations = operationsOf(rows);
  const actorOf = ({ kind, credential }: Cell) => fixtures.callers[kind][credential];

  describe('a caller without permission', () => {
    const stored = useUnchangedCheck(test);

    it.each(operations.map(withTitle))('%s: is refused and changes nothing', async (_name, operation) => {
      const refusals = operation.cells().filter(({ expected }) => expected !== 'allowed');
      const tried = await Promise.all(
        refusals.map(async (cell) => {
          const ids = fixtures.unchanged[cell.visibility];
          return {
            cell,
            reply: await operation.send(fixtures.origin, credentialHeaders(actorOf(cell)), ids),
          };
        }),
      );
      expect(tried.map(({ cell, reply }) => describeCell(cell, reply.status))).toEqual(
        refusals.map((cell) => describeCell(cell, cell.expected)),
      );
      for (const { reply } of tried) expect(JSON.parse(reply.text)).toMatchObject({ error: 1 });
      // An invisible object gets the same reply as one that never existed.
      const unseen = tried.filter(({ cell }) => cell.expected === 404);
      const ask = async (actor: Actor) =>
        withoutRequestId(await operation.sendAboutMissing(fixtures.origin, actor, fixtures.unchanged.shared));
      const actors = [...new Set(unseen.map(({ cell }) => actorOf(cell)))];
      const missingReplies = new Map(
        await Promise.all(actors.map(async (actor) => [actor, await ask(actor)] as const)),
      );
      expect(unseen.map(({ reply }) => withoutRequestId(reply))).toEqual(
        unseen.map(({ cell }) => missingReplies.get(actorOf(cell))),
      );
      await stored.expectUnchanged();
    });

    const nested = operations.filter(
      ({ route, names }) => names.length > 1 && route.access.credential === 'any',
    );
    it.each(nested.map(withTitle))(
      '%s: returns 404 for a nested object of another parent',
      async (_name, operation) => {
        const { owner, admin } = fixtures.callers;
        const ids = fixtures.unchanged.team;
        const actor = operation.route.access.roles?.includes('member') ? owner.key : admin.key;
        const own = operation.params(ids);
        const elsewhere = (others: Ids) =>
          [...operation.params(others)].slice(1).filter(([name, id]) => id !== own.get(name));
        for (const [name, id] of [...elsewhere(fixtures.foreign), ...elsewhere(fixtures.changeable.team)]) {
          const about = async (other: string | number) =>
            operation.send(fixtures.origin, credentialHeaders(actor), ids, { params: { [name]: other } });
          const theirs = await about(id);
          expect(theirs.status, theirs.text).toBe(404);
          expect(withoutRequestId(theirs)).toBe(withoutRequestId(await about(missingId(id))));
        }
        await stored.expectUnchanged();
      },
    );
  });

  describe('a caller with permission', () => {
    it.each(operations.map(withTitle))('%s: is allowed', async (_name, operation) => {
      const allowed = operation.cells().filter(({ expected }) => expected === 'allowed');
      expect(allowed).not.toEqual([]);
      const sendAllowed = async (cell: Cell) => {
        const ids = cell.kind === 'foreign' ? fixtures.foreign : fixtures.changeable[cell.visibility];
        const { as, ...freshIds } = (await operation.fresh(fixtures, ids, cell)) ?? {};
        const about = { ...ids, ...freshIds };
        // Callers who name the correct workspace are accepted too.
        const namesWorkspace = cell.credential === 'session' && 'workspace_id' in operation.route.query.shape;
        const query = namesWorkspace ? { workspace_id: String(about.workspaceId) } : {};
        const reply = await operation.send(fixtures.origin, credentialHeaders(as ?? actorOf(cell)), about, {
          query,
        });
        return describeCell(cell, reply.status < 400 ? reply.status : `${reply.status} ${reply.text}`);
      };
      const received: string[] = [];
      if (operation.canRunConcurrently()) received.push(...(await Promise.all(allowed.map(sendAllowed))));
      else for (const cell of allowed) received.push(await sendAllowed(cell));
      expect(received).toEqual(allowed.map((cell) => describeCell(cell, operation.route.status)));
    });
  });
}
