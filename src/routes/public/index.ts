import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { publicDashboardRoutes } from './dashboards.ts';
import { respondentFileRoutes } from './files.ts';
import { invitationRoute } from './invites.ts';
import { respondentRoutes } from './respondent-responses.ts';

/** What needs no account: respondents have a link, viewers of a shared dashboard its address. */
export const publicRoutes = [
  ...respondentRoutes,
  ...respondentFileRoutes,
  ...publicDashboardRoutes,
  invitationRoute,
];

export const publicRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/public', publicRoutes, dependencies);
