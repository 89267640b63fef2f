import pg from 'pg';
import { applicationUrl } from './embedded/cluster.ts';
import { type EmbeddedServer, startEmbedded } from './embedded/embedded-server.ts';
import { readState } from './embedded/cluster-directory.ts';

/**
 * Returns the database server: the configured one, or the embedded one, which this process starts. `endsWithProcess`: the embedded server
 * also ends when this process is killed.
 */
export async function openServer(
  where: { databaseUrl: string | null; dataDir: string; endsWithProcess?: boolean },
  report: (message: string) => void,
): Promise<EmbeddedServer> {
  const { databaseUrl, dataDir, endsWithProcess = false } = where;
  if (databaseUrl === null) return startEmbedded({ dataDir, endsWithProcess, report });
  return { url: databaseUrl, notes: [], stop: () => Promise.resolve() };
}

/**
 * Returns the database server for a command: the configured one, the embedded one of a running process, or an embedded one that ends with
 * the command, even when it is killed.
 */
export async function openServerForCommand(where: {
  databaseUrl: string | null;
  dataDir: string;
}): Promise<EmbeddedServer> {
  const { dataDir } = where;
  const databaseUrl = where.databaseUrl ?? (await runningServerUrl(dataDir));
  return openServer({ databaseUrl, dataDir, endsWithProcess: true }, console.error);
}

/** Returns the connection URL of the database that a running process serves from this DATA_DIR, or null. */
async function runningServerUrl(dataDir: string, database = 'canvass'): Promise<string | null> {
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
