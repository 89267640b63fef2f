import type { TestProject } from 'vitest/node';
import { connectDatabase } from '../../src/db/connect.ts';
import { distributeWithCitus } from '../../src/db/distribution/citus.ts';
import { repartitionResponses } from '../../src/db/distribution/partitions.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { migrateDatabase } from '../../src/db/migrate.ts';
import {
  closeClusterDatabase,
  createClusterDatabase,
  dropClusterDatabase,
  onCitus,
} from './citus-cluster.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Few, because each test file clones them; enough that both workers have several. */
const SHARDS = 4;

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's address with the template database that every test file's own database is cloned from. */
    templateUrl: string;
  }
}

const CITUS_TEMPLATE = 'canvass_template';

/**
 * Databases of tests are too short-lived to need vacuuming, which delays cloning and dropping them. Each of these searches all shared
 * buffers, so there are few.
 */
const TEST_SETTINGS = { autovacuum: 'off', shared_buffers: '64MB' };

/**
 * Starts one PostgreSQL server for the run and removes it afterwards. `PARTITIONS=8` splits the response tables into 8 partitions;
 * `CITUS_URL` uses the cluster there and distributes them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (onCitus) return setUpOnCitus(project);
  const { folder, remove } = temporaryFolder('test');
  const server = await startEmbedded({
    dataDir: folder,
    database: 'canvass_template',
    durable: false,
    settings: TEST_SETTINGS,
  });
  const db = connectDatabase(server.url, 3);
  await migrateDatabase(db);
  const partitions = Number(process.env.PARTITIONS ?? 0);
  if (partitions > 0) await repartitionResponses(db, partitions);
  await db.destroy();
  project.provide('templateUrl', server.url);
  return async () => {
    await server.stop();
    remove();
  };
}

async function setUpOnCitus(project: TestProject): Promise<() => Promise<void>> {
  const url = await createClusterDatabase(CITUS_TEMPLATE);
  const db = connectDatabase(url, 3);
  await migrateDatabase(db);
  await distributeWithCitus(db, SHARDS, () => undefined);
  await db.destroy();
  await closeClusterDatabase(CITUS_TEMPLATE);
  project.provide('templateUrl', url);
  return () => dropClusterDatabase(CITUS_TEMPLATE);
}
