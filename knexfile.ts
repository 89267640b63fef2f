import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import { readConfig } from './src/config.ts';
import { connectDatabase, poolConfig } from './src/db/connect.ts';
import { MIGRATION_SETTINGS, prepareMigrations } from './src/db/migrate.ts';
import { openServerForCommand } from './src/db/open-server.ts';
import { StartError } from './src/lib/errors.ts';

/**
 * The configuration of Knex's command line: it works on the database that the server uses (DATABASE_URL, or the embedded one of DATA_DIR,
 * whether the server is running or not), with the same record of migrations, time limits and lock.
 */
export default async function knexConfig(): Promise<Knex.Config> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    const server = await openServerForCommand(readConfig(process.env));
    await holdMigrationLock(server.url);
    return {
      ...poolConfig(server.url, 2),
      // Commands print what they do with these.
      log: {},
      migrations: MIGRATION_SETTINGS,
      seeds: { directory: fileURLToPath(new URL('seeds', import.meta.url)), loadExtensions: ['.ts'] },
    };
  } catch (error) {
    // Knex prints the stack of what fails here.
    if (error instanceof StartError) error.stack = error.message;
    throw error;
  }
}

/** Waits for other processes that migrate, and holds them off until this process ends and its connection with it. */
async function holdMigrationLock(url: string): Promise<void> {
  const db = connectDatabase(url, 2);
  const holder = await db.transaction();
  await prepareMigrations(db, holder);
}
