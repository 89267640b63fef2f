import request from 'supertest';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { anyone } from '../../../src/http/access.ts';
import { eventsReply, rowsReply } from '../../../src/http/reply.ts';
import { routeDefiner } from '../../../src/http/define-route.ts';
import { useRouter } from '../../support/bare-router.ts';

const defineRoute = routeDefiner<null>();
const row = z.strictObject({ id: z.int() });

async function* textsOf(...texts: string[]): AsyncGenerator<string> {
  for (const text of texts) yield await Promise.resolve(text);
}

async function* eventsOf<T>(...data: T[]): AsyncGenerator<{ data: T }> {
  for (const item of data) yield await Promise.resolve({ data: item });
}

const streamed = (path: string, texts: string[], meta?: Record<string, unknown>) =>
  defineRoute({
    method: 'get',
    path,
    operationId: path,
    summary: path,
    access: anyone,
    reply: rowsReply(z.strictObject({ rows: z.array(row) })),
    handler: () => ({ head: {}, rows: textsOf(...texts), ...(meta === undefined ? {} : { meta }) }),
  });

const router = useRouter([
  streamed('/t/fits', ['{"id":1}', '{"id":2},{"id":3}'], { limit: 3, next_cursor: null, total: 3 }),
  streamed('/t/unknown-member', ['{"id":1}', '{"id":2,"name":"Ada"}']),
  streamed('/t/wrong-meta', ['{"id":1}'], { limit: 3 }),
  defineRoute({
    method: 'get',
    path: '/t/events',
    operationId: 'events',
    summary: 'events',
    access: anyone,
    reply: eventsReply(row),
    handler: () => ({ events: eventsOf({ id: 1 }, { id: 'two' } as unknown as { id: number }) }),
  }),
]);

const get = (path: string) => request(router.server).get(path);

it('sends streamed rows that match their schema', async () => {
  const { body } = await get('/t/fits').expect(200);
  expect(body).toEqual({
    success: 1,
    data: { rows: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    meta: { limit: 3, next_cursor: null, total: 3 },
  });
});

it.each([
  ['/t/unknown-member', 'name'],
  ['/t/wrong-meta', 'next_cursor'],
])('cuts off the streamed reply of %s, which does not match its schema', async (path, member) => {
  await expect(get(path)).rejects.toThrow(/aborted|socket hang up/);
  expect(String(router.failures.at(-1))).toContain(member);
});

it('ends an event stream at the first event that does not match its schema', async () => {
  const { text } = await get('/t/events').buffer(true);
  expect(text).toContain('{"id":1}');
  expect(text).not.toContain('two');
});
