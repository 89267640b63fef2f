import type { AccessService } from './access.ts';
import type { ApiKeyService } from './api-keys.ts';
import type { AuthService } from './auth.ts';
import type { CollectionService } from './collection.ts';
import type { DataChanges } from './data-changes.ts';
import type { FileUploadService } from './file-uploads.ts';
import type { HealthService } from './health.ts';
import type { LinkService } from './links.ts';
import type { PreviewTokens } from './preview-tokens.ts';
import type { QuestionService } from './questions.ts';
import type { RespondentPageService } from './respondent-pages.ts';
import type { ResponseCommentService } from './response-comments.ts';
import type { ResponseExportService } from './response-export.ts';
import type { ResponseFileService } from './response-files.ts';
import type { ResponseRowsService } from './response-rows.ts';
import type { ResponseService } from './responses.ts';
import type { SurveyPageService } from './survey-pages.ts';
import type { SurveyPublishingService } from './survey-publishing.ts';
import type { SurveyTransferService } from './survey-transfer.ts';
import type { SurveyService } from './surveys.ts';
import type { WeightingService } from './weighting.ts';
import type { WorkspaceService } from './workspaces.ts';

/** Every use case the routes can call. Made in container.ts. */
export interface Services {
  access: AccessService;
  apiKeys: ApiKeyService;
  auth: AuthService;
  collection: CollectionService;
  dataChanges: DataChanges;
  fileUploads: FileUploadService;
  health: HealthService;
  links: LinkService;
  questions: QuestionService;
  respondentPages: RespondentPageService;
  responseComments: ResponseCommentService;
  responseExport: ResponseExportService;
  responseFiles: ResponseFileService;
  responseRows: ResponseRowsService;
  responses: ResponseService;
  surveyPreviews: PreviewTokens;
  surveyPages: SurveyPageService;
  surveyPublishing: SurveyPublishingService;
  surveyTransfer: SurveyTransferService;
  surveys: SurveyService;
  weighting: WeightingService;
  workspaces: WorkspaceService;
}
