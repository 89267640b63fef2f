import { on } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { DeckHeader, DeckSlide } from '../../domain/reports/deck.ts';
import { Semaphore } from '../../lib/concurrency.ts';
import { ThreadPool } from '../../lib/thread-pool.ts';

export const REPORT_FORMATS = ['pdf', 'pptx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** A file for a thread to write. */
export interface WriteRequest {
  format: ReportFormat;
  head: DeckHeader;
}

/** From the thread: requests a slide, sends bytes (then waits for `taken`), or reports the end of the file. */
export type FromWriter = { request: 'slide' } | { bytes: Uint8Array } | { request: 'nothing' };

/** To the thread: a file to write after the previous one; a slide of it, null after the last one; acknowledgement of bytes. */
export type ToWriter = { order: WriteRequest } | { slide: DeckSlide | null } | { acknowledged: true };

/** Files written concurrently; further ones wait. */
const MAX_CONCURRENT = 2;
/** A file that needs more memory fails without affecting others. */
const MAX_HEAP_MB = 512;
/** Idle time before a thread ends: loading its modules takes a second. */
const IDLE_MS = 60_000;

interface Deck {
  head: DeckHeader;
  slides: AsyncIterable<DeckSlide>;
}

/**
 * Writes files on worker threads, one file per thread at a time: rendering does not block the event loop, memory is limited, and a file can
 * be aborted while a page is rendered. Slides are requested one ahead, and bytes are produced as they are consumed.
 */
export class WriterThreads {
  private readonly slots = new Semaphore(MAX_CONCURRENT);
  private readonly threads = new ThreadPool('writer-thread', {
    maxHeapMb: MAX_HEAP_MB,
    idleMs: IDLE_MS,
  });

  /** Ends the thread when the signal aborts or the reader stops. */
  async *write(
    format: ReportFormat,
    open: () => Promise<Deck>,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, undefined> {
    const release = await this.slots.acquire();
    try {
      signal.throwIfAborted();
      const { head, slides } = await open();
      const worker = this.threads.reserve();
      let isWhole = false;
      try {
        send(worker, { order: { format, head } });
        yield* relayFile(worker, slides, signal);
        isWhole = true;
      } finally {
        if (isWhole) this.threads.release(worker);
        else await worker.terminate();
      }
      return undefined;
    } finally {
      release();
    }
  }
}

const send = (worker: Worker, message: ToWriter) => worker.postMessage(message);

async function* relayFile(
  worker: Worker,
  slides: AsyncIterable<DeckSlide>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const iterator = slides[Symbol.asyncIterator]();
  // Errors of the thread are thrown here.
  const messages = on(worker, 'message', { signal, close: ['exit'] });
  try {
    for await (const [message] of messages as AsyncIterable<[FromWriter]>) {
      if ('bytes' in message) {
        const { buffer, byteOffset, byteLength } = message.bytes;
        yield Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
        send(worker, { acknowledged: true });
      } else if (message.request === 'slide') {
        const next = await iterator.next();
        send(worker, { slide: next.done === true ? null : next.value });
      } else return;
    }
    throw new Error('The writer thread ended before the file was complete');
  } finally {
    await iterator.return?.();
  }
}
