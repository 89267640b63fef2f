import { rm } from 'node:fs/promises';
import { connect } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { bundleFolder, bundlePrograms } from '../../test/support/bundle-programs.ts';
import { cloneDatabase } from '../../test/support/cloned-database.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { type Postgres, startPostgres } from './postgres.ts';

/** What scenarios share: a server with a migrated template, and the programs. */
export interface Ground {
  /** null: a server that is not ours to stop. */
  readonly postgres: Postgres | null;
  readonly templateUrl: string;
  /** The words after `node`; `migrates`: where it applies migrations, which are source. */
  readonly program: (name: 'main' | 'cli', migrates: boolean) => string[];
  /** May be called more than once. */
  end(): Promise<void>;
}

/** `databaseUrl` null: an embedded PostgreSQL of its own, gone afterwards. */
export async function openGround(databaseUrl: string | null): Promise<Ground> {
  const { folder, remove } = temporaryFolder('faults');
  const postgres = databaseUrl === null ? await startPostgres(folder) : null;
  const template = await cloneDatabase(postgres?.url ?? databaseUrl!, 'canvass_faults', true);
  const db = connect(template.url, 2);
  await migrate(db);
  await db.destroy();
  const ground = await groundOn(template.url, postgres);
  const end = async () => {
    if (postgres === null) await template.drop();
    await postgres?.stop();
    remove();
    await ground.end();
  };
  let ended: Promise<void> | null = null;
  return { ...ground, end: () => (ended ??= end()) };
}

/** On a template that is there already. */
export async function groundOn(templateUrl: string, postgres: Postgres | null = null): Promise<Ground> {
  const bundle = bundleFolder('faults');
  await bundlePrograms(bundle);
  return {
    postgres,
    templateUrl,
    program: (name, migrates) => [...(migrates ? ['--import', 'tsx'] : []), `${bundle}${name}.mjs`],
    end: () => rm(bundle, { recursive: true, force: true }),
  };
}
