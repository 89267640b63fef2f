import type { Config } from '../config.ts';
import type { Heartbeat, StorageState } from '../db/availability.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/ids.ts';
import type { WindowCounters } from '../lib/window-counter.ts';
import type { MailSender } from '../providers/mail/mail-sender.ts';
import type { FileStorage } from '../providers/files/file-storage.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import type { LanguageModel } from '../providers/language/language-model.ts';
import { WorkbookReaderPool } from '../importers/xlsx/xlsx-source.ts';
import { LanguageResources } from '../providers/language-resources.ts';
import type { JobSignals } from '../repositories/jobs.ts';
import type { Store } from '../repositories/store.ts';
import type { SurveySignals } from '../repositories/survey-signals.ts';
import { AnalysisRuns } from './ai/analysis/analysis-runs.ts';
import { BuiltInTextAnalyzer } from './ai/analysis/built-in-text-analyzer.ts';
import { CodedColumns } from './ai/analysis/coded-columns.ts';
import { InsightDataLoader, InsightService } from './ai/analysis/insights.ts';
import { ModelTextAnalyzer } from './ai/analysis/model/model-text-analyzer.ts';
import { TextAnalysisService } from './ai/analysis/text-analysis.ts';
import { TextAnalyzers } from './ai/analysis/text-analyzer.ts';
import { BuiltInAnswerEngine, ModelAnswerEngine, OpenAnswerReader } from './ai/chat/answer-engines.ts';
import { AnswerGenerator } from './ai/chat/answer-generator.ts';
import { ChatService, ChatSessionService } from './ai/chat/chat.ts';
import { PromptBuilder } from './ai/chat/prompt-builder.ts';
import { AccountMails } from './auth/account-mails.ts';
import { ApiKeyNetworks, ApiKeyService } from './auth/api-keys.ts';
import { AuthService, FailedLogins, KnownDevices } from './auth/auth.ts';
import { EmailConfirmationService } from './auth/email-confirmation.ts';
import { GuessLimits } from './auth/guess-limits.ts';
import { PasswordResetService } from './auth/password-reset.ts';
import { PasswordConfirmation, PasswordHasher } from './auth/passwords.ts';
import { InviteLinkService, RegistrationService } from './auth/registration.ts';
import { OwnSessionService, SessionTokens } from './auth/sessions.ts';
import {
  CheckoutPageService,
  CheckoutService,
  PaymentEventService,
  paymentSettingsOf,
} from './billing/checkouts.ts';
import { CreditService } from './billing/credits.ts';
import { AddressHasher, CollectionQuality } from './collection/collection-quality.ts';
import { CollectionService } from './collection/collection.ts';
import { FileUploadService } from './collection/file-uploads.ts';
import { LinkReservations } from './collection/link-reservations.ts';
import { LinkResolver } from './collection/link-resolver.ts';
import { PanelEntries } from './collection/panel-entries.ts';
import { SigningKeys } from './collection/signing-keys.ts';
import { QuotaReservations } from './collection/quota-reservations.ts';
import { OpenedAtTokens, RespondentPageService } from './collection/respondent-pages.ts';
import { ResponseCompletion } from './collection/response-completion.ts';
import { ClientSecrets, ResponseMoves } from './collection/response-tokens.ts';
import { ResponseErasure } from './responses/response-erasure.ts';
import { DeletedDataPurge } from './system/deleted-data-purge.ts';
import { ResponseWriter } from './collection/response-writer.ts';
import { SubmissionService } from './collection/submissions.ts';
import { UploadLimits } from './collection/uploaded-files.ts';
import { ChartFigureService } from './dashboards/chart-figures.ts';
import { ChartConfigValidator } from './dashboards/chart-source.ts';
import { DashboardChartService } from './dashboards/dashboard-charts.ts';
import { DashboardContentReader } from './dashboards/dashboard-content.ts';
import { DashboardShareService } from './dashboards/dashboard-shares.ts';
import { DashboardTrash } from './dashboards/dashboard-trash.ts';
import { DashboardFigureService, DashboardViewService } from './dashboards/dashboard-views.ts';
import { DashboardPageService, DashboardService } from './dashboards/dashboards.ts';
import { PublicDashboardService, UnlockTokens } from './dashboards/public-dashboards.ts';
import { ColumnSnapshotService } from './datasets/column-snapshots.ts';
import { DatasetService } from './datasets/datasets.ts';
import { ResponseReader } from './datasets/response-reader.ts';
import { CampaignRunner, ScheduledCampaigns } from './field/campaigns.ts';
import { EmailRenderer, OptOutService, OutboxService } from './field/emails.ts';
import { InvitationPreviewService } from './field/invitation-previews.ts';
import { InvitationService } from './field/invitations.ts';
import { LinkBatchService, LinkService } from './field/links.ts';
import { LinkSigningService } from './field/link-signing.ts';
import { QuotaService } from './field/quotas.ts';
import { RespondentImportService, RespondentService } from './field/respondents.ts';
import { WaveService } from './field/waves.ts';
import { CrosstabService } from './figures/crosstabs.ts';
import { FigureService } from './figures/figures.ts';
import { DeckBuilder } from './reports/deck/deck-builder.ts';
import { ReportFileService } from './reports/report-files.ts';
import { ReportFromDashboardService } from './reports/report-from-dashboard.ts';
import { ReportTrash } from './reports/report-trash.ts';
import { ReportSlideService, SlideValidator } from './reports/report-slides.ts';
import { WriterThreads } from './reports/report-writer.ts';
import { ReportImageService, ReportService } from './reports/reports.ts';
import {
  FindReplaceService,
  ResponseBulkService,
  ResponseSelector,
  RestoreOriginalsService,
} from './responses/changes/bulk-changes.ts';
import { DataChangeService } from './responses/changes/data-changes.ts';
import { ResponseEditService } from './responses/changes/response-edits.ts';
import { DerivedColumnService } from './responses/derived/derived-columns.ts';
import { TransformService } from './responses/derived/transforms.ts';
import { WeightingService } from './responses/derived/weighting.ts';
import { ExportFileService } from './responses/export/export-files.ts';
import { ResponseExportService } from './responses/export/response-export.ts';
import { DataFileSurveyService } from './responses/import/data-file-surveys.ts';
import { ResponseImportService } from './responses/import/response-import.ts';
import { QualityCheckService, QualityReviewService } from './responses/quality.ts';
import { ResponseCommentService } from './responses/response-comments.ts';
import { ResponseFileService } from './responses/response-files.ts';
import { ResponseRowsService } from './responses/response-rows.ts';
import { ResponseSeedService } from './responses/response-seed.ts';
import { QuestionService } from './surveys/questions.ts';
import {
  DraftDefinitionCache,
  PreparedDefinitionCache,
  PreviewTokens,
  PublishedWordings,
} from './surveys/survey-definitions.ts';
import { SurveyEventService } from './surveys/survey-events.ts';
import { SurveyImageService } from './surveys/survey-images.ts';
import { SurveyPageService } from './surveys/survey-pages.ts';
import { SurveyPublishingService } from './surveys/survey-publishing.ts';
import { SurveyTransferService } from './surveys/survey-transfer.ts';
import { SurveyVersionService } from './surveys/survey-versions.ts';
import { SurveyService } from './surveys/surveys.ts';
import { BackupService, ScheduledBackups } from './system/backups.ts';
import { ConsistencyService } from './system/consistency.ts';
import { HealthService } from './system/health.ts';
import { RestoreService } from './system/restore.ts';
import { SetupService } from './system/setup.ts';
import { AnalysisCacheCleanup, FileSweep, IdempotencySweep, JobSweep } from './system/sweeps.ts';
import { AvatarService } from './users/avatars.ts';
import { GroupService } from './users/groups.ts';
import { AuditLogService, OrganizationService } from './users/organizations.ts';
import { UserStatusService } from './users/user-status.ts';
import { AddressClaims, UserDashboardService, UserService } from './users/users.ts';
import { AccessService } from './access.ts';
import { DeletedRetention } from './deleted-retention.ts';
import { JobFiles, JobService } from './jobs.ts';
import { MoveService, WorkspaceService } from './workspaces.ts';

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

