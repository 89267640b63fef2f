/** Knex's PostgreSQL dialect, which Knex documents for extension but does not type. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import { Knex } from 'knex';
  import type { Client, ClientConfig } from 'pg';

  export default class PostgresDialect extends Knex.Client {
    connectionSettings: ClientConfig;
    /** Opens a connection outside the pool. */
    acquireRawConnection(): Promise<Client>;
    acquireConnection(): Promise<Client>;
    releaseConnection(connection: Client): Promise<void>;
    destroy(): Promise<void>;
    protected _acquireOnlyConnection(): Promise<Client>;
  }
}
