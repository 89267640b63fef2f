import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { publicDashboardRoutes } from './dashboards.ts';
import { respondentFileRoutes } from './files.ts';
import { invitationRoute } from './invites.ts';
import { respondentRoutes } from './respondent-responses.ts';

/** Answering a survey through a link. */
export const collectionRoutes = [...respondentRoutes, ...respondentFileRoutes];

/** Routes that need no account. */
export const publicRoutes = [...collectionRoutes, ...publicDashboardRoutes, invitationRoute];

export const publicRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/public', publicRoutes, dependencies);
