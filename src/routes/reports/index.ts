import { exportRoutes } from './export.ts';
import { fromDashboardRoute } from './from-dashboard.ts';
import { imageRoutes } from './images.ts';
import { reportRoutes as ownRoutes } from './reports.ts';
import { slideRoutes } from './slides.ts';

export const reportRoutes = [
  ...ownRoutes,
  fromDashboardRoute,
  ...slideRoutes,
  ...imageRoutes,
  ...exportRoutes,
];
