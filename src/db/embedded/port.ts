import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports are chosen below the ephemeral range (32768 and above). An outgoing connection could take a port of that range while the server
 * restarts, and a retrying client could even connect to itself.
 */
const lowestPort = 20_000;
const highestPort = 32_000;
const attempts = 100;

/** Returns the preferred port if it is free, otherwise any free one. */
export async function findFreePort(preferred: number | null): Promise<number> {
  if (preferred !== null && (await canListen(preferred))) return preferred;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowestPort, highestPort);
    if (await canListen(port)) return port;
  }
  throw new Error(`No free port between ${lowestPort} and ${highestPort} on 127.0.0.1`);
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
