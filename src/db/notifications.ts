import type { Client, Notification } from 'pg';
import type { Database } from './connect.ts';

const RECONNECT_AFTER_MS = 1_000;

/** Receives the payload of `pg_notify`, or null after a reconnection, when payloads may have been missed and the listener must poll. */
type Listener = (payload: string | null) => void;

/** Methods of Knex's client that its types do not declare. */
interface RawConnections {
  acquireRawConnection(): Promise<Client>;
}

/**
 * Listens on one channel for notifications of any process. Uses one connection outside the pool, which is open while there are listeners
 * and is reopened after a failure. Notifications can be lost in between, so listeners must also poll.
 */
export class Notifications {
  private readonly listeners = new Set<Listener>();
  private connection: Client | null = null;
  private connecting = false;
  private hasSubscribed = false;
  private retry: NodeJS.Timeout | null = null;

  /** `channel` is an identifier from the code, never text of a client. */
  constructor(
    private readonly db: Database,
    private readonly channel: string,
  ) {}

  /** Whether notifications are received now. A listener gets null when this becomes true. */
  get isListening(): boolean {
    return this.connection !== null && this.hasSubscribed;
  }

  /** Returns a function that removes the listener. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    void this.open();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.close();
    };
  }

  private async open(): Promise<void> {
    if (this.connecting || this.connection !== null || this.listeners.size === 0) return;
    this.connecting = true;
    try {
      const connection = await (this.db.client as RawConnections).acquireRawConnection();
      connection.on('error', () => this.handleLostConnection(connection));
      connection.on('end', () => this.handleLostConnection(connection));
      connection.on('notification', ({ payload }: Notification) => this.notifyListeners(payload ?? ''));
      this.connection = connection;
      this.hasSubscribed = false;
      await connection.query(`LISTEN ${this.channel}`);
      this.hasSubscribed = true;
      this.notifyListeners(null);
    } catch {
      if (this.connection !== null) this.handleLostConnection(this.connection);
      else this.scheduleReconnect();
    } finally {
      this.connecting = false;
    }
    // The last listener was removed while the connection was being opened.
    if (this.listeners.size === 0) this.close();
  }

  private handleLostConnection(connection: Client): void {
    if (this.connection !== connection) return;
    this.connection = null;
    connection.end().catch(() => undefined);
    this.scheduleReconnect();
  }

  private scheduleReconnect(): void {
    if (this.retry !== null || this.listeners.size === 0) return;
    this.retry = setTimeout(() => {
      this.retry = null;
      void this.open();
    }, RECONNECT_AFTER_MS);
    this.retry.unref();
  }

  private close(): void {
    if (this.retry !== null) clearTimeout(this.retry);
    this.retry = null;
    const connection = this.connection;
    this.connection = null;
    connection?.end().catch(() => undefined);
  }

  private notifyListeners(payload: string | null): void {
    for (const listener of [...this.listeners]) listener(payload);
  }
}
