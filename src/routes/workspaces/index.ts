import { workspaceOwnerRoutes } from './owners.ts';
import { currentWorkspaceRoutes } from './current.ts';
import { workspaceMemberRoutes } from './members.ts';
import { workspaceRoutes as ownRoutes } from './workspaces.ts';

export const workspaceRoutes = [
  ...ownRoutes,
  ...currentWorkspaceRoutes,
  ...workspaceMemberRoutes,
  ...workspaceOwnerRoutes,
];
