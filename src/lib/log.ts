import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { isStorageFull, storageFullReason } from './errors.ts';

const STDERR = 2;

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/** Shortest interval between log lines about a full disk, because the log may be on that disk. */
const STORAGE_FULL_EVERY_MS = 10_000;

/**
 * Creates a log of JSON lines on standard error; standard output is for people. Errors of a full disk are replaced by a short line, at
 * most one every 10 s, which counts the others.
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

const standardError = (): DestinationStream => pino.destination({ dest: STDERR, sync: false, minLength: 0 });

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
