import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { chartDataRoutes } from './chart-data.ts';
import { chartRoutes } from './charts.ts';
import { dashboardRoutes as ownRoutes } from './dashboards.ts';
import { pageRoutes } from './pages.ts';
import { shareRoutes } from './shares.ts';

/** Dashboards, for whoever is signed in; everybody else calls the routes of routes/public. */
export const dashboardRoutes = [
  ...ownRoutes,
  ...pageRoutes,
  ...chartRoutes,
  ...chartDataRoutes,
  ...shareRoutes,
];

export const dashboardsRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/dashboards', dashboardRoutes, dependencies);
