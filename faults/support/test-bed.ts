import { type ChildProcess, execFile } from 'node:child_process';
import path from 'node:path';
import { randomNumbers } from '../../src/lib/seeded-random.ts';
import { connectDatabase, type Database } from '../../src/db/connect.ts';
import { randomIds } from '../../src/lib/ids.ts';
import { builtProgramArgs } from '../../test/support/built-program.ts';
import { cloneDatabase } from '../../test/support/cloned-database.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { ApiProcess } from './api-process.ts';
import type { TemplateServer } from './template-server.ts';
import type { Postgres } from './postgres.ts';

const NO_LIMIT = '1000000000';
const STOP_WITHIN_MS = 15_000;

/** The result of a command. */
export interface CommandResult {
  /** null: the process was killed. */
  code: number | null;
  output: string;
}

/** The environment of a scenario: a separate database and server processes on it. */
export interface TestBed {
  readonly isShort: boolean;
  /** A random number; the same sequence for the same seed. */
  readonly random: () => number;
  readonly databaseUrl: string;
  readonly db: Database;
  readonly apiKey: string;
  readonly metricsToken: string;
  readonly postgres: Postgres | null;
  /** A folder for the scenario's files, removed afterwards. */
  readonly folder: string;
  /** Starts a process. Several share the database and the files. `limit`: options of `ulimit`, such as `-n 64`. */
  api(environment?: Record<string, string>, limit?: string): Promise<ApiProcess>;
  /** Starts several processes at the same time. */
  apis(count: number): Promise<ApiProcess[]>;
  /** Starts several processes on a database without a schema. */
  apisOnEmpty(count: number, databaseUrl: string): Promise<ApiProcess[]>;
  /** Creates a database on the same server: `migrated` with the schema, otherwise empty. */
  database(how: 'empty' | 'migrated'): Promise<string>;
  /**
   * Runs a command of the command line. `killAfterMs`: kills it if it is still running. `databaseUrl` null: the embedded server of
   * `dataDir`.
   */
  cli(
    words: readonly string[],
    where?: {
      databaseUrl?: string | null;
      dataDir?: string;
      killAfterMs?: number;
      onStart?: (child: ChildProcess) => void;
    },
  ): Promise<CommandResult>;
  /** Returns the unexpected log lines of all processes. */
  describeUnexpectedLogs(): string[];
  /** Registers clean-up that runs at the end, even if the scenario fails. */
  atEnd(work: () => Promise<unknown>): void;
  /** May be called more than once. */
  end(): Promise<void>;
}

export async function openTestBed(
  templateServer: TemplateServer,
  seed: number,
  isShort: boolean,
): Promise<TestBed> {
  const { folder, remove } = temporaryFolder('faults');
  const databases = [await cloneDatabase(templateServer.templateUrl, 'faults')];
  const databaseUrl = databases[0]!.url;
  const db = connectDatabase(databaseUrl, 4);
  const apiKey = `cvs_${randomIds.token(48)}`;
  const metricsToken = randomIds.token(32);
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    DATA_DIR: path.join(folder, 'data'),
    JWT_SECRET: `of-the-harness-${randomIds.token(48)}`,
    BCRYPT_COST: '4',
  };
  const processes: ApiProcess[] = [];
  const cleanUps: (() => Promise<unknown>)[] = [];
  const startProcess = (environment: Record<string, string>, limit?: string): Promise<ApiProcess> => {
    const process = new ApiProcess(
      {
        ...settings,
        PORT: '0',
        ADMIN_API_KEY: apiKey,
        ADMIN_PASSWORD: 'a password of the harness',
        METRICS_TOKEN: metricsToken,
        SEED_DEMO: 'false',
        LOG_LEVEL: 'warn',
        RATE_LIMIT_GENERAL: NO_LIMIT,
        RATE_LIMIT_AUTH: NO_LIMIT,
        RATE_LIMIT_PUBLIC: NO_LIMIT,
        RATE_LIMIT_UPLOAD: NO_LIMIT,
        ...environment,
      },
      builtProgramArgs('main'),
      limit,
    );
    processes.push(process);
    return process.started();
  };
  const end = async () => {
    await templateServer.postgres?.start();
    for (const work of cleanUps) await work();
    await Promise.all(processes.map((process) => process.stop(STOP_WITHIN_MS)));
    await db.destroy();
    for (const database of databases) await database.drop();
    remove();
  };
  let ended: Promise<void> | null = null;
  return {
    isShort,
    random: randomNumbers(seed),
    databaseUrl,
    db,
    apiKey,
    metricsToken,
    postgres: templateServer.postgres,
    folder,
    api: (environment = {}, limit) => startProcess(environment, limit),
    apis: (count) => Promise.all(Array.from({ length: count }, () => startProcess({}))),
    apisOnEmpty: (count, url) =>
      Promise.all(Array.from({ length: count }, () => startProcess({ DATABASE_URL: url }))),
    async database(how) {
      const clone = await cloneDatabase(templateServer.templateUrl, 'faults', how === 'empty');
      databases.push(clone);
      return clone.url;
    },
    cli: (
      words,
      { databaseUrl: otherUrl = databaseUrl, dataDir = settings.DATA_DIR, killAfterMs, onStart } = {},
    ) =>
      runCommand(
        [...builtProgramArgs('cli'), ...words],
        {
          ...settings,
          DATABASE_URL: otherUrl ?? '',
          DATA_DIR: dataDir,
        },
        killAfterMs,
        onStart,
      ),
    describeUnexpectedLogs: () => processes.flatMap((process) => process.describeUnexpectedLogs()),
    atEnd: (work) => cleanUps.push(work),
    end: () => (ended ??= end()),
  };
}

function runCommand(
  words: readonly string[],
  settings: Record<string, string>,
  killAfterMs?: number,
  onStart?: (child: ChildProcess) => void,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      words,
      { env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings } },
      (_error, stdout, stderr) => {
        clearTimeout(timer);
        resolve({ code: child.exitCode, output: stdout + stderr });
      },
    );
    onStart?.(child);
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  });
}
