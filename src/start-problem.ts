import type { Config } from './config.ts';
import { isDatabaseUnavailable } from './db/errors.ts';
import { StartError } from './lib/errors.ts';
import { fullDiskAtStart, isDatabaseFull, isStorageFull } from './lib/storage-full.ts';

/** A StartError that says what to do, for what an operator can mend; any other error is returned as it is. */
export function toStartError(
  error: unknown,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): unknown {
  if (error instanceof StartError) return error;
  const server = databaseUrl === null ? `the embedded database in ${dataDir}` : hostOf(databaseUrl);
  if (isStorageFull(error))
    return fullDiskAtStart(isDatabaseFull(error) ? server : ((error as { path?: string }).path ?? dataDir));
  if (isDatabaseUnavailable(error))
    return new StartError(
      `The database does not reply: ${server}. Check that it runs and can be reached from here, and DATABASE_URL.`,
    );
  return error;
}

/** Without the password. */
function hostOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `the database server ${host}${pathname}`;
}
