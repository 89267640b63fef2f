import { close, open } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import { StartError } from './errors.ts';

/** Requests whose headers or body are incomplete after this time are refused. Does not apply to idle connections. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 120_000;

interface ListenSettings {
  host: string;
  port: number;
  /** How long an idle connection stays open. Must be longer than the load balancer keeps it, or requests are lost. */
  keepAliveSeconds: number;
  /** Called for a connection that could not be accepted after the start. */
  onError: (error: Error) => void;
}

/** Starts listening and returns the URL for a browser on this machine. Throws StartError if it cannot listen. */
export async function listenOnPort(
  server: Server,
  { host, port, keepAliveSeconds, onError }: ListenSettings,
): Promise<string> {
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

/** Returns a port that is free now. Throws StartError if the host has none. */
export async function findFreePort(host: string): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(toListenError(error, host, 0))).listen(0, host, resolve);
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

/** Accepts no new connections, waits for running requests, and closes the remaining connections after `withinMs`. */
export async function stopGracefully(server: Server, timeoutMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
  // A keep-alive connection becomes idle only after its reply.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
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
