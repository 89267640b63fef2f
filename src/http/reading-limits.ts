import type { Server, ServerResponse } from 'node:http';

/** How long clients may take to read replies. */
export interface ReadingLimits {
  /** For each part of a reply that is generated or read from a file while it is sent. Parts have at most 256 KB. */
  partMs: number;
  /** For a reply that was complete before sending began, and for the rest of a streamed one once it is complete. */
  wholeMs: number;
}

/** Five minutes for 15 MB are 50 KB/s. */
export const READING_LIMITS: ReadingLimits = { partMs: 120_000, wholeMs: 300_000 };
const CHECKS_PER_LIMIT = 10;

/** What a reply waits for. */
interface Waiting {
  isWhole: boolean;
  /** Bytes that were handed to the connection. */
  bytes: number;
  sinceMs: number;
}

/**
 * Disconnects clients that do not read their replies, because each unread reply occupies memory. A download or stream that progresses has
 * no limit here. The request log has the reason. One timer checks all replies of the server, so that a request costs nothing.
 *
 * @param running the replies that have not ended
 */
export function limitReading(
  server: Server,
  running: Iterable<ServerResponse>,
  { partMs, wholeMs }: ReadingLimits,
): void {
  const waiting = new WeakMap<ServerResponse, Waiting>();
  const check = (reply: ServerResponse, nowMs: number) => {
    const { socket, writableEnded: isWhole } = reply;
    if (socket === null || socket.writableLength === 0) {
      waiting.delete(reply);
      return;
    }
    const known = waiting.get(reply);
    const bytes = socket.bytesWritten;
    if (known === undefined || known.isWhole !== isWhole || (!isWhole && known.bytes !== bytes)) {
      waiting.set(reply, { isWhole, bytes, sinceMs: nowMs });
      return;
    }
    const limitMs = isWhole ? wholeMs : partMs;
    if (nowMs - known.sinceMs < limitMs) return;
    const { locals } = reply as ServerResponse & { locals?: { cut?: string } };
    if (locals !== undefined) locals.cut = `not read within ${limitMs} ms`;
    reply.destroy();
  };
  const timer = setInterval(
    () => {
      const nowMs = performance.now();
      for (const reply of running) check(reply, nowMs);
    },
    Math.min(partMs, wholeMs) / CHECKS_PER_LIMIT,
  ).unref();
  server.once('close', () => clearInterval(timer));
}
