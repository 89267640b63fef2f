import type { Config } from '../config.ts';
import type { Heartbeat, StorageState } from '../db/availability.ts';
import { WorkbookReaderPool } from '../importers/xlsx/xlsx-source.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/ids.ts';
import type { WindowCounters } from '../lib/window-counter.ts';
import type { FileStorage } from '../providers/files/file-storage.ts';
import { LanguageResources } from '../providers/language-resources.ts';
import type { LanguageModel } from '../providers/language/language-model.ts';
import type { MailSender } from '../providers/mail/mail-sender.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import type { JobSignals } from '../repositories/jobs.ts';
import type { Store } from '../repositories/store.ts';
import type { SurveySignals } from '../repositories/survey-signals.ts';
import { AccessService } from './access.ts';
import { CreditService } from './billing/credits.ts';
import { DatasetService } from './datasets/datasets.ts';
import { ResponseReader } from './datasets/response-reader.ts';
import { DeletedRetention } from './deleted-retention.ts';
import { JobFiles, JobService } from './jobs.ts';
import { DataChangeService } from './responses/changes/data-changes.ts';
import {
  DraftDefinitionCache,
  PreparedDefinitionCache,
  PreviewTokens,
  PublishedWordings,
} from './surveys/survey-definitions.ts';

/** The dependencies created outside of the services: settings, the database, providers, clock and random ids. */
export interface Dependencies {
  config: Config;
  store: Store;
  heartbeat: Heartbeat;
  storageState: StorageState;
  storage: FileStorage;
  jobSignals: JobSignals;
  surveySignals: SurveySignals;
  /** null: email is not configured. */
  mail: MailSender | null;
  /** null: texts are analyzed by the built-in engine. */
  languageModel: LanguageModel | null;
  /** null: no payment provider is configured. */
  payment: PaymentProvider | null;
  clock: Clock;
  ids: Ids;
  /** Counts wrong passwords. */
  counters: WindowCounters;
  /** Logs a failure of work that continues after the reply. */
  reportFailure: (action: string, error: unknown) => void;
  /** Signs the tokens of logins; at least 32 bytes. */
  jwtSecret: string;
}

/** The dependencies and the services that several modules share. */
export type SharedServices = ReturnType<typeof createSharedServices>;

export function createSharedServices(ground: Dependencies) {
  const { config, store, storage, jobSignals, clock, ids, jwtSecret } = ground;
  const access = new AccessService(store);
  const datasets = new DatasetService(store, config.datasetCacheBytes);
  const jobFiles = new JobFiles(store, storage, ids);
  const definitions = new PreparedDefinitionCache(store);
  return {
    ...ground,
    access,
    credits: new CreditService(store, clock, config.aiStartingCredits),
    datasets,
    responseReader: new ResponseReader(store, datasets),
    dataChanges: new DataChangeService(store, clock),
    definitions,
    wordings: new PublishedWordings(store, definitions),
    drafts: new DraftDefinitionCache(store),
    previews: new PreviewTokens(jwtSecret, clock),
    /** Lexicons are large, so all services share one library. */
    words: new LanguageResources(),
    /** Limits the process to two workbooks at a time, whatever is imported. */
    workbooks: new WorkbookReaderPool(),
    retention: new DeletedRetention(clock, config.deletedRetentionDays),
    jobFiles,
    jobs: new JobService(store, jobSignals, jobFiles, access),
  };
}
