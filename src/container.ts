import os from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import {
  createResponseTimes,
  BIG_FIVE_COLUMNS,
  BIG_FIVE_DASHBOARD,
} from '../seeds/demo/big-five-dashboard.ts';
import { BIG_FIVE_REPORT } from '../seeds/demo/big-five-report.ts';
import { BIG_FIVE_NAME, bigFiveResponses, bigFiveSurvey } from '../seeds/demo/big-five.ts';
import { cafeSurvey, cafeVisits } from '../seeds/demo/cafe-visits.ts';
import { CONCEPT_TEST_RESPONSES, conceptPictures, conceptTest } from '../seeds/demo/concept-test.ts';
import type { Config } from './config.ts';
import type { Database } from './db/connect.ts';
import { Heartbeat, StorageState } from './db/availability.ts';
import { readState } from './db/embedded/cluster-directory.ts';
import { Notifications } from './db/notifications.ts';
import { Replicas } from './db/replicas.ts';
import { createJobKinds } from './jobs/job-kinds.ts';
import { JobWorker } from './jobs/worker.ts';
import { formatErrorForLog } from './http/problem.ts';
import { systemClock } from './lib/clock.ts';
import { randomIds } from './lib/ids.ts';
import { createLog } from './lib/log.ts';
import { RequesterLabels } from './lib/requester-labels.ts';
import { loadJwtSecret } from './lib/secrets.ts';
import { inProcessCounters } from './lib/window-counter.ts';
import type { DiskUse } from './http/define-route.ts';
import { RequestLog } from './middleware/request-log.ts';
import { RedisCounters } from './providers/redis-counters.ts';
import { DiskStorage, FreeSpace } from './providers/files/disk-storage.ts';
import { S3Storage } from './providers/files/s3-storage.ts';
import { OpenAiModel } from './providers/language/openai-model.ts';
import { SmtpMail } from './providers/mail/smtp-mail.ts';
import { WatchedMail } from './providers/mail/watched-mail.ts';
import { StripePayment } from './providers/stripe-payment.ts';
import { IdempotentRequests } from './repositories/idempotent-requests.ts';
import { JobSignals, JOBS_CHANNEL } from './repositories/jobs.ts';
import { SurveySignals, SURVEYS_CHANNEL } from './repositories/survey-signals.ts';
import { Store } from './repositories/store.ts';
import { createSharedServices, type Dependencies } from './services/shared-services.ts';
import { createServices, type Services } from './services/services.ts';
import { DemoService } from './services/system/demo.ts';

/** What the container is built from. */
export interface ContainerOptions extends Pick<Dependencies, 'config' | 'clock' | 'ids' | 'jwtSecret'> {
  db: Database;
  log: Logger;
}

export interface Container extends ContainerOptions {
  services: Services;
  demo: DemoService;
  /** Start it before serving requests; stop it just before closing the database. */
  heartbeat: Heartbeat;
  storageState: StorageState;
  /** Start it after everything else; stop it together with the HTTP server. */
  jobWorker: JobWorker;
  /** null: no mail is sent. Close it last. */
  mail: WatchedMail | null;
  /** null: each process counts rate limits separately. Close it last. */
  sharedCounters: RedisCounters | null;
  /** Writes a line per request. Let it write its counts after the last one. */
  requestLog: RequestLog;
  /** The names of networks and users in the request log. */
  requesterLabels: RequesterLabels;
  /** Close it first: this ends the requests that wait for a job. */
  jobSignals: JobSignals;
  idempotency: IdempotentRequests;
  freeSpace: Record<DiskUse | 'temporary', FreeSpace>;
  /** null: all reads go to the primary database. Watch them after everything else has started; close them before the database. */
  replicas: Replicas | null;
}

