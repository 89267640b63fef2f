import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, readConfig, withPort } from './config.ts';
import { createApp } from './app.ts';
import { createContainer, filesFolderOf } from './container.ts';
import { formatErrorForLog } from './http/problem.ts';
import { connectDatabase } from './db/connect.ts';
import {
  createExpressServer,
  findFreePort,
  listenOnPort,
  stopGracefully,
  watchFileDescriptors,
} from './http/http-server.ts';
import { openServer } from './db/open-server.ts';
import { migrateDatabase } from './db/migrate.ts';
import { createScheduledTasks, startScheduledTasks } from './jobs/scheduled-tasks.ts';
import { systemClock } from './lib/clock.ts';
import { StartError } from './lib/errors.ts';
import { randomIds } from './lib/ids.ts';
import { createLog, flushLog } from './lib/log.ts';
import { removeAbandonedFolders } from './lib/temporary-folder.ts';
import { removeAbandonedFiles } from './providers/files/disk-storage.ts';
import { loadJwtSecret } from './lib/secrets.ts';
import { toStartError, startupMessage } from './startup.ts';

/** Limit for running requests and jobs to finish after a stop signal. */
const STOP_TIMEOUT_MS = 8_000;
/** Limit for the whole shutdown, because the database may not reply. */
const SHUTDOWN_TIMEOUT_MS = 12_000;
/** Limit for writing the last log lines, because their reader may not read. */
const LOG_TIMEOUT_MS = 1_000;

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  try {
    // Before the first administrator exists, whose password and link are printed only once, after the start.
    await serve(withPort(config, await findFreePort(config.host, config.port)));
  } catch (error) {
    throw toStartError(error, config);
  }
}

/** Opens the database, builds the application and listens; a stop signal closes them in reverse order. */
async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  for (const folder of await removeAbandonedFolders())
    log.info({ folder }, 'removed a temporary folder that a killed process left behind');
  if (config.s3 === null)
    for (const file of await removeAbandonedFiles(filesFolderOf(config.dataDir)))
      log.info({ file }, 'removed the unfinished file of a killed process');
  const server = await openServer(config, (message) => log.warn(message));
  try {
    const db = connectDatabase(server.url, config.databasePoolSize);
    await migrateDatabase(db);
    const container = createContainer({
      config,
      db,
      log,
      clock: systemClock,
      ids: randomIds,
      jwtSecret: config.jwtSecret ?? loadJwtSecret(config.dataDir),
    });
    const firstAdministrator = await container.services.setup.firstStart(config.admin);
    if (config.seedDemo && firstAdministrator !== null)
      await container.demo.load({ ...firstAdministrator, role: 'owner' });
    const demoLinkToken = await container.demo.linkToken();
    const demoDashboardPath = await container.demo.dashboardPath();
    const http = createExpressServer(createApp(container), (refused) =>
      log.info(refused, 'rejected a malformed HTTP request'),
    );
    const address = await listenOnPort(http, {
      host: config.host,
      port: config.port,
      keepAliveSeconds: config.keepAliveSeconds,
      onError: (error) => log.error({ error: formatErrorForLog(error) }, 'could not accept a connection'),
    });
    watchFileDescriptors((isExhausted) => {
      if (isExhausted)
        log.error('no file descriptor is free: new connections are closed; raise the limit (ulimit -n)');
      else log.info('file descriptors are free again');
    });
    let isStopping = false;
    const stopTasks = startScheduledTasks(createScheduledTasks(container.services), (task, error) => {
      // Shutdown closes the database connections, which interrupts running tasks; they run again at the next start.
      if (isStopping) log.debug({ task }, 'scheduled task interrupted by shutdown');
      else log.error({ task, error: formatErrorForLog(error) }, 'scheduled task failed');
    });
    container.heartbeat.start();
    container.jobWorker.start();
    container.replicas?.startHealthChecks();

    const stop = async (signal: string) => {
      isStopping = true;
      stopTasks();
      log.info({ signal }, 'stopping');
      container.jobSignals.close();
      const finishing = Promise.all([
        stopGracefully(http, STOP_TIMEOUT_MS),
        container.jobWorker.stop(STOP_TIMEOUT_MS),
      ])
        .then(() => container.services.responseWriter.drain())
        .then(() => container.services.failedLogins.drain())
        .catch((error: unknown) =>
          log.error({ error: formatErrorForLog(error) }, 'shutdown interrupted unfinished work'),
        )
        .then(() => {
          container.heartbeat.stop();
          return Promise.all([container.replicas?.close(), db.destroy()]);
        });
      const isClosed = await Promise.race([
        finishing.then(() => true),
        sleep(SHUTDOWN_TIMEOUT_MS, false, { ref: false }),
      ]);
      if (!isClosed) log.error('the database did not reply in time; exiting without closing its connections');
      container.mail?.close();
      container.sharedCounters?.close();
      await server.stop();
      container.requestLog.writeOmitted();
      await Promise.race([flushLog(log), sleep(LOG_TIMEOUT_MS, null, { ref: false })]);
      process.exit(0);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));
    // Printed last: a process manager may stop the server as soon as it reads this.
    process.stdout.write(
      startupMessage({
        baseUrl: config.publicUrl ?? address,
        notes: server.notes,
        firstAdministrator,
        demoLinkToken,
        demoDashboardPath,
      }),
    );
  } catch (error) {
    await server.stop();
    throw error;
  }
}

main().catch((error: unknown) => {
  // An operator can fix a StartError, so its message is printed without a stack.
  console.error(error instanceof StartError ? `\nCanvass cannot start: ${error.message}\n` : error);
  process.exit(1);
});
