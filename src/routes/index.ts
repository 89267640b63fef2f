import type { Router } from 'express';
import type { RouterDependencies } from '../http/build-router.ts';
import type { Route } from '../http/define-route.ts';
import type { OperationTag } from '../http/openapi.ts';
import type { Services } from '../services/services.ts';
import { aiRouter, aiRoutes } from './ai/index.ts';
import { apiKeysRouter, authRouter, authRoutes } from './auth.ts';
import { billingRouter, billingRoutes } from './billing.ts';
import { dashboardRoutes, dashboardsRouter } from './dashboards/index.ts';
import { fieldRouter, fieldRoutes, outboxRouter } from './field/index.ts';
import { jobRoutes, jobsRouter } from './jobs.ts';
import { publicDashboardRoutes } from './public/dashboards.ts';
import { collectionRoutes, invitationRoute, publicRouter, publicRoutes } from './public/index.ts';
import { reportRoutes, reportsRouter } from './reports/index.ts';
import { responseDataRoutes, responseRoutes, responsesRouter, tableRoutes } from './responses/index.ts';
import { surveyContentRoutes, surveyManagementRoutes, surveyRoutes, surveysRouter } from './surveys/index.ts';
import { healthRouter, systemRoutes } from './system.ts';
import { auditLogRoutes } from './users/audit-log.ts';
import { accountRoutes, organizationUserRoutes, userFamilyRoutes, usersRouter } from './users/index.ts';
import { workspaceRoutes, workspacesRouter } from './workspaces.ts';

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

/** The tags of the API document with their operations, in the order of a user's work. */
export const tags: readonly OperationTag<Services>[] = [
  {
    name: 'auth',
    description: 'Signing in, registration, password resets, sessions and API keys',
    routes: [...authRoutes, ...accountRoutes],
  },
  { name: 'workspaces', description: 'Workspaces and their members', routes: workspaceRoutes },
  {
    name: 'surveys',
    description: 'Creating, publishing, duplicating, exporting and importing surveys',
    routes: surveyManagementRoutes,
  },
  {
    name: 'questions',
    description: 'Pages, questions, answer options and logic of a survey',
    routes: surveyContentRoutes,
  },
  {
    name: 'collection',
    description: 'Answering a survey with the token of a link; no account is needed',
    routes: collectionRoutes,
  },
  { name: 'field', description: 'Links, respondents, invitations, waves and quotas', routes: fieldRoutes },
  {
    name: 'responses',
    description: 'Viewing, adding, editing, checking, importing and exporting responses',
    routes: responseDataRoutes,
  },
  {
    name: 'tables',
    description: 'Distributions, crosstabs, derived columns and weights',
    routes: tableRoutes,
  },
  {
    name: 'dashboards',
    description: 'Dashboards, their charts and who can view them',
    routes: [...dashboardRoutes, ...publicDashboardRoutes],
  },
  { name: 'reports', description: 'Slide reports, exported as PDF or PowerPoint', routes: reportRoutes },
  {
    name: 'ai',
    description: 'Chat about survey data, text analysis, insights and anomalies',
    routes: aiRoutes,
  },
  {
    name: 'users',
    description: 'Users, groups, invite links and organizations',
    routes: [...organizationUserRoutes, invitationRoute],
  },
  { name: 'billing', description: 'Credit balance, usage and purchases', routes: billingRoutes },
  {
    name: 'system',
    description: 'Background jobs, audit log and service status',
    routes: [...jobRoutes, ...auditLogRoutes, ...systemRoutes],
  },
];
