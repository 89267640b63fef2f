import type { Foundations } from '../foundations.ts';
import { WorkspaceService } from './workspaces.ts';

export function workspaceServices({ store, access }: Foundations) {
  return { workspaces: new WorkspaceService(store, access) };
}
