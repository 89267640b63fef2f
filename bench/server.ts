/**
 * The product as `npm start` runs it, without the demo, on the database of the bench. Over the process channel it tells how it
 * bears up: `watch` begins to sample, `report` says what was seen since, `cpu` how much was used.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createContainer } from '../src/container.ts';
import { connectDatabase } from '../src/db/connect.ts';
import { createExpressServer, listenOnPort, stopGracefully } from '../src/http/http-server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { randomIds } from '../src/lib/ids.ts';
import { createLog } from '../src/lib/log.ts';
import { Store } from '../src/repositories/store.ts';

const SAMPLE_MS = 20;
const config = readConfig(process.env);
const db = connectDatabase(config.databaseUrl!, config.databasePoolSize);
const container = createContainer({
  config,
  db,
  log: createLog(config.logLevel),
  clock: systemClock,
  ids: randomIds,
  jwtSecret: randomIds.token(48),
});
await container.services.setup.firstStart(config.admin);

if (process.env.ONE_INSERT_PER_REQUEST === 'true') {
  // The baseline of group commit: one statement for each response.
  const { responses } = new Store(db).read;
  container.services.responseWriter.write = async (response) => (await responses.insertMany([response]))[0]!;
}

export interface Strain {
  /** Peak memory above the value at the start of the measurement. */
  memoryGrowthBytes: number;
  delayP99Ms: number;
  delayMaxMs: number;
}

const delay = monitorEventLoopDelay({ resolution: 5 });
let before = 0;
let most = 0;
let sampling: NodeJS.Timeout | null = null;

process.on('message', (message) => {
  if (message === 'cpu') {
    process.send?.(process.cpuUsage());
    return;
  }
  if (sampling !== null) clearInterval(sampling);
  if (message === 'watch') {
    globalThis.gc?.();
    before = most = process.memoryUsage.rss();
    sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), SAMPLE_MS);
    delay.reset();
    delay.enable();
    process.send?.('watching');
    return;
  }
  delay.disable();
  const strain: Strain = {
    memoryGrowthBytes: most - before,
    delayP99Ms: delay.percentile(99) / 1e6,
    delayMaxMs: delay.max / 1e6,
  };
  process.send?.(strain);
});

const http = createExpressServer(createApp(container));
const url = await listenOnPort(http, {
  host: '127.0.0.1',
  port: 0,
  keepAliveSeconds: config.keepAliveSeconds,
  onError: (error) => {
    throw error;
  },
});
process.send?.({ url });
process.once('SIGTERM', () => {
  void (async () => {
    await stopGracefully(http, 2_000);
    await container.services.responseWriter.drain();
    await db.destroy();
    process.exit(0);
  })();
});