/** All services that routes can call. */
export type Services = ReturnType<typeof createServices>;

/** Creates the services of each resource family, in the order of their dependencies. */
export function createServices(shared: SharedServices) {
  const auth = authServices(shared);
  const dashboards = dashboardServices(shared, auth);
  const figures = figureServices(shared);
  return {
    access: shared.access,
    datasets: shared.datasets,
    ...auth,
    ...systemServices(shared, auth),
    ...workspaceServices(shared),
    ...userServices(shared, auth),
    ...surveyServices(shared),
    ...fieldServices(shared),
    ...collectionServices(shared),
    ...figures,
    ...dashboards,
    ...reportServices(shared, dashboards, figures),
    ...responseServices(shared),
    ...jobServices(shared),
    ...billingServices(shared),
    ...aiServices(shared, figures),
  };
}

function authServices(shared: SharedServices) {
  const { config, store, mail, jwtSecret, clock, ids, counters, reportFailure } = shared;
  const passwords = new PasswordHasher(config.bcryptCost);
  const sessionTokens = new SessionTokens(jwtSecret, clock);
  const guessLimits = new GuessLimits(counters, config.rateLimits.auth);
  const failedLogins = new FailedLogins(store, reportFailure);
  const passwordConfirmation = new PasswordConfirmation(store, passwords, guessLimits);
  const accountMails = new AccountMails(store, mail, config.mailLinkUrl, ids);
  return {
    accountMails,
    apiKeys: new ApiKeyService(store, passwordConfirmation, accountMails, clock, ids),
    auth: new AuthService({
      store,
      passwords,
      tokens: sessionTokens,
      devices: new KnownDevices(jwtSecret, clock, ids),
      guessLimits,
      failedLogins,
      keyNetworks: new ApiKeyNetworks(store),
      accountMails,
      clock,
      ids,
    }),
    emailConfirmation: new EmailConfirmationService(store, accountMails),
    failedLogins,
    guessLimits,
    passwordConfirmation,
    passwordReset: new PasswordResetService({
      store,
      passwords,
      confirmation: passwordConfirmation,
      mail,
      accountMails,
      baseUrl: config.mailLinkUrl,
      clock,
      ids,
    }),
    passwords,
    ownSessions: new OwnSessionService({
      store,
      passwords,
      confirmation: passwordConfirmation,
      tokens: sessionTokens,
      accountMails,
      strictPasswords: config.strictPasswords,
      clock,
      ids,
    }),
    registration: new RegistrationService(store, passwords, clock),
    sessionTokens,
  };
}

