import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
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

export const workspacesRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/workspaces', workspaceRoutes, dependencies);
