import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DeckHead, DeckSlide } from '../../../domain/reports/deck.ts';
import { Slots } from '../../../lib/slots.ts';
import type { FromWriter, ReportFormat, ToWriter } from './messages.ts';

/** Files that are written at a time; others wait. */
const MAX_AT_ONCE = 2;
/** A file whose writing takes more fails, and nothing else does. */
const MAX_HEAP_MB = 512;
/** So long a thread waits for another file: to read what it writes with takes it a second. */
const IDLE_MS = 60_000;

interface Deck {
  head: DeckHead;
  slides: AsyncIterable<DeckSlide>;
}

/**
 * Writes files on threads of their own, one a file: nobody waits while a page is drawn, what a file takes is bounded, and it can be ended
 * in the middle of a page. Slides are taken as they are needed, one ahead, and bytes are given out as they are wanted.
 */
export class WriterThreads {
  private readonly slots = new Slots(MAX_AT_ONCE);
  private readonly idle = new Map<Worker, NodeJS.Timeout>();

  /** When the signal fires, or whoever reads leaves, the thread is gone. */
  async *write(
    format: ReportFormat,
    open: () => Promise<Deck>,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, undefined> {
    const release = await this.slots.take();
    try {
      signal.throwIfAborted();
      const { head, slides } = await open();
      const worker = this.take();
      let isWhole = false;
      try {
        tell(worker, { order: { format, head } });
        yield* writtenBy(worker, slides, signal);
        isWhole = true;
      } finally {
        if (isWhole) this.keep(worker);
        else await worker.terminate();
      }
      return undefined;
    } finally {
      release();
    }
  }

  private take(): Worker {
    const [known] = this.idle.keys();
    if (known === undefined) {
      const made = thread();
      return made.once('exit', () => this.idle.delete(made));
    }
    clearTimeout(this.idle.get(known));
    this.idle.delete(known);
    known.ref();
    return known;
  }

  private keep(worker: Worker): void {
    const end = () => void worker.terminate();
    this.idle.set(worker, setTimeout(end, IDLE_MS).unref());
    // It keeps no process from ending.
    worker.unref();
  }
}

const tell = (worker: Worker, message: ToWriter) => worker.postMessage(message);

async function* writtenBy(
  worker: Worker,
  slides: AsyncIterable<DeckSlide>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const wanted = slides[Symbol.asyncIterator]();
  // What the thread throws is thrown here, wherever this waits.
  const messages = on(worker, 'message', { signal, close: ['exit'] });
  try {
    for await (const [message] of messages as AsyncIterable<[FromWriter]>) {
      if ('bytes' in message) {
        const { buffer, byteOffset, byteLength } = message.bytes;
        yield Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
        tell(worker, { taken: true });
      } else if (message.wants === 'slide') {
        const next = await wanted.next();
        tell(worker, { slide: next.done === true ? null : next.value });
      } else return;
    }
    throw new Error('The thread ended before the file that it wrote');
  } finally {
    await wanted.return?.();
  }
}

/** Threads do not inherit how this process reads TypeScript. */
function thread(): Worker {
  const [loader, entry] = [
    import.meta.resolve('tsx/esm/api'),
    new URL('./writer-thread.ts', import.meta.url),
  ].map((url) => JSON.stringify(String(url)));
  const code = `import(${loader}).then(({ register }) => { register(); return import(${entry}); });`;
  const worker = new Worker(code, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // Whoever listens has gone by the time that it is made to end; nobody else minds.
  return worker.on('error', () => undefined);
}
