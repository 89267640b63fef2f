import path from 'node:path';
import type { Logger } from 'pino';
import { BIG_FIVE_NAME, bigFiveResponses, bigFiveSurvey } from '../seeds/big-five.ts';
import type { Config } from './config.ts';
import type { Database } from './db/connect.ts';
import { Notifications } from './db/notifications.ts';
import { responseExportJob } from './jobs/response-export.ts';
import { JobWorker } from './jobs/worker.ts';
import type { Clock } from './lib/clock.ts';
import type { Ids } from './lib/ids.ts';
import { DiskStorage } from './providers/files/disk-storage.ts';
import { S3Storage } from './providers/files/s3-storage.ts';
import { IdempotencyRepository } from './repositories/idempotency.ts';
import { JobSignals, JOBS_CHANNEL } from './repositories/job-signals.ts';
import { Store } from './repositories/store.ts';
import { AccessService } from './services/access.ts';
import { AddressHashes } from './services/address-hash.ts';
import { ApiKeyService } from './services/api-keys.ts';
import { AuthService } from './services/auth.ts';
import { CollectionQuality } from './services/collection-quality.ts';
import { CollectionService } from './services/collection.ts';
import { DataChanges } from './services/data-changes.ts';
import { CrosstabService } from './services/crosstabs.ts';
import { DataFileSurveyService } from './services/data-file-surveys.ts';
import { DatasetService } from './services/datasets.ts';
import { DraftDefinitions } from './services/draft-definitions.ts';
import { DemoService } from './services/demo.ts';
import { DerivedColumnService } from './services/derived-columns.ts';
import { Entrances } from './services/entrances.ts';
import { ExportFiles } from './services/export-files.ts';
import { FileSweep } from './services/file-sweep.ts';
import { FileUploadService } from './services/file-uploads.ts';
import { FindReplaceService } from './services/find-replace.ts';
import { HealthService } from './services/health.ts';
import { JobFiles } from './services/job-files.ts';
import { JobSweep } from './services/job-sweep.ts';
import { JobService } from './services/jobs.ts';
import { LinkService } from './services/links.ts';
import { OpenedMoments } from './services/opened-moments.ts';
import { Passwords } from './services/passwords.ts';
import { PreparedDefinitions } from './services/prepared-definitions.ts';
import { PreviewTokens } from './services/preview-tokens.ts';
import { QualityChecks } from './services/quality-checks.ts';
import { QualityReviews } from './services/quality-reviews.ts';
import { QuestionService } from './services/questions.ts';
import { RespondentPageService } from './services/respondent-pages.ts';
import { ResponseBulkService } from './services/response-bulk.ts';
import { ResponseCommentService } from './services/response-comments.ts';
import { ResponseEditService } from './services/response-edits.ts';
import { ResponseExportService } from './services/response-export.ts';
import { ResponseFileService } from './services/response-files.ts';
import { ResponseImportService } from './services/response-import.ts';
import { ResponseRowsService } from './services/response-rows.ts';
import { ResponseSeedService } from './services/response-seed.ts';
import { ResponseSelector } from './services/response-selector.ts';
import { ResponseWriter } from './services/response-writer.ts';
import { ResponseService } from './services/responses.ts';
import { SelectedResponses } from './services/selected-responses.ts';
import { RestoreOriginalsService } from './services/restore-originals.ts';
import { SetupService } from './services/setup.ts';
import type { Services } from './services/services.ts';
import { SurveyPageService } from './services/survey-pages.ts';
import { SurveyPublishingService } from './services/survey-publishing.ts';
import { SurveyTransferService } from './services/survey-transfer.ts';
import { SurveyService } from './services/surveys.ts';
import { TransformService } from './services/transforms.ts';
import { WeightingService } from './services/weighting.ts';
import { WorkspaceService } from './services/workspaces.ts';

/** What everything is made from. */
export interface Ingredients {
  config: Config;
  db: Database;
  log: Logger;
  clock: Clock;
  ids: Ids;
  /** Signs the tokens of logins; at least 32 bytes. */
  jwtSecret: string;
}

export interface Container extends Ingredients {
  services: Services;
  setup: SetupService;
  demo: DemoService;
  /** What must be answered before the process stops. */
  writer: ResponseWriter;
  /** To be run at the start and daily. */
  fileSweep: FileSweep;
  /** To be started when the rest stands, and stopped with it. */
  jobWorker: JobWorker;
  /** To be closed first: whoever waits for a job is let go. */
  jobSignals: JobSignals;
  /** To be run now and then. */
  jobSweep: JobSweep;
  idempotency: IdempotencyRepository;
}

