import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { AppError } from '../lib/errors.ts';
import type { EventsReply } from './reply.ts';
import { isDisconnection } from './send-reply.ts';

/** Proxies and browsers close idle connections. */
const HEARTBEAT_EVERY_MS = 15_000;

/** Starts with a comment, followed by the reconnection delay of an EventSource. */
const STREAM_PREAMBLE = ':\nretry: 1000\n\n';

const NO_CONTENT = 204;

/** Repeated access check of an open stream: rejects when access was withdrawn. */
export interface Recheck {
  everyMs: number;
  run(): Promise<void>;
}

interface EventStreamOptions {
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  recheck: Recheck;
  heartbeatEveryMs?: number;
}

/**
 * Sends server-sent events until they end, the client disconnects or loses access. An error after the start is sent as a final event
 * `error` with the message and code of an error reply. After 204 an EventSource does not reconnect.
 */
export async function sendEvents({
  response,
  status,
  reply,
  options,
}: {
  response: Response;
  status: number;
  reply: EventsReply;
  options: EventStreamOptions;
}): Promise<void> {
  if (status === NO_CONTENT) {
    response.status(status).end();
    return;
  }
  response.status(status).setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store, no-transform');
  // Disables buffering in nginx.
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
  // An internal error is logged by the error handler; the client received only its code.
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
    // Errors are handled where the promise is awaited.
    pending.catch(() => undefined);
    yield STREAM_PREAMBLE;
    for (;;) {
      const next = await withTimeout(
        pending,
        Math.min(heartbeatTimer.remainingMs(), recheckTimer.remainingMs()),
        signal,
      );
      if (signal.aborted) return;
      // Checked before each event, so that continuous events do not delay it.
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
    // Not awaited, because the iterator may end only after the signal has aborted.
    iterator.return?.().catch(() => undefined);
  }
}

/** Becomes due at a fixed interval. */
class IntervalTimer {
  private dueAt: number;

  constructor(private readonly everyMs: number) {
    this.dueAt = performance.now() + everyMs;
  }

  remainingMs(): number {
    return Math.max(0, this.dueAt - performance.now());
  }

  /** Returns true once per interval. */
  isDue(): boolean {
    if (performance.now() < this.dueAt) return false;
    this.restart();
    return true;
  }

  restart(): void {
    this.dueAt = performance.now() + this.everyMs;
  }
}

/** Resolves with null after the timeout or when the signal aborts. */
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
