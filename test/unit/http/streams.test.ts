import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { anyone } from '../../../src/http/access.ts';
import { fileReply, rowsReply } from '../../../src/http/reply.ts';
import { routeDefiner } from '../../../src/http/define-route.ts';
import { notFound } from '../../../src/lib/errors.ts';
import { useRouter } from '../../support/bare-router.ts';

/** How many streams were let go. */
let released = 0;

async function* chunks(...parts: (string | Error)[]): AsyncIterable<string> {
  try {
    for (const part of parts) {
      await new Promise((resolve) => setImmediate(resolve));
      if (part instanceof Error) throw part;
      yield part;
    }
  } finally {
    released += 1;
  }
}

const BIG = 'x'.repeat(100_000);
const FILENAME = 'Über "uns"\r\nX: 1 (it’s).csv';
const defineRoute = routeDefiner<null>();

const csv = (path: string, ...parts: (string | Error)[]) =>
  defineRoute({
    method: 'get',
    path,
    operationId: path,
    summary: 'x',
    access: anyone,
    reply: fileReply('text/csv'),
    handler: () => ({
      contentType: 'text/csv; charset=utf-8',
      filename: FILENAME,
      chunks: chunks(...parts),
    }),
  });

const grid = (
  path: string,
  head: Record<string, unknown>,
  meta?: Record<string, unknown>,
  ...parts: (string | Error)[]
) =>
  defineRoute({
    method: 'get',
    path,
    operationId: path,
    summary: 'x',
    access: anyone,
    reply: rowsReply(z.unknown()),
    handler: () => ({ head, rows: chunks(...parts), ...(meta === undefined ? {} : { meta }) }),
  });

/** Opens when the test lets the first row be made. */
let firstRow: Promise<void> = Promise.resolve();
async function* rowsAfterGate(): AsyncIterable<string> {
  await firstRow;
  yield* chunks('{"n":1}', ...Array<string>(500).fill(`{"text":"${BIG}"}`));
}

const STREAM_TIMEOUT_MS = 300;
const routes = [
  csv('/t/file/x', 'a,b\r\n', '1,2\r\n'),
  csv('/t/file/none'),
  csv('/t/file/fails', notFound('survey')),
  csv('/t/file/breaks', BIG, BIG, new Error('gone')),
  csv('/t/file/long', ...Array<string>(1_000).fill(BIG)),
  grid(
    '/t/rows/x',
    { columns: ['n'] },
    { limit: 3, next_cursor: null, total: 3 },
    '{"n":1},{"n":2}',
    '',
    '{"n":3}',
  ),
  grid('/t/rows/none', {}),
  grid('/t/rows/fails', { columns: [] }, undefined, notFound('survey')),
  defineRoute({
    method: 'get',
    path: '/t/rows/gate',
    operationId: 'gate',
    summary: 'x',
    access: anyone,
    reply: rowsReply(z.unknown()),
    handler: () => ({ head: {}, rows: rowsAfterGate() }),
  }),
];
const router = useRouter(routes);
const impatientRouter = useRouter(routes, [], { streamTimeoutMs: STREAM_TIMEOUT_MS });
const request = (path: string) => supertest(router.server).get(path);

it('sends a file as it is generated, with a safe name', async () => {
  const reply = await request('/t/file/x').expect(200).expect('Content-Type', 'text/csv; charset=utf-8');
  expect(reply.text).toBe('a,b\r\n1,2\r\n');
  const encoded = encodeURIComponent(FILENAME).replace('(', '%28').replace(')', '%29');
  expect(reply.headers['content-disposition']).toBe(
    `attachment; filename="_ber _uns___X: 1 (it_s).csv"; filename*=UTF-8''${encoded}`,
  );
  expect((await request('/t/file/none').expect(200)).text).toBe('');
});

it('sends any number of rows as one JSON object', async () => {
  expect((await request('/t/rows/x').expect(200)).body).toEqual({
    success: 1,
    data: { columns: ['n'], rows: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    meta: { limit: 3, next_cursor: null, total: 3 },
  });
  expect((await request('/t/rows/none').expect(200)).body).toEqual({ success: 1, data: { rows: [] } });
});

it.each(['/t/file/fails', '/t/rows/fails'])(
  'returns an error envelope for a failure before the first byte: %s',
  async (path) => {
    const reply = await request(path).expect(404).expect('Content-Type', /json/);
    expect(reply.body).toMatchObject({ error: 1, code: 'not_found' });
    expect(reply.headers).not.toHaveProperty('content-disposition');
  },
);

it('cuts the connection on a later failure, so that a partial file is not mistaken for a complete one', async () => {
  await expect(request('/t/file/breaks')).rejects.toThrow(/aborted|socket hang up/);
});

it('stops without an error when the reader disconnects', async () => {
  const [before, failed] = [released, router.failures.length];
  const { port } = router.server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    get({ port, path: '/t/file/long' }, (response) => {
      response.once('data', () => {
        response.destroy();
        resolve();
      });
    });
  });
  await expect.poll(() => released, { timeout: 5_000 }).toBe(before + 1);
  expect(router.failures).toHaveLength(failed);
});

it('closes the rows of a client that disconnects before the first one', async () => {
  const [before, failed] = [released, router.failures.length];
  let openGate = () => undefined as void;
  firstRow = new Promise((resolve) => (openGate = resolve));
  const { port } = router.server.address() as AddressInfo;
  const connection = new Promise<Socket>((resolve) => router.server.once('connection', resolve));
  const left = get({ port, path: '/t/rows/gate', agent: false });
  left.on('error', () => undefined);
  const socket = await connection;
  const closed = once(socket, 'close');
  await once(router.server, 'request');
  left.destroy();
  await closed;
  openGate();
  await expect.poll(() => released, { timeout: 5_000 }).toBe(before + 1);
  expect(router.failures).toHaveLength(failed);
});

it('disconnects a client that does not read its reply within the time limit, without an error', async () => {
  const before = released;
  const { port } = impatientRouter.server.address() as AddressInfo;
  const connection = new Promise<Socket>((resolve) => impatientRouter.server.once('connection', resolve));
  const began = performance.now();
  const slow = get({ port, path: '/t/rows/gate', agent: false }, (response) => {
    // Too slow for the time, never silent.
    const timer = setInterval(() => response.read(1_000), 10);
    response.on('error', () => undefined).once('close', () => clearInterval(timer));
  });
  await once(await connection, 'close');
  expect(performance.now() - began).toBeGreaterThanOrEqual(STREAM_TIMEOUT_MS - 50);
  await expect.poll(() => released, { timeout: 5_000 }).toBe(before + 1);
  expect(impatientRouter.failures).toEqual([]);
  slow.destroy();
});
