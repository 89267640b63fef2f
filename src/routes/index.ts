import type { Router } from 'express';
import type { RouterDependencies } from '../http/build-router.ts';
import type { Route } from '../http/define-route.ts';
import type { Services } from '../services/services.ts';
import { apiKeysRouter, authRoutes, authRouter } from './auth/index.ts';
import { billingRoutes, billingRouter } from './billing/index.ts';
import { aiRoutes, aiRouter } from './ai/index.ts';
import { dashboardRoutes, dashboardsRouter } from './dashboards/index.ts';
import { fieldRoutes, fieldRouter, outboxRouter } from './field/index.ts';
import { jobRoutes, jobsRouter } from './jobs/index.ts';
import { userFamilyRoutes, usersRouter } from './users/index.ts';
import { publicRoutes, publicRouter } from './public/index.ts';
import { reportRoutes, reportsRouter } from './reports/index.ts';
import { responseRoutes, responsesRouter } from './responses/index.ts';
import { surveyRoutes, surveysRouter } from './surveys/index.ts';
import { healthRouter, systemRoutes } from './system/index.ts';
import { workspaceRoutes, workspacesRouter } from './workspaces/index.ts';

/** Every operation of the API. */
export const routes: readonly Route<Services>[] = [
  ...systemRoutes,
  ...authRoutes,
  ...workspaceRoutes,
  ...userFamilyRoutes,
  ...surveyRoutes,
  ...fieldRoutes,
  ...publicRoutes,
  ...responseRoutes,
  ...dashboardRoutes,
  ...reportRoutes,
  ...jobRoutes,
  ...billingRoutes,
  ...aiRoutes,
];

/** The routers of all families; app.ts mounts them. */
export function createRouters(dependencies: RouterDependencies<Services>) {
  return {
    ai: aiRouter(dependencies),
    apiKeys: apiKeysRouter(dependencies),
    auth: authRouter(dependencies),
    billing: billingRouter(dependencies),
    dashboards: dashboardsRouter(dependencies),
    field: fieldRouter(dependencies),
    health: healthRouter(dependencies),
    jobs: jobsRouter(dependencies),
    outbox: outboxRouter(dependencies),
    public: publicRouter(dependencies),
    reports: reportsRouter(dependencies),
    responses: responsesRouter(dependencies),
    surveys: surveysRouter(dependencies),
    users: usersRouter(dependencies),
    workspaces: workspacesRouter(dependencies),
  } satisfies Record<string, Router>;
}
