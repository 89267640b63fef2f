import type { Router } from 'express';
import { z } from 'zod';
import type { Caller } from '../domain/access/caller.ts';
import { member, memberOn } from '../http/access.ts';
import { buildRouter, type RouterDependencies } from '../http/build-router.ts';
import { idParam, pagingQuery, parseIdPage, toListPage } from '../http/paging.ts';
import { dataReply, emptyReply, eventsReply, fileReply, listReply, withReply } from '../http/reply.ts';
import { jobUrl } from '../middleware/respond-async.ts';
import { JOB_STATUSES, type JobRow } from '../repositories/jobs.ts';
import type { Services } from '../services/services.ts';
import { defineRoute } from './define-route.ts';

const jobSchema = z
  .strictObject({
    job_id: z.int(),
    kind: z.string().describe('The operation, such as `response_export`'),
    survey_id: z.int().nullable().describe('The survey of the job'),
    report_id: z.int().nullable().describe('The report of the job'),
    status: z.enum(JOB_STATUSES),
    progress: z.number().min(0).max(1).describe('0 to 1'),
    message: z.string().nullable().describe('Current step, as text for users'),
    result: z
      .looseObject({
        download_url: z.url().optional(),
        file_name: z.string().optional(),
        content_type: z.string().optional(),
        size_bytes: z.int().optional(),
      })
      .nullable()
      .describe(
        'Result of a finished job: fields that depend on `kind`, and the file, if the job created one',
      ),
    error: z
      .strictObject({
        message: z.string(),
        code: z.string(),
        details: z.array(
          z.strictObject({ field: z.string(), message: z.string() }).meta({ id: 'FieldError' }),
        ),
      })
      .nullable()
      .describe('Why the job failed, in the form of an error reply'),
    status_url: z.url(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Job' });

function presentJob(job: JobRow, baseUrl: string): z.input<typeof jobSchema> {
  const url = jobUrl(baseUrl, job.job_id);
  return {
    job_id: job.job_id,
    kind: job.kind,
    survey_id: job.survey_id,
    report_id: job.report_id,
    status: job.status,
    progress: job.progress,
    message: job.message,
    result: resultOf(job, url),
    error: job.error,
    status_url: url,
    created_at: job.created_at.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    finished_at: job.finished_at?.toISOString() ?? null,
  };
}

function resultOf(job: JobRow, url: string): z.input<typeof jobSchema>['result'] {
  if (job.status !== 'done') return null;
  const { file_name, content_type, size_bytes } = job;
  if (file_name === null || content_type === null || size_bytes === null) return job.result;
  return { ...job.result, download_url: `${url}/file`, file_name, content_type, size_bytes };
}

const DEFAULT_LIMIT = 100;
const params = z.strictObject({ id: idParam });

/** Only the user who started the job, while they can view its survey or report: the result can contain data that even admins cannot view. */
const onOwnJob = memberOn(
  'job: own; its survey or report: view',
  ({ services, caller, params: { id } }: { services: Services; caller: Caller; params: { id: number } }) =>
    services.jobs.loadScope(caller, id),
);

async function* presentStates(states: AsyncIterable<{ id: string; job: JobRow }>, baseUrl: string) {
  for await (const { id, job } of states) yield { id, data: presentJob(job, baseUrl) };
}

export const jobRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/jobs',
    operationId: 'listJobs',
    summary: 'List your jobs',
    description: 'Returns the newest job first. Jobs are deleted a day after they finish.',
    access: member,
    query: z.strictObject({
      limit: pagingQuery.limit.describe(`Maximum number of items, at most 1000. Default: ${DEFAULT_LIMIT}`),
      cursor: pagingQuery.cursor,
    }),
    reply: listReply(jobSchema),
    async handler({ services, caller, query, request }) {
      const part = parseIdPage(query, DEFAULT_LIMIT);
      const { found, total } = await services.jobs.list(caller, part);
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: (job) => job.job_id,
        present: (job) => presentJob(job, request.baseUrl),
      });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/jobs/:id',
    operationId: 'getJob',
    summary: 'Get a job',
    description:
      'Visible to the user who started the job, while they can view its survey. A job is restarted if its process ends, and ' +
      'retried up to three times after temporary errors. It is deleted a day after it finishes.',
    access: onOwnJob,
    params,
    reply: dataReply(jobSchema),
    replyExample: {
      job_id: 12,
      kind: 'campaign',
      survey_id: 1,
      report_id: null,
      status: 'done',
      progress: 1,
      message: null,
      result: { note: null, sent: 3, failed: 0, bounced: 0, waiting: 0, cancelled: 0 },
      error: null,
      status_url: 'https://canvass.example.org/api/jobs/12',
      created_at: '2026-11-24T05:47:18.897Z',
      started_at: '2026-11-24T05:47:19.637Z',
      finished_at: '2026-11-24T05:47:23.281Z',
    },
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
      'Streams server-sent events: the job as returned by `GET /api/jobs/:id`, immediately and after every change, until it is ' +
      'done, failed or cancelled. Then the stream ends, and an EventSource should be closed. A comment every 15 seconds keeps ' +
      'the connection open. If access is lost, an `error` event is sent within seconds. After an interruption, reconnect with ' +
      'the header `Last-Event-ID` (an EventSource does so automatically after a second); states already received are not ' +
      'repeated, and intermediate states may be skipped.',
    access: onOwnJob,
    params,
    reply: eventsReply(jobSchema),
    alternateStatuses: {
      204: 'The job has finished and `Last-Event-ID` is its last state: the client must not reconnect',
    },
    async handler({ services, scope, request }) {
      const { lastEventId, signal, baseUrl } = request;
      const watched = presentStates(services.jobs.watch(scope, signal, lastEventId), baseUrl);
      const isOver = lastEventId !== null && (await services.jobs.isFinishedState(scope, lastEventId));
      return withReply({ events: watched }, isOver ? { status: 204 } : {});
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/jobs/:id/file',
    operationId: 'downloadJobFile',
    summary: "Download a job's file",
    description:
      'Returns the file as an attachment, with a content security policy that prevents it from running scripts.',
    access: onOwnJob,
    params,
    reply: fileReply('*/*'),
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
      'Cancels an unfinished job, which remains listed as cancelled. Deletes a finished job with its result and file.',
    access: onOwnJob,
    params,
    reply: emptyReply,
    async handler({ services, scope }) {
      await services.jobs.cancelOrRemove(scope);
    },
  }),
];

export const jobsRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/jobs', jobRoutes, dependencies);
