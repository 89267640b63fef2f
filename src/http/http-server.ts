import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { close, open } from 'node:fs';
import {
  type AddressInfo,
  createServer as createNetServer,
  Server as NetServer,
  type Socket,
} from 'node:net';
import os from 'node:os';
import { StartError } from '../lib/errors.ts';
import { limitReading, READING_LIMITS, type ReadingLimits } from './reading-limits.ts';
import { OpenItems } from './open-items.ts';

/** Time for a rejected client to read the reply before the connection is closed. */
const REPLY_GRACE_MS = 2_000;

/** A request that Node could not parse. */
export interface RejectedRequest {
  request_id: string;
  status: number;
}

/**
 * The server of an Express application. Express sets the prototype of every request and response to its own, which costs V8 more
 * time than the rest of a small request and delays garbage collection. This server creates them with that prototype, so that setting it
 * has no effect. `onRejected` is called for requests that never reach the application.
 */
export function createExpressServer(
  app: Express,
  onRejected: (rejected: RejectedRequest) => void = () => undefined,
): Server {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  app.request = Request.prototype as Express['request'];
  app.response = Response.prototype as Express['response'];
  const server = createServer({ IncomingMessage: Request, ServerResponse: Response }, app);
  // Node drops headers after the 2,000th, a second Host among them. Their size is bounded by --max-http-header-size.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const rejected = rejectMalformed(error, socket);
    if (rejected !== null) onRejected(rejected);
  });
  return server;
}

/** By the codes of Node's parser; anything else is malformed. */
const PARSER_ERRORS: ReadonlyMap<string, { status: number; code: string; message: string }> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { status: 431, code: 'headers_too_large', message: 'The address and the headers are too long' },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: 408, code: 'request_timeout', message: 'The request was not received in time' },
  ],
]);
const MALFORMED = { status: 400, code: 'malformed_request', message: 'The request is not well-formed HTTP' };

/** Sends the error envelope instead of Node's empty reply. Returns null if the client has already disconnected. */
function rejectMalformed(error: NodeJS.ErrnoException, socket: Duplex): RejectedRequest | null {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return null;
  }
  const { status, code, message } = PARSER_ERRORS.get(error.code ?? '') ?? MALFORMED;
  const requestId = randomUUID();
  const body = JSON.stringify({ error: 1, message, code, details: [], request_id: requestId });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // A client that keeps sending without reading would hold the connection open.
  const timer = setTimeout(() => socket.destroy(), REPLY_GRACE_MS);
  socket.once('close', () => clearTimeout(timer));
  return { request_id: requestId, status };
}

/** Requests whose headers or body are incomplete after this time are refused. Does not apply to idle connections. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 120_000;

interface ListenSettings {
  host: string;
  port: number;
  /** How long an idle connection stays open. Must be longer than the load balancer keeps it, or requests are lost. */
  keepAliveSeconds: number;
  /** Default: READING_LIMITS. */
  readingLimits?: ReadingLimits;
  /** Called for a connection that could not be accepted after the start. */
  onError: (error: Error) => void;
}

/** Starts listening and returns the URL for a browser on this machine. Throws StartError if it cannot listen. */
export async function listenOnPort(
  server: Server,
  { host, port, keepAliveSeconds, readingLimits = READING_LIMITS, onError }: ListenSettings,
): Promise<string> {
  const replies = new OpenItems<ServerResponse>();
  const connections = new OpenItems<Socket>();
  server.prependListener('request', (_request, reply: ServerResponse) => replies.add(reply));
  server.on('connection', (socket: Socket) => connections.add(socket));
  openItems.set(server, { replies, connections });
  limitReading(server, replies, readingLimits);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = keepAliveSeconds * 1_000;
  await new Promise<void>((resolve, reject) => {
    const rejectWithReason = (error: NodeJS.ErrnoException) => reject(toListenError(error, host, port));
    server.once('error', rejectWithReason);
    server.listen(port, host, () => {
      server.off('error', rejectWithReason).on('error', onError);
      resolve();
    });
  });
  const { port: listening } = server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${listening}`;
}

/** Returns the port if it is free now, or any free port if it is 0. Throws StartError if the host has none. */
export async function findFreePort(host: string, wanted = 0): Promise<number> {
  const probe = createNetServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(toListenError(error, host, wanted))).listen(wanted, host, resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function toListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} on ${host} is in use by another program; set PORT to a free port, such as PORT=${port + 1}`,
    );
  }
  if (error.code === 'EACCES')
    return new StartError(`This user cannot listen on port ${port}; set PORT to a port above 1023`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(`HOST ${host} is not an address of this machine`);
  }
  return error;
}

/** How long a connection may stay idle after the stop started: a client or proxy that reuses it gets a reply that closes it. */
const IDLE_GRACE_MS = 1_000;

/**
 * Accepts no new connections, waits for running requests, and closes the remaining connections after `timeoutMs`. Every reply that has not
 * started says `Connection: close`, so that a client which reuses a connection does not meet a closed one.
 */
export async function stopGracefully(server: Server, timeoutMs: number): Promise<void> {
  for (const reply of openItems.get(server)?.replies ?? []) closeAfter(reply);
  server.prependListener('request', (_request, reply: ServerResponse) => closeAfter(reply));
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  // Not `Server.close` of HTTP, which closes idle connections at once.
  NetServer.prototype.close.call(server);
  const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
  let sweep: NodeJS.Timeout | undefined;
  // A connection whose reply had started becomes idle only after it.
  const grace = setTimeout(
    () => {
      closeIdleConnections(server);
      sweep = setInterval(() => closeIdleConnections(server), 50);
    },
    Math.min(IDLE_GRACE_MS, timeoutMs),
  );
  await closed;
  for (const timer of [cut, grace, sweep]) clearTimeout(timer);
}

const openItems = new WeakMap<
  Server,
  { replies: OpenItems<ServerResponse>; connections: OpenItems<Socket> }
>();

/** Also those that have never sent anything, as browsers open in advance; Node counts them as busy. */
function closeIdleConnections(server: Server): void {
  server.closeIdleConnections();
  for (const socket of openItems.get(server)?.connections ?? []) if (socket.bytesRead === 0) socket.destroy();
}

function closeAfter(reply: ServerResponse): void {
  if (!reply.headersSent) reply.setHeader('Connection', 'close');
}

const EXHAUSTED = new Set(['EMFILE', 'ENFILE']);

/**
 * Reports when this process has no free file descriptor (true), and when it has one again (false). Node accepts and closes connections
 * then without an event, so this function tries to open a file every `everyMs`. Returns a function that ends the checks.
 */
export function watchFileDescriptors(report: (isExhausted: boolean) => void, everyMs = 1_000): () => void {
  let wasExhausted = false;
  const timer = setInterval(() => {
    open(os.devNull, (error, descriptor) => {
      if (error === null) close(descriptor, () => undefined);
      const isExhausted = error !== null && EXHAUSTED.has(error.code ?? '');
      if (isExhausted === wasExhausted) return;
      wasExhausted = isExhausted;
      report(isExhausted);
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
