import { startEmbedded, type EmbeddedServer } from './embedded/embedded-server.ts';
import { runningServerUrl } from './embedded/running-server.ts';

/**
 * The database server to work on: the given one, or the embedded one, which this process then runs. `endsWithProcess`: the embedded one
 * ends when this process is killed.
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
 * The same for a command: it uses the embedded server of a running process, or starts the embedded server, which then ends with the
 * command, also when the command is killed.
 */
export async function openServerForCommand(where: {
  databaseUrl: string | null;
  dataDir: string;
}): Promise<EmbeddedServer> {
  const { dataDir } = where;
  const databaseUrl = where.databaseUrl ?? (await runningServerUrl(dataDir));
  return openServer({ databaseUrl, dataDir, endsWithProcess: true }, console.error);
}
