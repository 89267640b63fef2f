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

/** What the operations under `/api/<family>` are about. */
export const families: Readonly<Record<string, string>> = {
  auth: 'Sign in and out',
  'api-keys': 'Keys for integrations',
  sessions: 'Where you are signed in',
  workspaces: 'Who works on what with whom',
  surveys: 'Surveys, pages, questions, links, waves and respondents',
  public: 'What needs no account: answer a survey, view a public dashboard',
  responses: 'Rows in; figures, grid, tables and files out',
  dashboards: 'Charts and tables, and who sees them',
  reports: 'Slides, as PDF and PowerPoint',
  ai: 'Chat about the data of a survey',
  users: 'Users of the organization and their rights',
  groups: 'Users who see the same dashboards',
  'invite-links': 'Links to join the organization',
  organization: 'Your organization',
  organizations: 'All organizations, for superadmins',
  billing: 'Credits: buy them, see how they were spent',
  jobs: 'Progress and results of long work',
  outbox: 'Mails sent to respondents',
  audit: 'Who did what',
  health: 'Whether the service works',
};
