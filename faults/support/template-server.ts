import { connectDatabase } from '../../src/db/connect.ts';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { cloneDatabase } from '../../test/support/cloned-database.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { type Postgres, startPostgres } from './postgres.ts';

/** A server with a migrated template database, shared by scenarios. */
export interface TemplateServer {
  /** null: a server that scenarios must not stop. */
  readonly postgres: Postgres | null;
  readonly templateUrl: string;
  /** May be called more than once. */
  end(): Promise<void>;
}

/** `databaseUrl` null: a new embedded PostgreSQL, removed afterwards. */
export async function startTemplateServer(databaseUrl: string | null): Promise<TemplateServer> {
  const { folder, remove } = temporaryFolder('faults');
  const postgres = databaseUrl === null ? await startPostgres(folder) : null;
  const template = await cloneDatabase(postgres?.url ?? databaseUrl!, 'canvass_faults', true);
  const db = connectDatabase(template.url, 2);
  await migrateDatabase(db);
  await db.destroy();
  const end = async () => {
    if (postgres === null) await template.drop();
    await postgres?.stop();
    remove();
  };
  let ended: Promise<void> | null = null;
  return { ...templateServerOn(template.url, postgres), end: () => (ended ??= end()) };
}

/** Uses an existing template database. */
export function templateServerOn(templateUrl: string, postgres: Postgres | null = null): TemplateServer {
  return {
    postgres,
    templateUrl,
    end: () => Promise.resolve(),
  };
}
