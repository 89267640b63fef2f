import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { chartDataRoutes, chartRoutes, pageRoutes } from './charts.ts';
import { dashboardRoutes as ownRoutes } from './dashboards.ts';
import { shareRoutes } from './shares.ts';

/** Dashboards for users who are signed in; routes/public has the routes for other viewers. */
export const dashboardRoutes = [
  ...ownRoutes,
  ...pageRoutes,
  ...chartRoutes,
  ...chartDataRoutes,
  ...shareRoutes,
];

export const dashboardsRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/dashboards', dashboardRoutes, dependencies);
