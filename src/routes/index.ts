import type { Route } from '../http/route.ts';
import type { Services } from '../services/services.ts';
import { authRoutes } from './auth/index.ts';
import { publicRoutes } from './public/index.ts';
import { responseRoutes } from './responses/index.ts';
import { surveyRoutes } from './surveys/index.ts';
import { systemRoutes } from './system/index.ts';
import { workspaceRoutes } from './workspaces/index.ts';

/** Every operation of the API. */
export const routes: readonly Route<Services>[] = [
  ...systemRoutes,
  ...authRoutes,
  ...workspaceRoutes,
  ...surveyRoutes,
  ...publicRoutes,
  ...responseRoutes,
];
