import type { Client, Notification } from 'pg';
import type { Database } from './connect.ts';

const RECONNECT_AFTER_MS = 1_000;

/** What the database was told with `pg_notify`, or null: some may have been missed, look for yourself. */
type Listener = (payload: string | null) => void;

/** What knex's client can do besides what its types say. */
interface RawConnections {
  acquireRawConnection(): Promise<Client>;
}

/**
 * Hears what transactions of any process announce on one channel, on a connection of its own beside the pool: open while anybody
 * listens, and opened again when it breaks. Deliveries may be missed in between, so a listener must also look from time to time.
 */
export class Notifications {
  private readonly db: Database;
  private readonly channel: string;
  private readonly listeners = new Set<Listener>();
  private connection: Client | null = null;
  private connecting = false;
  private retry: NodeJS.Timeout | null = null;

  /** `channel`: an identifier of ours, never a client's text. */
  constructor(db: Database, channel: string) {
    this.db = db;
    this.channel = channel;
  }

  /** Gives back what ends the listening. */
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
      await connection.query(`LISTEN ${this.channel}`);
      this.notifyListeners(null);
    } catch {
      if (this.connection !== null) this.handleLostConnection(this.connection);
      else this.scheduleReconnect();
    } finally {
      this.connecting = false;
    }
    // Everybody left while it was being opened.
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
