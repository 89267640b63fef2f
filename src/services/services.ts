import type { AccessService } from './access.ts';
import type { ApiKeyService } from './api-keys.ts';
import type { AuthService } from './auth.ts';
import type { HealthService } from './health.ts';
import type { WorkspaceService } from './workspaces.ts';

/** Every use case the routes can call. Made in container.ts. */
export interface Services {
  access: AccessService;
  apiKeys: ApiKeyService;
  auth: AuthService;
  health: HealthService;
  workspaces: WorkspaceService;
}
