import pg from 'pg';
import { applicationUrl } from './application-database.ts';
import { readState } from './state-file.ts';

/** Returns the connection URL of the database that a running process serves from this DATA_DIR, or null. */
export async function runningServerUrl(dataDir: string, database = 'canvass'): Promise<string | null> {
  const state = await readState(dataDir);
  if (state?.port == null) return null;
  const url = applicationUrl(state.port, state.password, database);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return url;
  } catch {
    // No server or another one listens there: the caller starts the server itself and gets the exact error.
    return null;
  }
}
