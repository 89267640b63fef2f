import type { AddressInfo } from 'node:net';
import { createExpressServer } from '../../src/http/http-server.ts';
import { appOn, type TestApp } from '../../test/support/app.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { SECRET_SETTINGS } from '../checks/planted.ts';
import { type LoopMeasurement, EventLoopMonitor } from './event-loop-monitor.ts';

/** The target of the fuzzer: a listening application and its database. */
export interface FuzzTarget {
  readonly origin: string;
  /** On the same database in this process, to make worlds with and to run jobs. */
  readonly test: TestApp;
  readonly strain: LoopMeasurement;
  /** Returns the log since the last call. */
  readonly logged: () => string;
  readonly isAlive: () => boolean;
  readonly end: () => Promise<void>;
}

/** Settings of both kinds of ground; JWT_SECRET is handed in otherwise in this process. */
export const SETTINGS: Readonly<Record<string, string>> = {
  METRICS_TOKEN: SECRET_SETTINGS.METRICS_TOKEN,
  STRIPE_SECRET_KEY: SECRET_SETTINGS.STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET: SECRET_SETTINGS.STRIPE_WEBHOOK_SECRET,
  // Nothing listens on this port.
  STRIPE_API_BASE: 'http://127.0.0.1:9',
};

/** The application in this very process. */
export async function startTargetInProcess(database: TestDatabase): Promise<FuzzTarget> {
  let lines = '';
  const bare = appOn(database, SETTINGS, { logLine: (line) => (lines += line) });
  const server = createExpressServer(bare.app);
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const strain = new EventLoopMonitor();
  return {
    origin,
    test: { ...bare, origin },
    strain,
    logged: () => {
      const all = lines;
      lines = '';
      return all;
    },
    isAlive: () => true,
    end: async () => {
      strain.end();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
