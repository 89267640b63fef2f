import path from 'node:path';
import { connect } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Bundle, bundlePrograms, PRODUCT } from '../../test/support/bundle-programs.ts';
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

/** `databaseUrl` null: an embedded PostgreSQL of its own, gone afterwards; `programs` null: programs of its own, too. */
export async function openGround(
  databaseUrl: string | null,
  programs: Bundle | null = null,
): Promise<Ground> {
  const { folder, remove } = temporaryFolder('faults');
  const postgres = databaseUrl === null ? await startPostgres(folder) : null;
  const template = await cloneDatabase(postgres?.url ?? databaseUrl!, 'canvass_faults', true);
  const db = connect(template.url, 2);
  await migrate(db);
  await db.destroy();
  const own = programs ?? (await bundlePrograms(PRODUCT));
  const end = async () => {
    if (postgres === null) await template.drop();
    await postgres?.stop();
    remove();
    if (programs === null) await own.remove();
  };
  let ended: Promise<void> | null = null;
  return { ...groundOn(template.url, own, postgres), end: () => (ended ??= end()) };
}

/** On a template that is there already, with programs that are. */
export function groundOn(templateUrl: string, { folder }: Bundle, postgres: Postgres | null = null): Ground {
  return {
    postgres,
    templateUrl,
    program: (name, migrates) => [...(migrates ? ['--import', 'tsx'] : []), path.join(folder, `${name}.mjs`)],
    end: () => Promise.resolve(),
  };
}
