import { startEmbedded, type EmbeddedServer } from './embedded/embedded-server.ts';

/** The database server to work on: the given one, or the embedded one, which this process then runs. */
export async function openServer(
  where: { databaseUrl: string | null; dataDir: string },
  report: (message: string) => void,
): Promise<EmbeddedServer> {
  if (where.databaseUrl === null) return startEmbedded({ dataDir: where.dataDir, report });
  return { url: where.databaseUrl, notes: [], stop: () => Promise.resolve() };
}
