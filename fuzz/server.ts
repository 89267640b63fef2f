/**
 * The product as `npm start` runs it, without the demo, on the database of the fuzzer. Over the process channel it tells how it bears
 * up: `stalled` the longest stall since that was asked last, `overall` how it was in all.
 */
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createContainer } from '../src/container.ts';
import { connectDatabase } from '../src/db/connect.ts';
import { createExpressServer, listenOnPort, stopGracefully } from '../src/http/http-server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { randomIds } from '../src/lib/ids.ts';
import { createLog } from '../src/lib/log.ts';
import { EventLoopMonitor } from './support/event-loop-monitor.ts';

const config = readConfig(process.env);
const db = connectDatabase(config.databaseUrl!, config.databasePoolSize);
const container = createContainer({
  config,
  db,
  log: createLog(config.logLevel),
  clock: systemClock,
  ids: randomIds,
  jwtSecret: config.jwtSecret!,
});
const loop = new EventLoopMonitor({ byProcessorTime: true });

process.on('message', (message) => {
  const pending = message === 'stalled' ? loop.stalledMs() : loop.overall();
  void pending.then((answer) => process.send?.(answer));
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
