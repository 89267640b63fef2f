import type { Route } from '../http/route.ts';
import type { Services } from '../services/services.ts';
import { analysisRoutes } from './analysis/index.ts';
import { authRoutes } from './auth/index.ts';
import { billingRoutes } from './billing/index.ts';
import { chatRoutes } from './chat/index.ts';
import { dashboardRoutes } from './dashboards/index.ts';
import { fieldRoutes } from './field/index.ts';
import { jobRoutes } from './jobs/index.ts';
import { peopleRoutes } from './people/index.ts';
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
  ...peopleRoutes,
  ...surveyRoutes,
  ...fieldRoutes,
  ...publicRoutes,
  ...responseRoutes,
  ...dashboardRoutes,
  ...reportRoutes,
  ...jobRoutes,
  ...billingRoutes,
  ...chatRoutes,
  ...analysisRoutes,
];

/** What the operations under `/api/<family>` are about. */
export const families: Readonly<Record<string, string>> = {
  ai: 'Talking about a survey’s data',
  'api-keys': 'Keys for integrations',
  audit: 'Who did what',
  auth: 'Signing in and out',
  billing: 'Credits: what is left, and what was spent',
  dashboards: 'What figures are shown on, and to whom',
  groups: 'People who reach the same dashboards',
  health: 'Whether the service can work',
  'invite-links': 'Links through which people join the organization',
  jobs: 'Long work: how far it is, what came of it',
  organization: 'The organization that one belongs to',
  organizations: 'Every organization of the installation, for superadmins',
  public: 'What is open without an account: answering through a link, looking at a public dashboard',
  reports: 'Slides that tell what was found, as PDF and PowerPoint',
  responses: 'The data: rows in, figures, grid and files out',
  sessions: 'Where you are signed in',
  surveys: 'Authoring: surveys, pages, questions, publishing, links',
  users: 'Who is in the organization, and what each may do',
  workspaces: 'Who works on what with whom',
};