/** The composition root: creates repositories, providers and services (`services/services.ts`). */
export function createContainer(options: ContainerOptions): Container {
  const { config, db, log, clock, ids, jwtSecret } = options;
  const requesterLabels = new RequesterLabels(config.logRequester, jwtSecret);
  const replicas = createReplicas(config, db, log);
  const store = new Store(db, replicas);
  const storageState = new StorageState(db);
  const heartbeat = new Heartbeat(db, (isSilent) => {
    if (isSilent) log.error('the database does not reply; its connections are closed');
    else log.warn('the database replies again');
  });
  const jobSignals = new JobSignals(new Notifications(db, JOBS_CHANNEL));
  const surveySignals = new SurveySignals(new Notifications(db, SURVEYS_CHANNEL), jobSignals.closed);
  const freeSpace = createFreeSpace(config);
  const storage =
    config.s3 === null
      ? new DiskStorage(filesFolderOf(config.dataDir), freeSpace.files)
      : new S3Storage(config.s3);
  const mail = createMail(config, log);
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
      surveySignals,
      mail,
      languageModel,
      payment,
      clock,
      ids,
      counters: redisCounters?.counters ?? inProcessCounters,
      reportFailure: (what, error) => log.error({ error: formatErrorForLog(error) }, what),
      jwtSecret,
    }),
  );
  return {
    ...options,
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
        moments: createResponseTimes,
        withTexts: { survey: cafeSurvey, responses: cafeVisits },
        experiment: {
          survey: conceptTest,
          pictures: conceptPictures,
          testResponses: CONCEPT_TEST_RESPONSES,
        },
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
    requestLog: new RequestLog(log, requesterLabels, clock),
    requesterLabels,
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

/** Responses are accepted until only this share of the floor is free: they are small, and the database needs the rest to recover. */
const RESPONSE_FLOOR_SHARE = 0.2;

/** A temporary folder is often a small disk of its own (tmpfs): at most this share of it is kept free. */
const TEMPORARY_FLOOR_SHARE = 0.1;

/** The disks that this process and its embedded database write to. Each folder may be a disk of its own. */
function createFreeSpace({
  databaseUrl,
  dataDir,
  s3,
  diskFreeFloorBytes,
}: ContainerOptions['config']): Container['freeSpace'] {
  const databaseFolders = async () =>
    databaseUrl === null ? [{ path: (await readState(dataDir))?.home ?? dataDir }] : [];
  const fileFolders = s3 === null ? [{ path: dataDir }, { path: filesFolderOf(dataDir) }] : [];
  const temporary = { path: os.tmpdir(), floorShare: TEMPORARY_FLOOR_SHARE };
  return {
    files: new FreeSpace(
      async () => [...fileFolders, temporary, ...(await databaseFolders())],
      diskFreeFloorBytes,
    ),
    answers: new FreeSpace(databaseFolders, diskFreeFloorBytes * RESPONSE_FLOOR_SHARE),
    temporary: new FreeSpace(() => Promise.resolve([temporary]), diskFreeFloorBytes),
  };
}

/** The folder of uploaded files and of the files of jobs. */
export const filesFolderOf = (dataDir: string): string => path.join(dataDir, 'files');

function createMail({ smtp, mailLimits }: ContainerOptions['config'], log: Logger): WatchedMail | null {
  if (smtp === null) return null;
  return new WatchedMail(new SmtpMail(smtp.url, smtp.from, mailLimits), (problem) => {
    if (problem === null) log.info('the mail server accepts emails again');
    else log.warn({ problem }, 'the mail server does not accept emails; they are sent later');
  });
}

function createReplicas(config: ContainerOptions['config'], db: Database, log: Logger): Replicas | null {
  const { databaseReplicaUrls, databasePoolSize } = config;
  if (databaseReplicaUrls.length === 0) return null;
  return new Replicas(db, databaseReplicaUrls, databasePoolSize, (replica, problem) => {
    if (problem === null) log.info({ replica }, 'the replica is available again');
    else log.warn({ replica, problem }, 'the replica is unavailable; reads go to the primary database');
  });
}

function createSharedCounters({ redisUrl }: ContainerOptions['config'], log: Logger): RedisCounters | null {
  if (redisUrl === null) return null;
  return new RedisCounters(redisUrl, inProcessCounters, (isAway, error) => {
    if (isAway)
      log.warn(
        { error: error?.message },
        'Redis cannot be reached; this process counts rate limits separately',
      );
    else log.info('Redis counts rate limits again');
  });
}
