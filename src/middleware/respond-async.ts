import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { DiskUse, HandlerContext, Route } from '../http/define-route.ts';
import { dataReply, withReply, type WithReplyOptions } from '../http/reply.ts';
import { handlerContext } from './request-context.ts';

/** The reply of every operation that starts a background job. */
export const jobStartedReply = dataReply(
  z
    .strictObject({
      job_id: z.int(),
      status_url: z.url().describe('`GET` returns the progress and result; `DELETE` cancels the job'),
    })
    .meta({ id: 'JobStarted' }),
);

export const PREFER_HEADER = z
  .string()
  .optional()
  .describe('`respond-async`: start a job (202). `wait`: wait for the result');

/** The URL of a job's status. */
export const jobUrl = (baseUrl: string, jobId: number): string => `${baseUrl}/api/jobs/${jobId}`;

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

/**
 * Returns the route that starts a job instead of doing the work, or null if the request is answered directly. The request is validated in
 * both cases.
 */
async function jobRouteFor<Services>(
  route: Route<Services>,
  context: HandlerContext<Services>,
  header: string | string[] | undefined,
): Promise<Route<Services> | null> {
  const { background } = route;
  if (background === undefined) return null;
  const preference = replyPreference(header);
  if (preference === 'wait') return null;
  const isLong = await background.isLong(context);
  if (preference === null && !isLong) return null;
  return {
    ...route,
    reply: jobStartedReply,
    status: 202,
    idempotent: true,
    handler: async (context) => jobStarted(await background.start(context), context, preference),
  };
}

function jobStarted<Services>(
  jobId: number,
  { request }: HandlerContext<Services>,
  preference: ReplyPreference,
): WithReplyOptions<unknown> {
  const statusUrl = jobUrl(request.baseUrl, jobId);
  return withReply(
    { job_id: jobId, status_url: statusUrl },
    {
      headers: {
        Location: statusUrl,
        ...(preference === null ? {} : { 'Preference-Applied': preference }),
      },
    },
  );
}

/** The client's preference for long work (RFC 7240); null: none. */
type ReplyPreference = 'respond-async' | 'wait' | null;

/** Ignores other preferences. `respond-async` takes precedence over `wait`. */
export function replyPreference(header: string | string[] | undefined): ReplyPreference {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const unquoted = text.replace(/"[^"]*"/g, '');
  const names = unquoted
    .split(',')
    .map((preference) => (preference.split(/[=;]/, 1)[0] ?? '').trim().toLowerCase());
  if (names.includes('respond-async')) return 'respond-async';
  return names.includes('wait') ? 'wait' : null;
}
