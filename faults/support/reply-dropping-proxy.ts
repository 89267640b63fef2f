import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface ReplyDroppingProxy {
  readonly url: string;
  /** Forwards the request of the next connection and closes the connection when the reply arrives. */
  steal(): void;
  /** Number of dropped replies. */
  readonly stolen: number;
  close(): Promise<void>;
}

/** A proxy that drops replies. The server replies after the commit, so the work is already committed. */
export async function startReplyDroppingProxy(target: string): Promise<ReplyDroppingProxy> {
  const { port } = new URL(target);
  let next = false;
  let stolen = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const steals = next;
    next = false;
    const upstream = connect(Number(port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
    }
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    if (!steals) {
      upstream.pipe(client);
      return;
    }
    upstream.once('data', () => {
      stolen += 1;
      client.resetAndDestroy();
      upstream.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    steal: () => (next = true),
    get stolen() {
      return stolen;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
