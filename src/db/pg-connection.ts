import pg from 'pg';

/** The database did not reply in time; its connection was closed, and whether the statement took effect is unknown. */
export class NoReplyError extends Error {
  constructor(message = 'The database does not reply') {
    super(message);
    this.name = 'NoReplyError';
  }
}

/** A connection that knows whether its server owes it a reply, and that can be closed without waiting for the server. */
export class PgConnection extends pg.Client {
  /** When the oldest statement without a reply was sent; null: none is outstanding. `performance.now()`. */
  waitingSince: number | null = null;
  /** False while a transaction runs for which the server's statement timeout is lifted too. */
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
    // Queued statements: the next one is sent when the one before has its reply.
    this.connection.on('readyForQuery', () => {
      if (this.waitingSince !== null) this.waitingSince = performance.now();
    });
    this.on('drain', () => (this.waitingSince = null));
  }

  /** The id of the server process, as the server named it at the start; a pooler in between may have named another. */
  get backendId(): number | null {
    return (this as unknown as { processID: number | null }).processID;
  }

  /** How long a reply is outstanding without any byte received, in milliseconds; 0: none is. As precise as it is asked often. */
  silentMs(): number {
    const now = performance.now();
    const { bytesRead = 0 } = this.connection.stream as { bytesRead?: number };
    if (bytesRead !== this.seenBytes) {
      this.seenBytes = bytesRead;
      this.seenAt = now;
    }
    return this.waitingSince === null ? 0 : now - Math.max(this.waitingSince, this.seenAt);
  }

  /** Closes the socket at once; what waits on the connection fails with `reason`. */
  closeNow(reason: Error): void {
    this.connection.stream.destroy(reason);
  }
}
