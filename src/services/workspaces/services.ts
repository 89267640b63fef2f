import type { Foundations } from '../foundations.ts';
import { MoveService } from './moves.ts';
import { WorkspaceService } from './workspaces.ts';

export function workspaceServices({ store, access }: Foundations) {
  return { moves: new MoveService(store), workspaces: new WorkspaceService(store, access) };
}
