import path from 'node:path';
import type { Logger } from 'pino';
import { answeringMoments, BIG_FIVE_COLUMNS, BIG_FIVE_DASHBOARD } from '../seeds/demo/big-five-dashboard.ts';
import { BIG_FIVE_REPORT } from '../seeds/demo/big-five-report.ts';
import { BIG_FIVE_NAME, bigFiveResponses, bigFiveSurvey } from '../seeds/demo/big-five.ts';
import { cafeSurvey, cafeVisits } from '../seeds/demo/cafe-visits.ts';
import type { Config } from './config.ts';
import type { Database } from './db/connect.ts';
import { Heartbeat } from './db/heartbeat.ts';
import { readState } from './db/embedded/state-file.ts';
import { Notifications } from './db/notifications.ts';
import { StorageState } from './db/storage-state.ts';
import { Replicas } from './db/replicas.ts';
import { createJobKinds } from './jobs/kinds.ts';
import { JobWorker } from './jobs/worker.ts';
import { forLog } from './http/problem.ts';
import { systemClock } from './lib/clock.ts';
import { randomIds } from './lib/ids.ts';
import { createLog } from './lib/log.ts';
import { loadJwtSecret } from './lib/secrets-file.ts';
import { inProcessCounters } from './lib/window-counter.ts';
import type { DiskUse } from './http/define-route.ts';
import { RedisCounters } from './providers/counters/redis-counters.ts';
import { DiskStorage } from './providers/files/disk-storage.ts';
import { FreeSpace } from './providers/files/free-space.ts';
import { S3Storage } from './providers/files/s3-storage.ts';
import { OpenAiModel } from './providers/language/openai-model.ts';
import type { MailSender } from './providers/mail/mail-sender.ts';
import { SmtpMail } from './providers/mail/smtp-mail.ts';
import { StripePayment } from './providers/payment/stripe-payment.ts';
import { IdempotentRequests } from './repositories/idempotent-requests.ts';
import { JobSignals, JOBS_CHANNEL } from './repositories/job-signals.ts';
import { Store } from './repositories/store.ts';
import { type Dependencies, createSharedServices } from './services/shared-services.ts';
import { createServices, type Services } from './services/services.ts';
import { DemoService } from './services/system/demo.ts';

/** What everything is made from. */
export interface Ingredients extends Pick<Dependencies, 'config' | 'clock' | 'ids' | 'jwtSecret'> {
  db: Database;
  log: Logger;
}

export interface Container extends Ingredients {
  services: Services;
  demo: DemoService;
  /** To be started before requests are served, and stopped just before the database is closed. */
  heartbeat: Heartbeat;
  storageState: StorageState;
  /** To be started when the rest stands, and stopped with it. */
  jobWorker: JobWorker;
  /** null: no mail goes out. To be closed last. */
  mail: MailSender | null;
  /** null: each process counts for itself. To be closed last. */
  sharedCounters: RedisCounters | null;
  /** To be closed first: whoever waits for a job is let go. */
  jobSignals: JobSignals;
  idempotency: IdempotentRequests;
  freeSpace: Record<DiskUse, FreeSpace>;
  /** null: the database is the only one that is read. To be watched when the rest stands, and closed before the database. */
  replicas: Replicas | null;
}