function systemServices(
  { store, heartbeat, storageState, storage, clock, config, ids }: SharedServices,
  { passwords, apiKeys }: ReturnType<typeof authServices>,
) {
  const backups = new BackupService(store, storage, clock);
  return {
    backups,
    health: new HealthService(store, heartbeat, storageState),
    idempotencySweep: new IdempotencySweep(store),
    restoring: new RestoreService(storage),
    consistency: new ConsistencyService(store),
    scheduledBackups: new ScheduledBackups(backups, clock, config.backups),
    setup: new SetupService(store, passwords, apiKeys, ids),
  };
}

function workspaceServices({ store, access, retention }: SharedServices) {
  return { moves: new MoveService(store), workspaces: new WorkspaceService(store, access, retention) };
}

/** Users of organizations and their permissions. */
function userServices(
  { access, config, store, clock, ids }: SharedServices,
  { accountMails, passwords, passwordConfirmation, guessLimits }: ReturnType<typeof authServices>,
) {
  const addresses = new AddressClaims(store, guessLimits);
  return {
    auditLog: new AuditLogService(store),
    avatars: new AvatarService(store),
    groups: new GroupService(store, access),
    inviteLinks: new InviteLinkService(store, clock, ids),
    organizations: new OrganizationService(store),
    userDashboards: new UserDashboardService(store, access),
    users: new UserService({
      store,
      passwords,
      confirmation: passwordConfirmation,
      addresses,
      access,
      accountMails,
      strictPasswords: config.strictPasswords,
    }),
    userStatus: new UserStatusService(store, addresses, accountMails),
  };
}

function surveyServices({
  store,
  access,
  drafts,
  previews,
  surveySignals,
  retention,
  clock,
  ids,
}: SharedServices) {
  return {
    questions: new QuestionService(store),
    surveyEvents: new SurveyEventService(store, surveySignals),
    surveyImages: new SurveyImageService(store, ids, clock, retention),
    surveyPages: new SurveyPageService(store),
    surveyPreviews: previews,
    surveyPublishing: new SurveyPublishingService(store, ids, clock),
    surveyTransfer: new SurveyTransferService(store),
    surveyVersions: new SurveyVersionService(store),
    surveys: new SurveyService(store, access, drafts, clock, retention),
  };
}

