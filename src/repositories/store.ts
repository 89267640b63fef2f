import type { Database } from '../db/connect.ts';
import { JoinedTransactions, type JoinSteps } from '../db/joined-transactions.ts';
import type { Replicas } from '../db/replicas.ts';
import { openReplicaView, openView, type OpenView, VIEWING } from '../db/views.ts';
import { Slots } from '../lib/slots.ts';
import { AnalysisResultRepository } from './analysis-results.ts';
import { ApiKeyRepository } from './api-keys.ts';
import { ResponseRepository } from './responses.ts';
import { ResponseCommentRepository } from './response-comments.ts';
import { ResponseFileRepository } from './response-files.ts';
import { ResponseDataRepository } from './response-data.ts';
import { ResponseSegmentRepository } from './response-segments.ts';
import { ResponseQualityRepository } from './response-quality.ts';
import { OpenLinkRepository } from './open-links.ts';
import { JobFileRepository } from './job-files.ts';
import { JobRepository } from './jobs.ts';
import { AuditRepository } from './audit.ts';
import { ChatMessageRepository } from './chat-messages.ts';
import { ChatSessionRepository } from './chat-sessions.ts';
import { CreditPurchaseRepository } from './credit-purchases.ts';
import { CreditRepository } from './credits.ts';
import { DashboardChartRepository } from './dashboard-charts.ts';
import { DashboardGrantRepository } from './dashboard-grants.ts';
import { DashboardPageRepository } from './dashboard-pages.ts';
import { DashboardShareRepository } from './dashboard-shares.ts';
import { DashboardVersionRepository } from './dashboard-versions.ts';
import { DashboardRepository } from './dashboards.ts';
import { DataChangeRepository } from './data-changes.ts';
import { DefinitionRepository } from './definitions.ts';
import { GroupRepository } from './groups.ts';
import { IdempotencyKeyRepository } from './idempotency-keys.ts';
import { InvitationStepRepository } from './invitation-steps.ts';
import { InvitationRepository } from './invitations.ts';
import { InviteLinkRepository } from './invite-links.ts';
import { DerivedColumnRepository } from './derived-columns.ts';
import { LinkListRepository } from './link-list.ts';
import { LinkPlaceRepository } from './link-places.ts';
import { LinkRepository } from './links.ts';
import { MailLimitRepository } from './mail-limits.ts';
import { MailingRepository } from './mailings.ts';
import { MailRepository } from './mails.ts';
import { OptOutRepository } from './opt-outs.ts';
import { OutboxRepository } from './outbox.ts';
import { OrganizationRepository } from './organizations.ts';
import { PageRepository } from './pages.ts';
import { PasswordResetRepository } from './password-resets.ts';
import { QuestionRepository } from './questions.ts';
import { QuotaPlaceRepository } from './quota-places.ts';
import { QuotaRecountRepository } from './quota-recounts.ts';
import { QuotaRepository } from './quotas.ts';
import { ReportImageRepository } from './report-images.ts';
import { ReportSlideRepository } from './report-slides.ts';
import { ReportRepository } from './reports.ts';
import { RespondentImportRepository } from './respondent-imports.ts';
import { RespondentListRepository } from './respondent-list.ts';
import { RespondentRepository } from './respondents.ts';
import { RespondentResponseRepository } from './respondent-responses.ts';
import { SessionRepository } from './sessions.ts';
import { SettledMomentRepository } from './settled-moments.ts';
import { SurveyListRepository } from './survey-list.ts';
import { SurveyRepository } from './surveys.ts';
import { TableCopyRepository } from './table-copies.ts';
import { UploadUsageRepository } from './upload-usage.ts';
import { UserRepository } from './users.ts';
import { UserAvatarRepository } from './user-avatars.ts';
import { WaveRepository } from './waves.ts';
import { WorkspaceRepository } from './workspaces.ts';

/** Ends a transaction that was only tried. */
class Undone extends Error {}

