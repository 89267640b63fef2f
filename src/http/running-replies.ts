import type { Server, ServerResponse } from 'node:http';

/**
 * The replies of a server that have not ended. They are in slots that are used again, not in a Set: a Set copies its entries when it is full, and
 * each copy that it leaves behind keeps its replies in memory until the next full garbage collection.
 */
export class RunningReplies implements Iterable<ServerResponse> {
  private readonly slots: (ServerResponse | null)[] = [];
  private readonly freeSlots: number[] = [];

  constructor(server: Server) {
    server.prependListener('request', (_request, reply: ServerResponse) => {
      const slot = this.freeSlots.pop() ?? this.slots.length;
      this.slots[slot] = reply;
      reply.once('close', () => {
        this.slots[slot] = null;
        this.freeSlots.push(slot);
      });
    });
  }

  *[Symbol.iterator](): Generator<ServerResponse> {
    for (const reply of this.slots) if (reply !== null) yield reply;
  }
}
