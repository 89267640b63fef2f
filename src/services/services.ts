import type { AccessService } from './access.ts';
import type { ApiKeyService } from './api-keys.ts';
import type { AuthService } from './auth.ts';
import type { CollectionService } from './collection.ts';
import type { HealthService } from './health.ts';
import type { ResponseExportService } from './response-export.ts';
import type { ResponseRowsService } from './response-rows.ts';
import type { ResponseService } from './responses.ts';
import type { WorkspaceService } from './workspaces.ts';

/** Every use case the routes can call. Made in container.ts. */
export interface Services {
  access: AccessService;
  apiKeys: ApiKeyService;
  auth: AuthService;
  collection: CollectionService;
  health: HealthService;
  responseExport: ResponseExportService;
  responseRows: ResponseRowsService;
  responses: ResponseService;
  workspaces: WorkspaceService;
}
