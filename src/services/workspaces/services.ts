import type { SharedServices } from '../shared-services.ts';
import { MoveService, WorkspaceService } from '../workspaces.ts';

export function workspaceServices({ store, access }: SharedServices) {
  return { moves: new MoveService(store), workspaces: new WorkspaceService(store, access) };
}
