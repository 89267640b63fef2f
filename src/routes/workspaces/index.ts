import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import {
  currentWorkspaceRoutes,
  workspaceRoutes as ownRoutes,
  workspaceMemberRoutes,
  workspaceOwnerRoutes,
} from './workspaces.ts';

export const workspaceRoutes = [
  ...ownRoutes,
  ...currentWorkspaceRoutes,
  ...workspaceMemberRoutes,
  ...workspaceOwnerRoutes,
];

export const workspacesRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/workspaces', workspaceRoutes, dependencies);