/** The composition root: database and outside things; the services on them are made by each family's `services.ts`. */
export function createContainer(ingredients: Ingredients): Container {
  const { config, db, log, clock, ids, jwtSecret } = ingredients;
  const replicas = createReplicas(config, db, log);
  const store = new Store(db, replicas);
  const storageState = new StorageState(db);
  const heartbeat = new Heartbeat(db, (isSilent) => {
    if (isSilent) log.error('the database does not reply; its connections are closed');
    else log.warn('the database replies again');
  });
  const jobSignals = new JobSignals(new Notifications(db, JOBS_CHANNEL));
  const freeSpace = createFreeSpace(config);
  const storage =
    config.s3 === null
      ? new DiskStorage(path.join(config.dataDir, 'files'), freeSpace.files)
      : new S3Storage(config.s3);
  const mail =
    config.smtp === null ? null : new SmtpMail(config.smtp.url, config.smtp.from, config.mailLimits);
  const languageModel = config.openAi === null ? null : new OpenAiModel(config.openAi);
  const payment = config.stripe === null ? null : new StripePayment(config.stripe);
  const redisCounters = createSharedCounters(config, log);
  const services = createServices(
    createSharedServices({
      config,
      store,
      heartbeat,
      storageState,
      storage,
      jobSignals,
      mail,
      languageModel,
      payment,
      clock,
      ids,
      counters: redisCounters?.counters ?? inProcessCounters,
      reportFailure: (what, error) => log.error({ error: forLog(error) }, what),
      jwtSecret,
    }),
  );
  return {
    ...ingredients,
    services,
    heartbeat,
    storageState,
    demo: new DemoService(
      store,
      services,
      {
        name: BIG_FIVE_NAME,
        survey: bigFiveSurvey,
        responses: bigFiveResponses,
        moments: answeringMoments,
        withTexts: { survey: cafeSurvey, responses: cafeVisits },
        columns: BIG_FIVE_COLUMNS,
        dashboard: BIG_FIVE_DASHBOARD,
        report: BIG_FIVE_REPORT,
      },
      clock,
    ),
    jobWorker: new JobWorker({
      store,
      signals: jobSignals,
      log,
      ids,
      kinds: createJobKinds(services),
      concurrency: config.jobConcurrency,
    }),
    mail,
    sharedCounters: redisCounters,
    jobSignals,
    idempotency: new IdempotentRequests(store),
    freeSpace,
    replicas,
  };
}

/**
 * The container of a command that works on the database, such as a command of cli.ts or a Knex seed: without replicas and shared counters,
 * because it serves no requests.
 */
export function createCommandContainer(config: Config, db: Database): Container {
  return createContainer({
    config: { ...config, redisUrl: null, databaseReplicaUrls: [] },
    db,
    log: createLog(config.logLevel),
    clock: systemClock,
    ids: randomIds,
    jwtSecret: config.jwtSecret ?? loadJwtSecret(config.dataDir),
  });
}

/** Answers are taken until only this part of the floor is free: they are small, and the database needs the rest to recover. */
const RESPONSE_FLOOR_SHARE = 0.2;

/** The disks that this process and its embedded database write to. */
function createFreeSpace({
  databaseUrl,
  dataDir,
  s3,
  diskFreeFloorBytes: floor,
}: Ingredients['config']): Container['freeSpace'] {
  const databaseFolders = async () =>
    databaseUrl === null ? [(await readState(dataDir))?.home ?? dataDir] : [];
  const allFolders = async () => [...(s3 === null ? [dataDir] : []), ...(await databaseFolders())];
  return {
    files: new FreeSpace(allFolders, floor),
    answers: new FreeSpace(databaseFolders, floor * RESPONSE_FLOOR_SHARE),
  };
}

function createReplicas(config: Ingredients['config'], db: Database, log: Logger): Replicas | null {
  const { databaseReplicaUrls: urls, databasePoolSize } = config;
  if (urls.length === 0) return null;
  return new Replicas(db, urls, databasePoolSize, (replica, trouble) => {
    if (trouble === null) log.info({ replica }, 'the replica is read from again');
    else log.warn({ replica, trouble }, 'the replica is passed over: the database itself is read');
  });
}

function createSharedCounters({ redisUrl }: Ingredients['config'], log: Logger): RedisCounters | null {
  if (redisUrl === null) return null;
  return new RedisCounters(redisUrl, inProcessCounters, (isAway, error) => {
    if (isAway)
      log.warn(
        { error: error?.message },
        'Redis cannot be reached: limits are counted by this process alone',
      );
    else log.info('Redis counts limits again');
  });
}
