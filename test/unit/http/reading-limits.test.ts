import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, expect, it } from 'vitest';
import { listenOnPort } from '../../../src/http/http-server.ts';

/** More than the buffers of a connection between two programs of one machine hold. */
const BODY = Buffer.alloc(32 * 1024 * 1024, 'x');
const LIMITS = { partMs: 300, wholeMs: 600 };
/** A limit that no test reaches. */
const LONG_MS = 60_000;

let server: Server;
let client: Socket | null = null;
afterEach(() => {
  client?.destroy();
  server.closeAllConnections();
  server.close();
});

type Reply = ServerResponse & { locals: { cut?: string } };

/** Starts a server whose replies `send` writes, and sends it a request. The client reads nothing by itself. */
async function requestFrom(send: (reply: Reply) => void, readingLimits: typeof LIMITS) {
  const replies: Reply[] = [];
  server = createServer((_request, response) => {
    const reply = Object.assign(response, { locals: {} });
    replies.push(reply);
    send(reply);
  });
  await listenOnPort(server, {
    host: '127.0.0.1',
    port: 0,
    keepAliveSeconds: 5,
    readingLimits,
    onError: () => undefined,
  });
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  await once(client, 'connect');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => replies.length).toBe(1);
  return { socket: client, reply: replies[0]! };
}

const closed = (reply: Reply) => expect.poll(() => reply.closed, { timeout: 10_000 }).toBe(true);

it('disconnects a client that reads nothing of a whole reply', async () => {
  const { reply } = await requestFrom((each) => each.end(BODY), { ...LIMITS, partMs: LONG_MS });
  await closed(reply);
  expect(reply.locals.cut).toBe('not read within 600 ms');
});

it('disconnects a client that reads nothing of a stream, although it keeps sending', async () => {
  const { socket, reply } = await requestFrom(
    (each) => void pipeline(Readable.from(endless()), each).catch(() => undefined),
    { ...LIMITS, wholeMs: LONG_MS },
  );
  socket.write('GET / HTTP/1.1\r\n');
  const sending = setInterval(() => socket.write('X-More: x\r\n'), 50);
  await closed(reply);
  clearInterval(sending);
  expect(reply.locals.cut).toBe('not read within 300 ms');
});

it('waits for a stream that generates nothing for longer than the limits', async () => {
  const { socket, reply } = await requestFrom(
    (each) => void pipeline(Readable.from(partsWithPause()), each).catch(() => undefined),
    LIMITS,
  );
  let received = 0;
  socket.on('data', (part: Buffer) => (received += part.length));
  socket.resume();
  await expect.poll(() => received, { timeout: 30_000 }).toBeGreaterThan(BODY.length);
  expect(reply.locals.cut).toBeUndefined();
});

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield await Promise.resolve(BODY.subarray(0, 64 * 1024));
}

/** Nothing for longer than the limits, then parts. */
async function* partsWithPause(): AsyncGenerator<Buffer> {
  yield BODY.subarray(0, 1);
  await new Promise((resolve) => setTimeout(resolve, 2 * LIMITS.wholeMs));
  for (let start = 0; start < BODY.length; start += 64 * 1024) yield BODY.subarray(start, start + 64 * 1024);
}
