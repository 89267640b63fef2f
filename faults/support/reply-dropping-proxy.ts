import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface ReplyDroppingProxy {
  readonly url: string;
  /** Of the next connection the request goes through, and when the reply comes the line breaks. */
  steal(): void;
  /** How many replies came and were not handed on. */
  readonly stolen: number;
  close(): Promise<void>;
}

/** Stands between a client and the server. A reply is sent after the commit, so what was done is done when it is stolen. */
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