/** The composition root: nothing else says `new` on a service. */
export function createContainer(ingredients: Ingredients): Container {
  const { config, db, clock, ids, jwtSecret } = ingredients;
  const store = new Store(db);
  const passwords = new Passwords(config.bcryptCost);
  const apiKeys = new ApiKeyService(store, ids);
  const access = new AccessService(store);
  const definitions = new PreparedDefinitions(store);
  const writer = new ResponseWriter(store);
  const drafts = new DraftDefinitions(store);
  const previews = new PreviewTokens(jwtSecret, clock);
  const entrances = new Entrances(store, definitions, drafts, previews, clock);
  const datasets = new DatasetService(store, config.datasetCacheBytes);
  const selectedResponses = new SelectedResponses(store, datasets);
  const dataChanges = new DataChanges(store);
  const selector = new ResponseSelector(datasets);
  const quality = new CollectionQuality(new AddressHashes(jwtSecret), clock);
  const openedMoments = new OpenedMoments(jwtSecret, clock);
  const collection = new CollectionService(store, writer, entrances, quality, openedMoments, clock, ids);
  const storage =
    config.s3 === null ? new DiskStorage(path.join(config.dataDir, 'files')) : new S3Storage(config.s3);
  const jobSignals = new JobSignals(new Notifications(db, JOBS_CHANNEL));
  const jobFiles = new JobFiles(store, storage, ids);
  const jobs = new JobService(store, jobSignals, jobFiles, access);
  const responseExport = new ResponseExportService(store, selectedResponses, clock);
  const exportFiles = new ExportFiles(responseExport, selectedResponses, jobs, config.exportJobRows);
  const services: Services = {
    access,
    apiKeys,
    auth: new AuthService(store, passwords, jwtSecret, clock, ids),
    collection,
    dataChanges,
    crosstabs: new CrosstabService(datasets),
    derivedColumns: new DerivedColumnService(store, datasets, dataChanges),
    exportFiles,
    dataFileSurveys: new DataFileSurveyService(store, clock, ids),
    fileUploads: new FileUploadService(store, storage, collection, ids),
    findReplace: new FindReplaceService(dataChanges, selector),
    health: new HealthService(store),
    jobs,
    links: new LinkService(store, ids, clock),
    qualityChecks: new QualityChecks(store, datasets, dataChanges),
    qualityReviews: new QualityReviews(store, selectedResponses, dataChanges, clock),
    questions: new QuestionService(store),
    respondentPages: new RespondentPageService(store, entrances, openedMoments),
    responseBulk: new ResponseBulkService(dataChanges, selector, clock),
    responseComments: new ResponseCommentService(store),
    responseEdits: new ResponseEditService(dataChanges, datasets),
    responseFiles: new ResponseFileService(store, storage, selectedResponses),
    responseImport: new ResponseImportService(store, dataChanges, definitions, clock, ids),
    responseRows: new ResponseRowsService(store, definitions, clock, ids),
    responseSeed: new ResponseSeedService(store, definitions, clock, ids),
    responses: new ResponseService(datasets),
    selectedResponses,
    restoreOriginals: new RestoreOriginalsService(dataChanges, selector),
    surveyPreviews: previews,
    surveyPages: new SurveyPageService(store),
    surveyPublishing: new SurveyPublishingService(store, ids),
    surveyTransfer: new SurveyTransferService(store),
    surveys: new SurveyService(store, access, drafts, clock),
    transforms: new TransformService(datasets, dataChanges),
    weighting: new WeightingService(datasets, dataChanges, clock),
    workspaces: new WorkspaceService(store, access),
  };
  return {
    ...ingredients,
    services,
    setup: new SetupService(store, passwords, apiKeys, ids),
    demo: new DemoService(store, services, {
      name: BIG_FIVE_NAME,
      survey: bigFiveSurvey,
      responses: bigFiveResponses,
    }),
    writer,
    fileSweep: new FileSweep(store, storage, clock),
    jobWorker: new JobWorker({
      store,
      signals: jobSignals,
      log: ingredients.log,
      ids,
      kinds: [responseExportJob(access, exportFiles, jobFiles)],
      concurrency: config.jobConcurrency,
    }),
    jobSignals,
    jobSweep: new JobSweep(store, jobFiles, clock),
    idempotency: new IdempotencyRepository(db),
  };
}
