import type { Database } from '../db/connect.ts';
import { AnalysisResultRepository } from './analysis-results.ts';
import { ApiKeyRepository } from './api-keys.ts';
import { AuditRepository } from './audit.ts';
import { ArmAssignmentRepository } from './arm-assignments.ts';
import { BlockRepository } from './blocks.ts';
import { ChatSessionRepository } from './chat-sessions.ts';
import { ConsistencyRepository } from './consistency.ts';
import { CreditRepository } from './credits.ts';
import { DashboardShareRepository } from './dashboard-shares.ts';
import { DashboardRepository } from './dashboards.ts';
import { DataChangeRepository } from './data-changes.ts';
import { DefinitionRepository } from './definitions.ts';
import { DerivedColumnRepository } from './derived-columns.ts';
import { GroupRepository } from './groups.ts';
import { IdempotencyKeyRepository } from './idempotency-keys.ts';
import { InvitationRepository } from './invitations.ts';
import { JobRepository } from './jobs.ts';
import { LinkReservationRepository, QuotaReservationRepository } from './reservations.ts';
import { AnonymizationRepository } from './anonymization.ts';
import { ErasureRepository } from './erasure.ts';
import { LinkRepository } from './links.ts';
import { LinkSignatureRepository } from './link-signatures.ts';
import { CampaignRepository } from './campaigns.ts';
import { MailRepository } from './mails.ts';
import { OrganizationRepository } from './organizations.ts';
import { QuestionRepository } from './questions.ts';
import { QuotaRepository } from './quotas.ts';
import { ReportRepository } from './reports.ts';
import { RespondentImportRepository } from './respondent-imports.ts';
import { RespondentRepository } from './respondents.ts';
import { ResponseCommentRepository } from './response-comments.ts';
import { ResponseDataRepository } from './response-data.ts';
import { ResponseFileRepository } from './response-files.ts';
import { ResponseQualityRepository } from './response-quality.ts';
import { ResponseSegmentRepository } from './response-segments.ts';
import { ResponseRepository } from './responses.ts';
import { SessionRepository } from './sessions.ts';
import { SurveyDesignRepository } from './survey-designs.ts';
import { SurveyImageRepository } from './survey-images.ts';
import { SurveyMediaRepository } from './survey-media.ts';
import { SurveySignalRepository } from './survey-signals.ts';
import { SurveyRepository } from './surveys.ts';
import { TableCopyRepository } from './table-copies.ts';
import { UserRepository } from './users.ts';
import { WaveRepository } from './waves.ts';
import { WorkspaceSearchRepository } from './workspace-search.ts';
import { WorkspaceRepository } from './workspaces.ts';

/** How each repository is created on a connection pool or a transaction. `watermark`: see `repositoriesOn`. */
const FACTORIES = {
  analysisResults: (db: Database) => new AnalysisResultRepository(db),
  apiKeys: (db: Database) => new ApiKeyRepository(db),
  audit: (db: Database) => new AuditRepository(db),
  armAssignments: (db: Database) => new ArmAssignmentRepository(db),
  blocks: (db: Database) => new BlockRepository(db),
  chatSessions: (db: Database) => new ChatSessionRepository(db),
  credits: (db: Database) => new CreditRepository(db),
  dashboardShares: (db: Database) => new DashboardShareRepository(db),
  dashboards: (db: Database) => new DashboardRepository(db),
  dataChanges: (db: Database) => new DataChangeRepository(db),
  definitions: (db: Database) => new DefinitionRepository(db),
  derivedColumns: (db: Database) => new DerivedColumnRepository(db),
  groups: (db: Database) => new GroupRepository(db),
  idempotencyKeys: (db: Database) => new IdempotencyKeyRepository(db),
  invitations: (db: Database) => new InvitationRepository(db),
  jobs: (db: Database) => new JobRepository(db),
  linkReservations: (db: Database) => new LinkReservationRepository(db),
  links: (db: Database) => new LinkRepository(db),
  linkSignatures: (db: Database) => new LinkSignatureRepository(db),
  campaigns: (db: Database) => new CampaignRepository(db),
  mails: (db: Database) => new MailRepository(db),
  organizations: (db: Database) => new OrganizationRepository(db),
  anonymization: (db: Database) => new AnonymizationRepository(db),
  erasure: (db: Database) => new ErasureRepository(db),
  questions: (db: Database) => new QuestionRepository(db),
  quotaReservations: (db: Database) => new QuotaReservationRepository(db),
  quotas: (db: Database) => new QuotaRepository(db),
  reports: (db: Database) => new ReportRepository(db),
  respondentImports: (db: Database) => new RespondentImportRepository(db),
  respondents: (db: Database) => new RespondentRepository(db),
  responseComments: (db: Database) => new ResponseCommentRepository(db),
  responseData: (db: Database, watermark: string | null) => new ResponseDataRepository(db, watermark),
  responseFiles: (db: Database) => new ResponseFileRepository(db),
  responseQuality: (db: Database) => new ResponseQualityRepository(db),
  responseSegments: (db: Database) => new ResponseSegmentRepository(db),
  responses: (db: Database) => new ResponseRepository(db),
  sessions: (db: Database) => new SessionRepository(db),
  surveyDesigns: (db: Database) => new SurveyDesignRepository(db),
  surveyImages: (db: Database) => new SurveyImageRepository(db),
  surveyMedia: (db: Database) => new SurveyMediaRepository(db),
  surveySignals: (db: Database) => new SurveySignalRepository(db),
  surveys: (db: Database) => new SurveyRepository(db),
  consistency: (db: Database) => new ConsistencyRepository(db),
  tableCopies: (db: Database) => new TableCopyRepository(db),
  users: (db: Database) => new UserRepository(db),
  waves: (db: Database) => new WaveRepository(db),
  workspaceSearch: (db: Database) => new WorkspaceSearchRepository(db),
  workspaces: (db: Database) => new WorkspaceRepository(db),
};

type Name = keyof typeof FACTORIES;

/** All SQL, one repository per aggregate, bound to the pool or to one transaction. */
export type Repositories = { readonly [K in Name]: ReturnType<(typeof FACTORIES)[K]> };

/** Creates each repository when it is first used: most transactions use two or three of them. */
class LazyRepositories {
  readonly created: Partial<Record<Name, unknown>> = {};

  constructor(
    readonly db: Database,
    readonly watermark: string | null,
  ) {}
}

for (const name of Object.keys(FACTORIES) as Name[]) {
  Object.defineProperty(LazyRepositories.prototype, name, {
    get(this: LazyRepositories): unknown {
      return (this.created[name] ??= FACTORIES[name](this.db, this.watermark));
    },
  });
}

/**
 * Returns the repositories on one connection pool or transaction. `watermark` replaces the snapshot of a view on a replica, which has no
 * snapshot to compare with the primary's (db/replicas.ts).
 */
export function repositoriesOn(db: Database, watermark: string | null = null): Repositories {
  return new LazyRepositories(db, watermark) as unknown as Repositories;
}
