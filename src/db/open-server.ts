import { startEmbedded, type EmbeddedServer } from './embedded/embedded-server.ts';
import { runningServerUrl } from './embedded/running-server.ts';

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