function fieldServices({ store, ids, clock, config, mail, previews, workbooks, jwtSecret }: SharedServices) {
  const emailRenderer = new EmailRenderer(config.mailLinkUrl);
  return {
    invitations: new InvitationService(store, mail === null ? 'outbox' : 'smtp', clock, ids),
    invitationPreviews: new InvitationPreviewService(store, mail, emailRenderer, previews),
    linkBatches: new LinkBatchService(store, ids, clock),
    links: new LinkService(store, ids, clock),
    linkSigning: new LinkSigningService(store, new SigningKeys(jwtSecret), clock, ids),
    scheduledCampaigns: new ScheduledCampaigns(store, clock),
    campaignRunner: new CampaignRunner(store, mail, emailRenderer, config.mailLimits, clock, ids),
    optOuts: new OptOutService(store),
    outbox: new OutboxService(store, emailRenderer),
    quotas: new QuotaService(store, clock),
    respondentImport: new RespondentImportService(store, clock, workbooks),
    respondents: new RespondentService(store, clock),
    waves: new WaveService(store, clock),
  };
}

function collectionServices(shared: SharedServices) {
  const {
    config,
    store,
    storage,
    definitions,
    drafts,
    previews,
    jobFiles,
    jwtSecret,
    retention,
    clock,
    ids,
  } = shared;
  const signingKeys = new SigningKeys(jwtSecret);
  const panelEntries = new PanelEntries(store, clock);
  const linkResolver = new LinkResolver(store, definitions, drafts, previews, signingKeys, clock);
  const quality = new CollectionQuality(new AddressHasher(jwtSecret), clock);
  const openedAtTokens = new OpenedAtTokens(jwtSecret, clock);
  const linkReservations = new LinkReservations(clock);
  const quotaReservations = new QuotaReservations(clock);
  const responseWriter = new ResponseWriter(store, linkReservations, quotaReservations);
  const completion = new ResponseCompletion(quotaReservations, panelEntries, clock);
  const collection = new CollectionService(
    store,
    linkResolver,
    quality,
    linkReservations,
    quotaReservations,
    completion,
    clock,
  );
  const uploadLimits = new UploadLimits(store, clock, config.uploadLimits);
  const fileSweep = new FileSweep(store, storage, uploadLimits, clock);
  const responseErasure = new ResponseErasure(store, jobFiles, fileSweep);
  return {
    collection,
    deletedDataPurge: new DeletedDataPurge(store, responseErasure, retention),
    fileSweep,
    responseErasure,
    fileUploads: new FileUploadService(store, storage, collection, uploadLimits, ids),
    panelEntries,
    respondentPages: new RespondentPageService(
      store,
      linkResolver,
      linkReservations,
      openedAtTokens,
      panelEntries,
    ),
    responseWriter,
    responseMoves: new ResponseMoves(store, linkResolver, collection, quality, clock, jwtSecret),
    submissions: new SubmissionService(
      store,
      responseWriter,
      linkResolver,
      quality,
      openedAtTokens,
      clock,
      ids,
      new ClientSecrets(jwtSecret),
      panelEntries,
      quotaReservations,
    ),
  };
}

function figureServices({ store, datasets }: SharedServices) {
  return {
    crosstabs: new CrosstabService(datasets),
    figures: new FigureService(datasets),
    columnSnapshots: new ColumnSnapshotService(store),
  };
}

/** Dashboards, their figures and their shares. */
function dashboardServices(
  { access, store, config, datasets, clock, jwtSecret, retention, wordings }: SharedServices,
  { passwords, guessLimits }: ReturnType<typeof authServices>,
) {
  const contents = new DashboardContentReader(store, datasets);
  const shares = new DashboardShareService(store, passwords, config.adminsPublishDashboards);
  const figures = new ChartFigureService(datasets, wordings);
  const tokens = new UnlockTokens(jwtSecret, clock);
  const memberFigures = new DashboardFigureService(store, access, contents, figures);
  return {
    dashboards: new DashboardService(store, access, config.mailLinkUrl, retention),
    dashboardTrash: new DashboardTrash(store, shares, retention),
    dashboardContents: contents,
    dashboardPages: new DashboardPageService(store),
    dashboardCharts: new DashboardChartService(store, access, new ChartConfigValidator(store)),
    dashboardShares: shares,
    chartFigures: figures,
    dashboardFigures: memberFigures,
    dashboardViews: new DashboardViewService({ store, contents, figures, memberFigures, clock }),
    publicDashboards: new PublicDashboardService({
      store,
      passwords,
      tokens,
      guessLimits,
      contents,
      figures,
      clock,
    }),
  };
}

