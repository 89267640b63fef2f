import type { Route } from '../http/route.ts';
import type { Services } from '../services/services.ts';
import { authRoutes } from './auth/index.ts';
import { billingRoutes } from './billing/index.ts';
import { aiRoutes } from './ai/index.ts';
import { dashboardRoutes } from './dashboards/index.ts';
import { fieldRoutes } from './field/index.ts';
import { jobRoutes } from './jobs/index.ts';
import { userFamilyRoutes } from './users/index.ts';
import { publicRoutes } from './public/index.ts';
import { reportRoutes } from './reports/index.ts';
import { responseRoutes } from './responses/index.ts';
import { surveyRoutes } from './surveys/index.ts';
import { systemRoutes } from './system/index.ts';
import { workspaceRoutes } from './workspaces/index.ts';

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
