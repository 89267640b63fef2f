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
