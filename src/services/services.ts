import { authServices } from './auth/services.ts';
import { billingServices } from './billing/services.ts';
import { aiServices } from './ai/services.ts';
import { collectionServices } from './collection/services.ts';
import { dashboardServices } from './dashboards/services.ts';
import { fieldServices } from './field/services.ts';
import { figureServices } from './figures/services.ts';
import type { Foundations } from './foundations.ts';
import { jobServices } from './jobs/services.ts';
import { userServices } from './users/services.ts';
import { reportServices } from './reports/services.ts';
import { responseServices } from './responses/services.ts';
import { surveyServices } from './surveys/services.ts';
import { systemServices } from './system/services.ts';
import { workspaceServices } from './workspaces/services.ts';

/** Every use case the routes can call: what each family's services.ts makes. */
export type Services = ReturnType<typeof createServices>;

export function createServices(foundations: Foundations) {
  const auth = authServices(foundations);
  const dashboards = dashboardServices(foundations, auth);
  const figures = figureServices(foundations);
  return {
    access: foundations.access,
    datasets: foundations.datasets,
    ...auth,
    ...systemServices(foundations, auth),
    ...workspaceServices(foundations),
    ...userServices(foundations, auth),
    ...surveyServices(foundations),
    ...fieldServices(foundations),
    ...collectionServices(foundations),
    ...figures,
    ...dashboards,
    ...reportServices(foundations, dashboards, figures),
    ...responseServices(foundations),
    ...jobServices(foundations),
    ...billingServices(foundations),
    ...aiServices(foundations, figures),
  };
}
