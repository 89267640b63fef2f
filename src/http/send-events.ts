import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { AppError } from '../lib/errors.ts';
import type { EventsReply } from './reply.ts';
import { isDisconnection } from './send-reply.ts';

/** Proxies and browsers take a connection on which nothing is said for a dead one. */
const HEARTBEAT_EVERY_MS = 15_000;

/** How soon an EventSource whose stream ended comes again; as a comment, so that it is part of no event. */
const BEGINNING = ':\nretry: 1000\n\n';

const NO_CONTENT = 204;

/** Asked while a stream is open: rejects when its listener may not listen any more. */
export interface Recheck {
  everyMs: number;
  run(): Promise<void>;
}

interface Listening {
  /** Fires when the client goes away. */
  left: AbortSignal;
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
  listening: Listening,
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
  const texts = eventTexts(reply.events, listening, (error) => {
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

async function* eventTexts(
  events: EventsReply['events'],
  { left, recheck, heartbeatEveryMs = HEARTBEAT_EVERY_MS }: Listening,
  failed: (error: unknown) => void,
): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  const heartbeat = new Turn(heartbeatEveryMs);
  const check = new Turn(recheck.everyMs);
  try {
    let coming = iterator.next();
    // Whoever waits for it is told.
    coming.catch(() => undefined);
    yield BEGINNING;
    for (;;) {
      const next = await within(coming, Math.min(heartbeat.inMs(), check.inMs()), left);
      if (left.aborted) return;
      // Events that come without a pause do not put it off, nor does one that is there already go out before it.
      if (check.isDue()) await recheck.run();
      if (next === null) {
        if (heartbeat.isDue()) yield ':\n\n';
        continue;
      }
      if (next.done === true) return;
      yield eventText(next.value);
      heartbeat.startAgain();
      coming = iterator.next();
    }
  } catch (error) {
    if (!(error instanceof AppError)) failed(error);
    yield eventText({ event: 'error', data: problemOf(error) });
  } finally {
    // Not waited for: it may be in the middle of something that ends only with the client's signal.
    iterator.return?.().catch(() => undefined);
  }
}

/** Something that is to happen again and again. */
class Turn {
  private readonly everyMs: number;
  private dueAt: number;

  constructor(everyMs: number) {
    this.everyMs = everyMs;
    this.dueAt = performance.now() + everyMs;
  }

  inMs(): number {
    return Math.max(0, this.dueAt - performance.now());
  }

  /** True once per turn. */
  isDue(): boolean {
    if (performance.now() < this.dueAt) return false;
    this.startAgain();
    return true;
  }

  startAgain(): void {
    this.dueAt = performance.now() + this.everyMs;
  }
}

/** null: not within that time, or the client left. */
async function within<T>(promise: Promise<T>, ms: number, left: AbortSignal): Promise<T | null> {
  let giveUp = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
    timer = setTimeout(giveUp, ms);
    left.addEventListener('abort', giveUp);
    if (left.aborted) giveUp();
  });
  try {
    return await Promise.race([promise, waited]);
  } finally {
    clearTimeout(timer);
    left.removeEventListener('abort', giveUp);
  }
}

/** JSON has no line breaks, so the data is always one line. */
function eventText({ event, id, data }: { event?: string; id?: string; data: unknown }): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  const mark = id === undefined ? '' : `id: ${id}\n`;
  return `${name}${mark}data: ${JSON.stringify(data)}\n\n`;
}

function problemOf(error: unknown): { message: string; code: string } {
  if (error instanceof AppError) return { message: error.message, code: error.code };
  return { message: 'Something went wrong on our side', code: 'internal_error' };
}
