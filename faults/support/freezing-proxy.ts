import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface FreezingProxy {
  /** The target's URL with the address of the proxy. */
  readonly url: string;
  /** Stops forwarding in both directions. Sockets stay open, and new ones are accepted and stay silent. */
  freeze(): void;
  /** Resumes forwarding, buffered data first. */
  thaw(): void;
  /** Current connections stay silent forever, new ones work, as with a firewall that lost its state. */
  forgetConnections(): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy on loopback in front of the server of this URL. */
export async function startFreezingProxy(targetUrl: string): Promise<FreezingProxy> {
  const target = new URL(targetUrl);
  let isFrozen = false;
  const sockets = new Set<Socket>();
  const forgotten = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({
      port: Number(target.port || 5432),
      host: target.hostname,
      allowHalfOpen: true,
    });
    const ends = [client, upstream] as const;
    for (const [index, socket] of ends.entries()) {
      const other = ends[1 - index]!;
      sockets.add(socket);
      socket.on('data', (bytes) => other.write(bytes));
      socket.on('end', () => other.end());
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      if (isFrozen) socket.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) if (!forgotten.has(socket)) socket.resume();
    },
    forgetConnections() {
      for (const socket of sockets) {
        forgotten.add(socket);
        socket.pause();
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
