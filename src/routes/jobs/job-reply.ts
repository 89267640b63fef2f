import { z } from 'zod';
import { jobUrl } from '../../http/background.ts';
import { JOB_STATUSES, type JobRow } from '../../repositories/jobs.ts';

export const jobSchema = z
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

export function presentJob(job: JobRow, baseUrl: string): z.input<typeof jobSchema> {
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