/** All SQL, one repository per aggregate, bound to the pool or to one transaction. */
export interface Repositories {
  analysisResults: AnalysisResultRepository;
  apiKeys: ApiKeyRepository;
  audit: AuditRepository;
  chatMessages: ChatMessageRepository;
  chatSessions: ChatSessionRepository;
  creditPurchases: CreditPurchaseRepository;
  credits: CreditRepository;
  dashboardCharts: DashboardChartRepository;
  dashboardGrants: DashboardGrantRepository;
  dashboardPages: DashboardPageRepository;
  dashboardShares: DashboardShareRepository;
  dashboardVersions: DashboardVersionRepository;
  dashboards: DashboardRepository;
  groups: GroupRepository;
  idempotencyKeys: IdempotencyKeyRepository;
  invitationSteps: InvitationStepRepository;
  invitations: InvitationRepository;
  inviteLinks: InviteLinkRepository;
  dataChanges: DataChangeRepository;
  derivedColumns: DerivedColumnRepository;
  openLinks: OpenLinkRepository;
  responseComments: ResponseCommentRepository;
  responseData: ResponseDataRepository;
  responseFiles: ResponseFileRepository;
  responseQuality: ResponseQualityRepository;
  responseSegments: ResponseSegmentRepository;
  responses: ResponseRepository;
  definitions: DefinitionRepository;
  jobFiles: JobFileRepository;
  jobs: JobRepository;
  linkList: LinkListRepository;
  linkPlaces: LinkPlaceRepository;
  links: LinkRepository;
  mailLimits: MailLimitRepository;
  mailings: MailingRepository;
  mails: MailRepository;
  optOuts: OptOutRepository;
  outbox: OutboxRepository;
  organizations: OrganizationRepository;
  pages: PageRepository;
  passwordResets: PasswordResetRepository;
  questions: QuestionRepository;
  quotaPlaces: QuotaPlaceRepository;
  quotaRecounts: QuotaRecountRepository;
  quotas: QuotaRepository;
  reportImages: ReportImageRepository;
  reportSlides: ReportSlideRepository;
  reports: ReportRepository;
  respondentImports: RespondentImportRepository;
  respondentList: RespondentListRepository;
  respondentResponses: RespondentResponseRepository;
  respondents: RespondentRepository;
  sessions: SessionRepository;
  settledMoments: SettledMomentRepository;
  surveyList: SurveyListRepository;
  surveys: SurveyRepository;
  userAvatars: UserAvatarRepository;
  tableCopies: TableCopyRepository;
  uploadUsage: UploadUsageRepository;
  users: UserRepository;
  waves: WaveRepository;
  workspaces: WorkspaceRepository;
}

/**
 * Every repository on one connection pool or transaction. `watermark`: what counts as the snapshot of a view on a replica, whose own is
 * none (see db/replicas.ts).
 */
export function repositoriesOn(db: Database, watermark: string | null = null): Repositories {
  return {
    analysisResults: new AnalysisResultRepository(db),
    apiKeys: new ApiKeyRepository(db),
    audit: new AuditRepository(db),
    chatMessages: new ChatMessageRepository(db),
    chatSessions: new ChatSessionRepository(db),
    creditPurchases: new CreditPurchaseRepository(db),
    credits: new CreditRepository(db),
    dashboardCharts: new DashboardChartRepository(db),
    dashboardGrants: new DashboardGrantRepository(db),
    dashboardPages: new DashboardPageRepository(db),
    dashboardShares: new DashboardShareRepository(db),
    dashboardVersions: new DashboardVersionRepository(db),
    dashboards: new DashboardRepository(db),
    groups: new GroupRepository(db),
    idempotencyKeys: new IdempotencyKeyRepository(db),
    invitationSteps: new InvitationStepRepository(db),
    invitations: new InvitationRepository(db),
    inviteLinks: new InviteLinkRepository(db),
    dataChanges: new DataChangeRepository(db),
    derivedColumns: new DerivedColumnRepository(db),
    openLinks: new OpenLinkRepository(db),
    responseComments: new ResponseCommentRepository(db),
    responseData: new ResponseDataRepository(db, watermark),
    responseFiles: new ResponseFileRepository(db),
    responseQuality: new ResponseQualityRepository(db),
    responseSegments: new ResponseSegmentRepository(db),
    responses: new ResponseRepository(db),
    definitions: new DefinitionRepository(db),
    jobFiles: new JobFileRepository(db),
    jobs: new JobRepository(db),
    linkList: new LinkListRepository(db),
    linkPlaces: new LinkPlaceRepository(db),
    links: new LinkRepository(db),
    mailLimits: new MailLimitRepository(db),
    mailings: new MailingRepository(db),
    mails: new MailRepository(db),
    optOuts: new OptOutRepository(db),
    outbox: new OutboxRepository(db),
    organizations: new OrganizationRepository(db),
    pages: new PageRepository(db),
    passwordResets: new PasswordResetRepository(db),
    questions: new QuestionRepository(db),
    quotaPlaces: new QuotaPlaceRepository(db),
    quotaRecounts: new QuotaRecountRepository(db),
    quotas: new QuotaRepository(db),
    reportImages: new ReportImageRepository(db),
    reportSlides: new ReportSlideRepository(db),
    reports: new ReportRepository(db),
    respondentImports: new RespondentImportRepository(db),
    respondentList: new RespondentListRepository(db),
    respondentResponses: new RespondentResponseRepository(db),
    respondents: new RespondentRepository(db),
    sessions: new SessionRepository(db),
    settledMoments: new SettledMomentRepository(db),
    surveyList: new SurveyListRepository(db),
    surveys: new SurveyRepository(db),
    userAvatars: new UserAvatarRepository(db),
    tableCopies: new TableCopyRepository(db),
    uploadUsage: new UploadUsageRepository(db),
    users: new UserRepository(db),
    waves: new WaveRepository(db),
    workspaces: new WorkspaceRepository(db),
  };
}

