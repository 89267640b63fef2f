import type { OperationTag } from '../http/openapi.ts';
import type { Services } from '../services/services.ts';
import { aiRoutes } from './ai/index.ts';
import { authRoutes } from './auth/index.ts';
import { billingRoutes } from './billing/index.ts';
import { dashboardRoutes } from './dashboards/index.ts';
import { fieldRoutes } from './field/index.ts';
import { jobRoutes } from './jobs/index.ts';
import { publicDashboardRoutes } from './public/dashboards.ts';
import { collectionRoutes } from './public/index.ts';
import { invitationRoute } from './public/invites.ts';
import { reportRoutes } from './reports/index.ts';
import { responseDataRoutes, tableRoutes } from './responses/index.ts';
import { surveyContentRoutes, surveyManagementRoutes } from './surveys/index.ts';
import { systemRoutes } from './system/index.ts';
import { auditLogRoutes } from './users/audit-log.ts';
import { accountRoutes, organizationUserRoutes } from './users/index.ts';
import { workspaceRoutes } from './workspaces/index.ts';

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
