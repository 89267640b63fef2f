import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the range from which systems take the near end of outgoing connections (32768 upwards): such a
 * connection could sit on our port while the server restarts, a client that retries could even meet itself.
 */
const lowestPort = 20_000;
const highestPort = 32_000;
const attempts = 100;

/** The preferred port when it is free, else any free one. */
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
