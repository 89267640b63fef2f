import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { Express } from 'express';
import pino from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { type Container, createContainer } from '../../src/container.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { type Ids, randomIds } from '../../src/lib/ids.ts';
import { useDatabase, type TestDatabase } from './database.ts';
import { watchStatements } from './fan-out/watch-statements.ts';
import './describe-reply.ts';

export const TEST_SECRET = 'a-signing-key-that-only-tests-have-0123456789';

const DATA_DIR = path.join(os.tmpdir(), `canvass-test-${process.pid}`);
process.once('exit', () => rmSync(DATA_DIR, { recursive: true, force: true }));

/** Settings of every test: the cheapest hash, high limits except in tests about limits, and a separate folder for files. */
function testConfig(databaseUrl: string, overrides: Record<string, string> = {}): Config {
  return readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    DATA_DIR: path.join(DATA_DIR, new URL(databaseUrl).pathname),
    BCRYPT_COST: '4',
    RATE_LIMIT_GENERAL: '1000000',
    RATE_LIMIT_AUTH: '1000000',
    RATE_LIMIT_PUBLIC: '1000000',
    RATE_LIMIT_UPLOAD: '1000000',
    DISK_FREE_FLOOR_MB: '0',
    LOG_LEVEL: 'silent',
    ...overrides,
  });
}

export interface TestApp {
  readonly app: Express;
  /** The listening server, for many requests over one connection. Otherwise each request starts one. */
  readonly server?: Server;
  /** The URL of the application when it runs as a separate process, `http://127.0.0.1:…`. */
  readonly origin?: string;
  readonly container: Container;
  readonly database: TestDatabase;
}

/** Dependencies that a test may replace. */
export interface Substitutes {
  clock?: Clock;
  ids?: Ids;
  /** Receives every line of the log, from level `info` up. */
  logLine?: (line: string) => void;
}

/** Creates the application on an existing database, with other settings, another clock or a log to inspect. */
export function appOn(
  database: TestDatabase,
  settings: Record<string, string> = {},
  substitutes: Substitutes = {},
): TestApp {
  const { clock = systemClock, ids = randomIds, logLine } = substitutes;
  const container = createContainer({
    config: testConfig(database.url, settings),
    db: watchStatements(database.db),
    log: logLine === undefined ? pino({ level: 'silent' }) : pino({ level: 'info' }, { write: logLine }),
    clock,
    ids,
    jwtSecret: TEST_SECRET,
  });
  return { app: createApp(container), container, database };
}

type Settings = Record<string, string>;

/** Call at the top of a test file: the application on a new database. A function is called when tests begin. */
export function useApp(settings: Settings | (() => Settings) = {}): TestApp {
  const database = useDatabase();
  let created: (TestApp & { server: Server }) | null = null;
  const ready = () => {
    if (created === null) throw new Error('The application is there only while tests run');
    return created;
  };
  beforeAll(async () => {
    const bare = appOn(database, typeof settings === 'function' ? settings() : settings);
    const server = createServer(bare.app);
    // Keeps connections open between requests.
    server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    created = { ...bare, server };
  });
  afterAll(() => {
    created?.server.closeAllConnections();
    created?.server.close();
  });
  return {
    database,
    get app() {
      return ready().app;
    },
    get server() {
      return ready().server;
    },
    get container() {
      return ready().container;
    },
  };
}
