import type { Config } from './config.ts';
import { isDatabaseUnavailable } from './db/errors.ts';
import { StartError } from './lib/errors.ts';
import { diskFullStartError, isDatabaseFull, isStorageFull } from './lib/storage-full.ts';

/** Returns a StartError with instructions for a problem that an operator can fix; returns any other error unchanged. */
export function toStartError(
  error: unknown,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): unknown {
  if (error instanceof StartError) return error;
  const server = databaseUrl === null ? `the embedded database in ${dataDir}` : hostOf(databaseUrl);
  if (isStorageFull(error))
    return diskFullStartError(
      isDatabaseFull(error) ? server : ((error as { path?: string }).path ?? dataDir),
    );
  if (isDatabaseUnavailable(error))
    return new StartError(
      `The database does not reply: ${server}. Check DATABASE_URL, and that the database is running and reachable.`,
    );
  return error;
}

/** Leaves out the password. */
function hostOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `the database server ${host}${pathname}`;
}
