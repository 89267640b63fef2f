import { once } from 'node:events';
import { createServer, get, Agent, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { findFreePort, listenOnPort, stopGracefully } from '../../../src/http/http-server.ts';

let server: Server;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
});

async function socketOf(url: string): Promise<Socket> {
  const [reply] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  const { socket } = reply;
  reply.resume();
  await once(reply, 'end');
  return socket;
}

it('keeps an idle connection for the configured time, beyond the header timeout, and then closes it', async () => {
  const errors: Error[] = [];
  server = createServer({ connectionsCheckingInterval: 50 }, (_request, response) => response.end('here'));
  const settings = {
    host: '127.0.0.1',
    port: 0,
    keepAliveSeconds: 2,
    onError: (error: Error) => void errors.push(error),
  };
  const url = await listenOnPort(server, settings);
  expect(server.keepAliveTimeout).toBe(2_000);
  // The limit for headers must not end connections that wait for their next request.
  server.headersTimeout = 300;
  const first = await socketOf(url);
  await sleep(1_000);
  const second = await socketOf(url);
  expect(second).toBe(first);
  const began = performance.now();
  await once(first, 'close');
  expect(performance.now() - began).toBeGreaterThan(1_500);
  server.emit('error', new Error('accept EMFILE'));
  expect(errors).toHaveLength(1);
});

it('stops without breaking the connection of a client that sends one request after another', async () => {
  server = createServer((_request, response) => response.end('here'));
  const settings = { host: '127.0.0.1', port: 0, keepAliveSeconds: 5, onError: () => undefined };
  const url = await listenOnPort(server, settings);
  await socketOf(url);
  let stopped = false;
  const stopping = stopGracefully(server, 5_000).then(() => (stopped = true));
  // The connection is idle at the moment of the stop, and used again after it.
  await sleep(100);
  const [reply] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  expect(reply.headers.connection).toBe('close');
  reply.resume();
  await stopping;
  expect(stopped).toBe(true);
  const refused = (await once(get(url, { agent }), 'error')) as [NodeJS.ErrnoException];
  expect(refused[0].code).toBe('ECONNREFUSED');
});

it('tells the client of a running request to close, and ends connections that stay idle', async () => {
  server = createServer();
  const requested = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const settings = { host: '127.0.0.1', port: 0, keepAliveSeconds: 60, onError: () => undefined };
  const url = await listenOnPort(server, settings);
  const request = get(url, { agent });
  const idle = connect(Number(new URL(url).port), '127.0.0.1');
  const [, response] = await requested;
  const stopping = stopGracefully(server, 120_000);
  response.end('late');
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  expect(reply.headers.connection).toBe('close');
  reply.resume();
  await Promise.all([stopping, once(idle, 'close')]);
});

it('finds a port that can be listened on', async () => {
  const port = await findFreePort('127.0.0.1');
  server = createServer();
  const settings = { host: '127.0.0.1', port, keepAliveSeconds: 2, onError: () => undefined };
  expect(await listenOnPort(server, settings)).toBe(`http://127.0.0.1:${port}`);
});
