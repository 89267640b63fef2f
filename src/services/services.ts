import { aiServices } from './ai/index.ts';
import { authServices } from './auth/index.ts';
import { billingServices } from './billing/index.ts';
import { collectionServices } from './collection/index.ts';
import { dashboardServices } from './dashboards/index.ts';
import { fieldServices } from './field/index.ts';
import { figureServices } from './figures/index.ts';
import { reportServices } from './reports/index.ts';
import { responseServices } from './responses/index.ts';
import type { SharedServices } from './shared-services.ts';
import { surveyServices } from './surveys/index.ts';
import { systemServices } from './system/index.ts';
import { JobSweep } from './system/sweeps.ts';
import { userServices } from './users/index.ts';
import { MoveService, WorkspaceService } from './workspaces.ts';

/** All services that routes can call. */
export type Services = ReturnType<typeof createServices>;

/** Creates the services of each resource family, in the order of their dependencies. */
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

function workspaceServices({ store, access, retention }: SharedServices) {
  return {
    moves: new MoveService(store),
    workspaces: new WorkspaceService(store, access, retention),
    deletedRetention: retention,
  };
}

function jobServices({ store, jobs, jobFiles, clock }: SharedServices) {
  return { jobs, jobFiles, jobSweep: new JobSweep(store, jobFiles, clock) };
}
