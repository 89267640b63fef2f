import pino, { type Logger } from 'pino';

const STDERR = 2;

/** Structured lines on standard error; standard output is for people. */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    pino.destination({ dest: STDERR, sync: false, minLength: 0 }),
  );
}

/**
 * An error without what it carries along: a database error's `detail` and `where` quote stored values, which belong in no log.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'something that is no error was thrown' };
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  return { type: error.name, message: error.message, stack: error.stack, code, constraint, table };
}
