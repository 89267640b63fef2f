import type { RequestHandler } from 'express';
import { jobRouteFor } from '../http/background.ts';
import type { DiskUse, Route } from '../http/define-route.ts';
import { handlerContext } from './locals.ts';

/** Decides whether the request is answered at once or starts a job: by its header Prefer, or because the work is long. */
export function respondAsync<Services>(
  route: Route<Services>,
  services: Services,
  checkFreeDisk: (use: DiskUse) => Promise<void>,
): RequestHandler {
  return async (request, response, next) => {
    const context = handlerContext(services, response.locals);
    const jobRoute = await jobRouteFor(route, context, request.headers.prefer);
    if (jobRoute !== null) {
      // The result of a job is a file.
      await checkFreeDisk('files');
      response.locals.jobRoute = jobRoute as Route<unknown>;
    }
    next();
  };
}
