import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from './errors.ts';

/** A header or a body that comes a byte at a time is given up after this long. */
const HEADERS_WITHIN_MS = 20_000;
const REQUEST_WITHIN_MS = 120_000;

/** Listens and gives the address a browser on this machine can open. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.headersTimeout = HEADERS_WITHIN_MS;
  server.requestTimeout = REQUEST_WITHIN_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { port: listening } = server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${listening}`;
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} on ${host} is taken by another program; set PORT to a free one, such as PORT=${port + 1}`,
    );
  }
  if (error.code === 'EACCES')
    return new StartError(`This user may not listen on port ${port}; set PORT to one above 1023`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(`HOST ${host} is no address of this machine`);
  }
  return error;
}

/** Takes no new connections, lets running requests finish, and cuts what is left when the time is over. */
export async function stopGracefully(server: Server, withinMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), withinMs);
  // A connection that is kept alive becomes idle only after its reply.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(cut);
}
