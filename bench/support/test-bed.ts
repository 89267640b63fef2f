import { connectDatabase, type Database } from '../../src/db/connect.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { randomIds } from '../../src/lib/ids.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { type Child, startChild } from './child.ts';

/** The base of every measurement: a real, durable PostgreSQL with an empty schema, and servers on loopback. */
export interface TestBed {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly apiKey: string;
  /** Of all made-up data. */
  readonly seed: number;
  /** Responses of the largest survey. */
  readonly many: number;
  /** A separate process of the server. Several may share the database. */
  api(environment?: Record<string, string>): Promise<Child>;
  bareExpress(): Promise<Child>;
  /** A collector without validation on the same database. `hasOurServer`: started with the HTTP server of Canvass. */
  minimalCollector(options: { hasOurServer: boolean }): Promise<Child>;
  /** Stops all processes and removes their files. */
  end(): Promise<void>;
}

const NO_LIMIT = '1000000000';

export interface TestBedOptions extends Pick<TestBed, 'seed' | 'many'> {
  /** What Node is started with besides, for profiles. */
  serverFlags: readonly string[];
}

export async function openTestBed({ seed, many, serverFlags }: TestBedOptions): Promise<TestBed> {
  const { folder, remove } = temporaryFolder('bench');
  const server = await startEmbedded({ dataDir: folder, database: 'canvass_bench', durable: true });
  const db = connectDatabase(server.url, 4);
  await migrateDatabase(db);
  const apiKey = `cvs_${randomIds.token(48)}`;
  const children: Child[] = [];
  const started = async (child: Promise<Child>) => {
    children.push(await child);
    return child;
  };
  return {
    databaseUrl: server.url,
    db,
    apiKey,
    seed,
    many,
    api: (environment = {}) =>
      started(
        startChild(
          'server.ts',
          {
            NODE_ENV: 'production',
            DATABASE_URL: server.url,
            ADMIN_API_KEY: apiKey,
            SEED_DEMO: 'false',
            BCRYPT_COST: '4',
            LOG_LEVEL: 'warn',
            RATE_LIMIT_GENERAL: NO_LIMIT,
            RATE_LIMIT_AUTH: NO_LIMIT,
            RATE_LIMIT_PUBLIC: NO_LIMIT,
            RATE_LIMIT_UPLOAD: NO_LIMIT,
            ...environment,
          },
          ['--expose-gc', ...serverFlags],
        ),
      ),
    bareExpress: () => started(startChild('bare-express.ts', { NODE_ENV: 'production' })),
    minimalCollector: ({ hasOurServer }) =>
      started(
        startChild('minimal-collector.ts', {
          NODE_ENV: 'production',
          DATABASE_URL: server.url,
          CANVASS_HTTP_SERVER: String(hasOurServer),
        }),
      ),
    async end() {
      await Promise.all(children.map((child) => child.end()));
      await db.destroy();
      await server.stop();
      remove();
    },
  };
}
