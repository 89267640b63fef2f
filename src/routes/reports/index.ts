import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { previewRoute } from './preview.ts';
import { exportRoutes, fromDashboardRoute, reportRoutes as ownRoutes } from './reports.ts';
import { imageRoutes, slideRoutes } from './slides.ts';

export const reportRoutes = [
  ...ownRoutes,
  fromDashboardRoute,
  previewRoute,
  ...slideRoutes,
  ...imageRoutes,
  ...exportRoutes,
];

export const reportsRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/reports', reportRoutes, dependencies);
