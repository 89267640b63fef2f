import { z } from 'zod';
import { member, memberOn } from '../../http/access.ts';
import { decodeCursor, encodeCursor, idText, pagingQuery } from '../../http/paging.ts';
import { data, empty, events, file, list, withReply } from '../../http/reply.ts';
import { invalid } from '../../lib/errors.ts';
import type { Caller } from '../../domain/access/caller.ts';
import type { JobRow } from '../../repositories/jobs.ts';
import type { Services } from '../../services/services.ts';
import { defineRoute } from '../define-route.ts';
import { jobSchema, presentJob } from './job-reply.ts';

const DEFAULT_LIMIT = 100;
const params = z.strictObject({ id: idText });

/** Whoever started it, as long as they see what it is about: what a job makes may come from where not even an admin may look. */
const onOwnJob = memberOn(
  'job: own; survey or report: view, where it is about one',
  ({ services, caller, params: { id } }: { services: Services; caller: Caller; params: { id: number } }) =>
    services.jobs.scope(caller, id),
);

function placeOf(cursor: string): number {
  const id = idText.safeParse(decodeCursor(cursor));
  if (!id.success) throw invalid('cursor', 'does not belong to this list; start again without it');
  return id.data;
}

async function* presented(states: AsyncIterable<{ id: string; job: JobRow }>, baseUrl: string) {
  for await (const { id, job } of states) yield { id, data: presentJob(job, baseUrl) };
}

export const jobRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/jobs',
    operationId: 'listJobs',
    summary: 'List your jobs',
    description: 'Newest first. A job is kept for a day after it has finished.',
    access: member,
    query: z.strictObject({
      limit: pagingQuery.limit.describe(`At most 1000; absent: ${DEFAULT_LIMIT}`),
      cursor: pagingQuery.cursor,
    }),
    reply: list(jobSchema),
    async handler({ services, caller, query, request }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const before = query.cursor === undefined ? null : placeOf(query.cursor);
      const { jobs, total, more } = await services.jobs.list(caller, before, limit);
      const last = jobs.at(-1);
      const nextCursor = more && last !== undefined ? encodeCursor(String(last.job_id)) : null;
      return { items: jobs.map((job) => presentJob(job, request.baseUrl)), limit, total, nextCursor };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/jobs/:id',
    operationId: 'getJob',
    summary: 'Get a job',
    description:
      'Only who started a job sees it, as long as they may view the survey that it is about. A job whose process ended is run again by another; one that meets trouble that may pass is tried ' +
      'three times. It is kept for a day after it has finished.',
    access: onOwnJob,
    params,
    reply: data(jobSchema),
    async handler({ services, scope, request }) {
      return presentJob(await services.jobs.get(scope), request.baseUrl);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/jobs/:id/events',
    operationId: 'watchJob',
    summary: 'Stream job progress',
    description:
      'Server-sent events: the job as `GET /api/jobs/:id` gives it, at once and whenever it has changed, until it is done, failed or ' +
      'cancelled; then the stream ends, and an EventSource should be closed. A comment every 15 seconds keeps the connection alive. Who ' +
      'may not listen any more gets an event `error` within seconds, then the end. A stream that ends otherwise (the server stops) is ' +
      'to be opened again, which an EventSource does by itself after a second: with the header `Last-Event-ID` a state that came already ' +
      'does not come twice, whichever process is asked. States that came and went meanwhile are not told.',
    access: onOwnJob,
    params,
    reply: events(jobSchema),
    alternateStatuses: {
      204: 'The job has finished, and `Last-Event-ID` is of its end: there is nothing to come back for',
    },
    async handler({ services, scope, request }) {
      const { lastEventId, signal, baseUrl } = request;
      const watched = presented(services.jobs.watch(scope, signal, lastEventId), baseUrl);
      const isOver = lastEventId !== null && (await services.jobs.isFinishedState(scope, lastEventId));
      return withReply({ events: watched }, isOver ? { status: 204 } : {});
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/jobs/:id/file',
    operationId: 'downloadJobFile',
    summary: "Download a job's file",
    description: 'As an attachment, with a policy under which nothing in ' + 'it runs.',
    access: onOwnJob,
    params,
    reply: file('*/*'),
    async handler({ services, scope }) {
      const { file: row, chunks } = await services.jobs.openFile(scope);
      const headers = {
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Content-Length': String(row.size_bytes),
      };
      return withReply({ contentType: row.content_type, filename: row.file_name, chunks }, { headers });
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/jobs/:id',
    operationId: 'cancelJob',
    summary: 'Cancel or delete a job',
    description:
      'An unfinished job is stopped and stays, as cancelled; a finished one is removed with its result and its file.',
    access: onOwnJob,
    params,
    reply: empty,
    async handler({ services, scope }) {
      await services.jobs.cancelOrRemove(scope);
    },
  }),
];
