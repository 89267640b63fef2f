import { availableParallelism } from 'node:os';
import type { Distribution } from '../../../domain/statistics/distribution.ts';
import { tooManyAtOnce } from '../../../lib/error-messages.ts';
import { unavailable } from '../../../lib/errors.ts';
import { ThreadPool } from '../../../lib/thread-pool.ts';
import type { ScanRequest } from './scan-request.ts';

/** Leaves one processor for the event loop. */
const MAX_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** A longer queue would exceed acceptable waiting times. */
const MAX_WAITING = 32;
const RETRY_AFTER_SECONDS = 5;
/** Does not include the shared arrays that are sorted. */
const MAX_HEAP_MB = 256;
/** Idle time before a thread ends: starting one takes half a second. */
const IDLE_MS = 300_000;

/**
 * Scans long columns on worker threads, in shared memory, so that other requests are served meanwhile. An aborted request ends its scan or
 * leaves the queue. Throws 503 when the queue is full.
 */
export class ScanThreads {
  private readonly threads = new ThreadPool(new URL('./scan-thread.ts', import.meta.url), {
    maxHeapMb: MAX_HEAP_MB,
    idleMs: IDLE_MS,
  });
  private readonly waiting: (() => void)[] = [];
  private working = 0;

  /** Throws 503 if too many requests are waiting. */
  async computeDistribution(order: ScanRequest, signal: AbortSignal): Promise<Distribution> {
    await this.acquireThread(signal);
    try {
      return await this.threads.request<Distribution>(order, signal);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.working -= 1;
      else next();
    }
  }

  private async acquireThread(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.working < MAX_THREADS) {
      this.working += 1;
      return;
    }
    if (this.waiting.length >= MAX_WAITING)
      throw unavailable(tooManyAtOnce('large figures'), RETRY_AFTER_SECONDS, 'busy');
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(take), 1);
        reject(signal.reason as Error);
      };
      const take = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(take);
    });
  }
}
