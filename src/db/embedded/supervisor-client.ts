import { Client } from 'pg';
import { supervisorRole } from './cluster.ts';

const connectTimeoutMs = 5_000;
const queryTimeoutMs = 30_000;

/** Returns a superuser connection to the maintenance database, outside the pool. */
export async function connectSupervisor(port: number, password: string): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: supervisorRole,
    password,
    database: 'postgres',
    application_name: `canvass ${process.pid}`,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  });
  // Without a listener, an error of the connection would end the process. 'end' follows and is handled.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await closeClient(client);
    throw error;
  }
}

/** Closes the connection. Ignores errors, because the server may have ended. */
export async function closeClient(client: Client): Promise<void> {
  await client.end().catch(() => undefined);
}