/** Reports, their slides and pictures, and their files. */
function reportServices(
  { access, store, datasets, clock, jobs, retention, wordings }: SharedServices,
  { dashboardContents, chartFigures: figures }: ReturnType<typeof dashboardServices>,
  { crosstabs }: ReturnType<typeof figureServices>,
) {
  const decks = new DeckBuilder({ store, access, datasets, figures, crosstabs, clock, wordings });
  return {
    reports: new ReportService(store, access, retention),
    reportTrash: new ReportTrash(store, retention),
    reportSlides: new ReportSlideService(
      store,
      new SlideValidator(store, access, new ChartConfigValidator(store)),
    ),
    reportImages: new ReportImageService(store),
    reportFiles: new ReportFileService({ store, decks, threads: new WriterThreads(), jobs }),
    reportsFromDashboards: new ReportFromDashboardService(store, dashboardContents),
  };
}

function responseServices(shared: SharedServices) {
  const { config, store, storage, clock, ids } = shared;
  const { datasets, responseReader, dataChanges, definitions, jobs, workbooks } = shared;
  const selector = new ResponseSelector(datasets);
  const responseExport = new ResponseExportService(store, responseReader, clock);
  return {
    dataChanges,
    dataFileSurveys: new DataFileSurveyService(store, clock, ids, workbooks),
    derivedColumns: new DerivedColumnService(store, datasets, dataChanges),
    exportFiles: new ExportFileService(store, responseExport, responseReader, jobs, config.exportJobRows),
    findReplace: new FindReplaceService(dataChanges, selector),
    qualityChecks: new QualityCheckService(store, datasets, dataChanges),
    qualityReviews: new QualityReviewService(store, responseReader, dataChanges, clock),
    responseBulk: new ResponseBulkService(dataChanges, selector, clock),
    responseComments: new ResponseCommentService(store),
    responseEdits: new ResponseEditService(dataChanges, datasets),
    responseFiles: new ResponseFileService(store, storage, responseReader),
    responseImport: new ResponseImportService({
      ...{ store, changes: dataChanges, definitions, clock, ids, workbooks },
    }),
    responseRows: new ResponseRowsService(store, definitions, clock, ids),
    responseSeed: new ResponseSeedService(store, definitions, clock, ids),
    restoreOriginals: new RestoreOriginalsService(dataChanges, selector),
    responseReader,
    transforms: new TransformService(datasets, dataChanges),
    weighting: new WeightingService(datasets, dataChanges, clock),
  };
}

function jobServices({ store, jobs, jobFiles, clock }: SharedServices) {
  return { jobs, jobFiles, jobSweep: new JobSweep(store, jobFiles, clock) };
}

/** The credits of organizations and their purchase. */
function billingServices({ clock, config, credits, ids, payment, store }: SharedServices) {
  const settings = paymentSettingsOf(config);
  return {
    credits,
    checkouts: new CheckoutService(store, payment, settings, ids),
    checkoutPages: new CheckoutPageService(store, settings),
    paymentEvents: new PaymentEventService(store, payment, settings.startingCredits, clock),
  };
}

/** Analyzes open answers, finds insights in figures, and answers questions about a survey's data. */
function aiServices(
  shared: SharedServices,
  { figures, crosstabs }: { figures: FigureService; crosstabs: CrosstabService },
) {
  const { store, access, ids, credits, datasets, dataChanges, clock, jobs, languageModel, words } = shared;
  const runs = new AnalysisRuns(store, credits);
  const builtIn = new BuiltInTextAnalyzer(words);
  const analysts = new TextAnalyzers(builtIn, languageModel && new ModelTextAnalyzer(languageModel));
  const sources = { datasets, figures, crosstabs };
  const answerer =
    languageModel === null
      ? new BuiltInAnswerEngine(new OpenAnswerReader(sources, builtIn))
      : new ModelAnswerEngine(languageModel);
  const conversations = new PromptBuilder(store, access, sources);
  return {
    insights: new InsightService(new InsightDataLoader(store, datasets, clock), runs, analysts),
    analysisCacheCleanup: new AnalysisCacheCleanup(store),
    textAnalysis: new TextAnalysisService(
      datasets,
      runs,
      analysts,
      new CodedColumns(dataChanges, clock),
      jobs,
    ),
    chatSessions: new ChatSessionService(store, access, ids),
    chat: new ChatService(shared, conversations, new AnswerGenerator(store, credits, answerer)),
  };
}
