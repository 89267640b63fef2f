import type {
  FirstReply,
  IdempotencyStore,
  IdempotentRequest,
  StoredReply,
} from '../lib/idempotency-store.ts';
import type { Store } from './store.ts';

/** Another request with the same key is running, or has just replied. */
class KeyInUseError extends Error {}

/** Requests with an Idempotency-Key: the key, what the request writes and its reply are one transaction. */
export class IdempotentRequests implements IdempotencyStore {
  /** In this process, by key hash: the second of two is refused before it does any work. */
  private readonly running = new Set<string>();

  constructor(private readonly store: Store) {}

  async run(request: IdempotentRequest, work: () => Promise<StoredReply>): Promise<FirstReply | null> {
    const { keyHash, bodyHash } = request;
    const first = await this.find(keyHash);
    if (first !== null || this.running.has(keyHash)) return first;
    this.running.add(keyHash);
    try {
      return { bodyHash, reply: await this.runNow(request, work) };
    } catch (error) {
      if (error instanceof KeyInUseError) return await this.find(keyHash);
      throw error;
    } finally {
      this.running.delete(keyHash);
    }
  }

  private find(keyHash: string): Promise<FirstReply | null> {
    return this.store.read.idempotencyKeys.find(keyHash);
  }

  private runNow(request: IdempotentRequest, work: () => Promise<StoredReply>): Promise<StoredReply> {
    return this.store.join(
      {
        async onOpen({ idempotencyKeys }) {
          if (!(await idempotencyKeys.lock(request.keyHash))) throw new KeyInUseError();
        },
        async beforeCommit({ idempotencyKeys }, reply) {
          if (!(await idempotencyKeys.add(request, reply))) throw new KeyInUseError();
        },
      },
      work,
    );
  }
}
