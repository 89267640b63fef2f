import pg from 'pg';

/** The database did not reply in time. Its connection was closed, so it is unknown whether the statement took effect. */
export class NoReplyError extends Error {
  constructor(message = 'The database does not reply') {
    super(message);
    this.name = 'NoReplyError';
  }
}

/** A connection that tracks whether a reply is outstanding and can be closed without waiting for the server. */
export class PgConnection extends pg.Client {
  /** When the oldest statement without a reply was sent (`performance.now()`), or null if no reply is outstanding. */
  waitingSince: number | null = null;
  /** False while a transaction runs without the server's statement timeout. */
  hasTimeLimit = true;
  private seenBytes = 0;
  private seenAt = 0;

  constructor(config: pg.ClientConfig) {
    super(config);
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      this.waitingSince ??= performance.now();
      return send(...given);
    }) as typeof this.query;
    // Queued statements: each is sent after the reply to the previous one.
    this.connection.on('readyForQuery', () => {
      if (this.waitingSince !== null) this.waitingSince = performance.now();
    });
    this.on('drain', () => (this.waitingSince = null));
  }

  /** The process id that the server reported when the connection opened. A pooler may have reported another one. */
  get backendId(): number | null {
    return (this as unknown as { processID: number | null }).processID;
  }

  /**
   * How long a reply has been outstanding without receiving a byte, in milliseconds; 0 if none is outstanding. Precise to the interval
   * between calls.
   */
  silentMs(): number {
    const now = performance.now();
    const { bytesRead = 0 } = this.connection.stream as { bytesRead?: number };
    if (bytesRead !== this.seenBytes) {
      this.seenBytes = bytesRead;
      this.seenAt = now;
    }
    return this.waitingSince === null ? 0 : now - Math.max(this.waitingSince, this.seenAt);
  }

  /** Closes the socket immediately. Waiting statements fail with `reason`. */
  closeNow(reason: Error): void {
    this.connection.stream.destroy(reason);
  }
}
