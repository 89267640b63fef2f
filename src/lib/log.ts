import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { isStorageFull, storageFullReason } from './errors.ts';

const STDERR = 2;

/** Lines wait for others at most this long, so that a busy server makes a few system calls a second. */
const FLUSH_AFTER_MS = 100;
const FLUSH_AT_CHARACTERS = 16_384;

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/** Shortest interval between log lines about a full disk, because the log may be on that disk. */
const STORAGE_FULL_EVERY_MS = 10_000;

/**
 * Creates a log of JSON lines on standard error; standard output is for people. Lines are buffered (`BufferedLines`). Errors of a full
 * disk are replaced by a short line, at most one every 10 s, which counts the others.
 */
export function createLog(level: string, destination: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { logMethod: withFewLinesOfFullStorage() },
    },
    destination,
  );
}

/** Resolves when all lines so far are written. Never resolves while the reader of standard error does not read: use a timeout. */
export const flushLog = (log: Logger): Promise<void> => new Promise((resolve) => log.flush(() => resolve()));

/** pino's number of the level `warn`. */
const WARN_LEVEL = 40;

/** On a destination, makes pino set `lastLevel`. */
const NEEDS_LEVELS = { [Symbol.for('pino.metadata')]: true };

/** Where buffered lines are written: a part of pino's destination. */
export interface LineSink {
  write(text: string): unknown;
  /** Called each time when everything has been written. */
  on(event: 'drain', listener: () => void): unknown;
  flushSync(): void;
}

function standardError(): DestinationStream {
  const destination = pino.destination({ dest: STDERR, sync: false, minLength: 0 });
  const lines = new BufferedLines(destination);
  process.once('exit', () => {
    // Then `write` begins no write that would not end before the process does; `flushSync` writes instead.
    Object.assign(destination, { minLength: Infinity });
    lines.flushSync();
  });
  return lines;
}

/**
 * Collects lines and writes them together, without blocking the event loop: after 100 ms, when 16 KB are waiting, and immediately after a
 * line of the level `warn` or above. Call `flushLog` before exiting: `flushSync`, which runs at every exit, writes what is waiting but does
 * not wait for a write that has begun. A killed process loses the lines of its last 100 ms.
 */
export class BufferedLines implements DestinationStream {
  /** Set by pino before each line. */
  lastLevel = 0;
  private waiting = '';
  private isWriting = false;
  private timer: NodeJS.Timeout | null = null;
  private drainListeners: (() => void)[] = [];

  constructor(private readonly sink: LineSink) {
    Object.assign(this, NEEDS_LEVELS);
    sink.on('drain', () => {
      this.isWriting = false;
      for (const listener of this.drainListeners.splice(0)) listener();
    });
  }

  write(line: string): void {
    this.waiting += line;
    if (this.lastLevel >= WARN_LEVEL || this.waiting.length >= FLUSH_AT_CHARACTERS) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Begins writing. `onWritten` is called when all lines so far are written. */
  flush(onWritten?: () => void): void {
    this.handOver();
    if (onWritten === undefined) return;
    if (this.isWriting) this.drainListeners.push(onWritten);
    else onWritten();
  }

  flushSync(): void {
    this.handOver();
    this.sink.flushSync();
  }

  private handOver(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.waiting === '') return;
    const text = this.waiting;
    this.waiting = '';
    this.isWriting = true;
    this.sink.write(text);
  }
}

function withFewLinesOfFullStorage(): LogMethod {
  let loggedAt = -Infinity;
  let omitted = 0;
  return function (line, write) {
    const { err, error = err } = (line[0] ?? {}) as { err?: unknown; error?: unknown };
    if (!isStorageFull(error)) {
      write.apply(this, line);
      return;
    }
    const now = performance.now();
    if (now - loggedAt < STORAGE_FULL_EVERY_MS) {
      omitted += 1;
      return;
    }
    loggedAt = now;
    const { code } = error as { code?: unknown };
    write.apply(this, [{ code, reason: storageFullReason(error as object), omitted }, 'storage is full']);
    omitted = 0;
  };
}

/** Copies an error without the fields `detail` and `where` of a database error, which quote stored values. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'the thrown value is not an Error' };
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  return { type: error.name, message: error.message, stack: error.stack, code, constraint, table };
}
