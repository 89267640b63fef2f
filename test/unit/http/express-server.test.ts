import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createExpressServer, type RejectedRequest } from '../../../src/http/http-server.ts';

const reported: RejectedRequest[] = [];
const server = createExpressServer(
  express().use((_request, response) => void response.end('seen')),
  (refused) => reported.push(refused),
);
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends the bytes and returns the whole reply. */
function repliesTo(bytes: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    let message = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (message += chunk.toString()));
    socket.on('close', () => resolve(message));
    socket.on('error', reject);
  });
}

it.each([
  ['that is not HTTP', 'nonsense\r\n\r\n', 400, 'malformed_request'],
  [
    'with headers that are too long',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'with two lengths',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: gzip, chunked\r\n\r\n{}',
    400,
    'malformed_request',
  ],
])('rejects a request %s in the error envelope and reports it', async (_what, bytes, status, code) => {
  const reply = await repliesTo(bytes);
  const [head, body] = reply.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(JSON.parse(body!)).toMatchObject({ error: 1, code, details: [] });
  const last = reported.at(-1)!;
  expect(last.status).toBe(status);
  expect(body).toContain(last.request_id);
});

it('closes the connection of a rejected client that keeps it open', async () => {
  const { port } = server.address() as AddressInfo;
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  await expect.poll(connections).toBe(0);
  // Neither reads on nor hangs up.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('nonsense\r\n\r\n');
  await expect.poll(connections).toBe(1);
  await expect.poll(connections, { timeout: 20_000, interval: 100 }).toBe(0);
  socket.destroy();
});
