import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { AppError } from '../lib/errors.ts';
import type { EventsReply } from './reply.ts';
import { isDisconnection } from './send-reply.ts';

/** Proxies and browsers take a connection on which nothing is said for a dead one. */
const HEARTBEAT_EVERY_MS = 15_000;

/** How soon an EventSource whose stream ended comes again; as a comment, so that it is part of no event. */
const STREAM_PREAMBLE = ':\nretry: 1000\n\n';

const NO_CONTENT = 204;

/** Asked while a stream is open: rejects when its listener may not listen any more. */
export interface Recheck {
  everyMs: number;
  run(): Promise<void>;
}

interface EventStreamOptions {
  /** Fires when the client goes away. */
  signal: AbortSignal;
  recheck: Recheck;
  heartbeatEveryMs?: number;
}

/**
 * Sends server-sent events until there are no more, the client leaves or may not listen any more. What fails after the beginning is
 * an event `error` with what an error reply would have said, and the end. With 204 an EventSource does not come again.
 */
export async function sendEvents(
  response: Response,
  status: number,
  reply: EventsReply,
  options: EventStreamOptions,
): Promise<void> {
  if (status === NO_CONTENT) {
    response.status(status).end();
    return;
  }
  response.status(status).setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store, no-transform');
  // nginx would otherwise gather them.
  response.setHeader('X-Accel-Buffering', 'no');
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  response.flushHeaders();
  let failure: Error | null = null;
  const texts = serializeEvents(reply.events, options, (error) => {
    failure = error instanceof Error ? error : new Error('Something that is no error was thrown');
  });
  try {
    await pipeline(Readable.from(texts, { objectMode: false }), response);
  } catch (error) {
    if (!isDisconnection(error)) throw error;
  }
  // Our own bug: the client was told all that it may know.
  if (failure !== null) throw failure as Error;
}

async function* serializeEvents(
  events: EventsReply['events'],
  { signal, recheck, heartbeatEveryMs = HEARTBEAT_EVERY_MS }: EventStreamOptions,
  onInternalError: (error: unknown) => void,
): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  const heartbeatTimer = new IntervalTimer(heartbeatEveryMs);
  const recheckTimer = new IntervalTimer(recheck.everyMs);
  try {
    let pending = iterator.next();
    // Whoever waits for it is told.
    pending.catch(() => undefined);
    yield STREAM_PREAMBLE;
    for (;;) {
      const next = await withTimeout(
        pending,
        Math.min(heartbeatTimer.remainingMs(), recheckTimer.remainingMs()),
        signal,
      );
      if (signal.aborted) return;
      // Events that come without a pause do not put it off, nor does one that is there already go out before it.
      if (recheckTimer.isDue()) await recheck.run();
      if (next === null) {
        if (heartbeatTimer.isDue()) yield ':\n\n';
        continue;
      }
      if (next.done === true) return;
      yield serializeEvent(next.value);
      heartbeatTimer.restart();
      pending = iterator.next();
    }
  } catch (error) {
    if (!(error instanceof AppError)) onInternalError(error);
    yield serializeEvent({ event: 'error', data: problemOf(error) });
  } finally {
    // Not waited for: it may be in the middle of something that ends only with the client's signal.
    iterator.return?.().catch(() => undefined);
  }
}

/** Something that is to happen again and again. */
class IntervalTimer {
  private readonly everyMs: number;
  private dueAt: number;

  constructor(everyMs: number) {
    this.everyMs = everyMs;
    this.dueAt = performance.now() + everyMs;
  }

  remainingMs(): number {
    return Math.max(0, this.dueAt - performance.now());
  }

  /** True once per turn. */
  isDue(): boolean {
    if (performance.now() < this.dueAt) return false;
    this.restart();
    return true;
  }

  restart(): void {
    this.dueAt = performance.now() + this.everyMs;
  }
}

/** null: not within that time, or the client left. */
async function withTimeout<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | null> {
  let stopWaiting = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    stopWaiting = () => resolve(null);
    timer = setTimeout(stopWaiting, ms);
    signal.addEventListener('abort', stopWaiting);
    if (signal.aborted) stopWaiting();
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stopWaiting);
  }
}

/** JSON has no line breaks, so the data is always one line. */
function serializeEvent({ event, id, data }: { event?: string; id?: string; data: unknown }): string {
  const eventLine = event === undefined ? '' : `event: ${event}\n`;
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `${eventLine}${idLine}data: ${JSON.stringify(data)}\n\n`;
}

function problemOf(error: unknown): { message: string; code: string } {
  if (error instanceof AppError) return { message: error.message, code: error.code };
  return { message: 'Something went wrong on our side', code: 'internal_error' };
}
