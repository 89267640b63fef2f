import { authServices } from './auth/services.ts';
import { billingServices } from './billing/services.ts';
import { aiServices } from './ai/services.ts';
import { collectionServices } from './collection/services.ts';
import { dashboardServices } from './dashboards/services.ts';
import { fieldServices } from './field/services.ts';
import { figureServices } from './figures/services.ts';
import type { SharedServices } from './shared-services.ts';
import { jobServices } from './jobs/services.ts';
import { userServices } from './users/services.ts';
import { reportServices } from './reports/services.ts';
import { responseServices } from './responses/services.ts';
import { surveyServices } from './surveys/services.ts';
import { systemServices } from './system/services.ts';
import { workspaceServices } from './workspaces/services.ts';

/** All services that routes can call, as created by each module's services.ts. */
export type Services = ReturnType<typeof createServices>;

export function createServices(shared: SharedServices) {
  const auth = authServices(shared);
  const dashboards = dashboardServices(shared, auth);
  const figures = figureServices(shared);
  return {
    access: shared.access,
    datasets: shared.datasets,
    ...auth,
    ...systemServices(shared, auth),
    ...workspaceServices(shared),
    ...userServices(shared, auth),
    ...surveyServices(shared),
    ...fieldServices(shared),
    ...collectionServices(shared),
    ...figures,
    ...dashboards,
    ...reportServices(shared, dashboards, figures),
    ...responseServices(shared),
    ...jobServices(shared),
    ...billingServices(shared),
    ...aiServices(shared, figures),
  };
}
