import { z } from 'zod';
import { type ReplyPreference, replyPreference } from './prefer.ts';
import { data, withReply, type WithReplyOptions } from './reply.ts';
import type { HandlerContext, Route } from './define-route.ts';

/** How long work is answered when it is not answered at once: the same for every operation. */
export const jobStartedReply = data(
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

/** Where a job is looked after. */
export const jobUrl = (baseUrl: string, jobId: number): string => `${baseUrl}/api/jobs/${jobId}`;

/**
 * The route that starts a job in place of the work; null: the request is answered at once. Problems with the request are found in
 * both cases.
 */
export async function jobRouteFor<Services>(
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