/** The database as it was at one moment, for as long as it takes to read it. */
export interface View extends Pick<OpenView, 'end' | 'brokeOff'> {
  readonly read: Repositories;
}

/** Views that are open at a time: each holds a connection of the few that everybody needs. */
const MAX_VIEWS = 3;

/** The database as services see it. */
export class Store {
  private readonly db: Database;
  private readonly pool: Repositories;
  private readonly joined: JoinedTransactions;
  /** Of open joined transactions. */
  private readonly joinedRepositories = new WeakMap<Database, Repositories>();
  private readonly replicaServers: Replicas | null;
  private readonly views = new Slots(MAX_VIEWS);

  constructor(db: Database, replicas: Replicas | null = null) {
    this.db = db;
    this.replicaServers = replicas;
    this.pool = repositoriesOn(db);
    this.joined = new JoinedTransactions(db);
  }

  /** What is committed; within `join` also what was written before. Writes belong into `transaction`. */
  get read(): Repositories {
    const { current } = this.joined;
    if (current === null) return this.pool;
    return this.repositoriesWithin(current);
  }

  private repositoriesWithin(trx: Database): Repositories {
    const known = this.joinedRepositories.get(trx) ?? repositoriesOn(trx);
    this.joinedRepositories.set(trx, known);
    return known;
  }

  /**
   * Everything `work` does through the repositories it is handed commits together, or not at all. No network call,
   * hashing or rendering belongs inside.
   */
  transaction<T>(work: (repositories: Repositories) => Promise<T>): Promise<T> {
    return this.joined.transaction((trx) => work(repositoriesOn(trx)));
  }

  /**
   * All transactions that `work` begins commit together when it returns, or not at all; see JoinedTransactions.
   */
  join<T>({ onOpen, beforeCommit }: JoinSteps<T, Repositories>, work: () => Promise<T>): Promise<T> {
    const steps: JoinSteps<T> = {
      onOpen: (outer) => onOpen(this.repositoriesWithin(outer)),
      beforeCommit: (outer, result) => beforeCommit(this.repositoriesWithin(outer), result),
    };
    return this.joined.join(steps, work);
  }

  /**
   * Runs `work` outside of what is joined. For everything that serves more than one request, such as a load into a cache: it must not
   * see what may be rolled back, nor end with the request that began it.
   */
  detached<T>(work: () => T): T {
    return this.joined.detached(work);
  }

  /** Tried, everything is done and then undone: so its outcome is exact, but for ids, which are nobody's. */
  async transactionOrTrial<T>(
    isTrial: boolean,
    work: (repositories: Repositories) => Promise<T>,
  ): Promise<T> {
    if (!isTrial) return this.transaction(work);
    let tried: { outcome: T } | null = null;
    try {
      return await this.transaction(async (repositories) => {
        tried = { outcome: await work(repositories) };
        throw new Undone();
      });
    } catch (error) {
      if (error instanceof Undone && tried !== null) return (tried as { outcome: T }).outcome;
      throw error;
    }
  }

  /** One consistent view over several reads. */
  snapshot<T>(work: (repositories: Repositories) => Promise<T>): Promise<T> {
    // Only this transaction sees what it has written.
    if (this.joined.current !== null) return work(this.read);
    return this.db.transaction((trx) => work(repositoriesOn(trx)), VIEWING);
  }

  /**
   * The same for who reads much: a replica's where there is one that has everything which was committed before the call, by whomever.
   * `work` is done once more, on the primary, when a replica gives up in the middle.
   */
  async heavySnapshot<T>(work: (repositories: Repositories) => Promise<T>): Promise<T> {
    const view = this.joined.current === null ? await openReplicaView(this.replicaServers) : null;
    if (view === null) return this.snapshot(work);
    try {
      return await work(repositoriesOn(view.db, view.watermark));
    } catch (error) {
      if (!view.brokeOff(error)) throw error;
    } finally {
      await view.end();
    }
    return this.snapshot(work);
  }

  /**
   * For reading more than one would wait for inside a callback; waits while too many others are open. `heavy`: it may be a replica's, as
   * above.
   */
  async openView(heavy: boolean): Promise<View> {
    if (this.joined.current !== null)
      return { read: this.read, end: () => Promise.resolve(), brokeOff: () => false };
    const release = await this.views.take();
    try {
      const view = (heavy ? await openReplicaView(this.replicaServers) : null) ?? (await openView(this.db));
      return {
        read: repositoriesOn(view.db, view.watermark),
        end: () => view.end().finally(release),
        brokeOff: (error) => view.brokeOff(error),
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Of those that are set, how many can be read from; null: none are. */
  get replicas(): { configured: number; usable: number } | null {
    const states = this.replicaServers?.states;
    if (states === undefined) return null;
    return { configured: states.length, usable: states.filter(({ isUsable }) => isUsable).length };
  }
}
