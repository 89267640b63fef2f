import { z } from 'zod';
import { requireAiAccess } from '../domain/access/caller.ts';
import { AppError } from '../lib/errors.ts';
import type { JobOwner } from '../repositories/jobs.ts';
import { ANALYSIS_JOB, textRequestSchema } from '../services/ai/analysis/analyzed-texts.ts';
import { ACCOUNT_MAIL_JOB, accountMailSchema } from '../services/auth/account-mails.ts';
import { PASSWORD_RESET_JOB } from '../services/auth/password-reset.ts';
import { SNAPSHOT_JOB } from '../services/datasets/column-snapshots.ts';
import { CAMPAIGN_JOB } from '../services/field/campaigns.ts';
import { REPORT_JOB, reportFileSchema } from '../services/reports/report-files.ts';
import { EXPORT_JOB, exportFileSchema } from '../services/responses/export/export-files.ts';
import type { Services } from '../services/services.ts';

/** Sends the email with a password reset link, if the account exists. */
const passwordResetJob = ({ passwordReset }: Pick<Services, 'passwordReset'>) =>
  defineJob({
    kind: PASSWORD_RESET_JOB,
    payload: z.union([z.object({ email: z.string() }), z.object({ user_id: z.int() })]),
    async handler({ payload }) {
      await passwordReset.send(payload);
      return null;
    },
  });

/** Sends an email about an account to its owner. */
const accountMailJob = ({ accountMails }: Pick<Services, 'accountMails'>) =>
  defineJob({
    kind: ACCOUNT_MAIL_JOB,
    payload: accountMailSchema,
    async handler({ payload }) {
      await accountMails.send(payload);
      return null;
    },
  });

/** All kinds of jobs. */
export const createJobKinds = (services: Services): JobKind[] => [
  responseExportJob(services),
  reportExportJob(services),
  passwordResetJob(services),
  accountMailJob(services),
  campaignJob(services),
  analysisJob(services),
  columnSnapshotJob(services),
];

/** The job that a handler runs. */
export interface JobRun<Payload> {
  jobId: number;
  /** null: the job belongs to the installation. */
  owner: JobOwner | null;
  surveyId: number | null;
  payload: Payload;
  /** Fires when the job was cancelled or taken over by another process, and when this process stops. */
  signal: AbortSignal;
  /**
   * Reports progress from 0 to 1; may be called often, since few reports are written. Throws once the signal has
   * fired, so that the handler ends.
   */
  progress: (fraction: number, message?: string) => void;
}

interface JobDeclaration<S extends z.ZodType> {
  /** Stored with each job: never rename a kind, and keep accepting earlier payloads. */
  kind: string;
  payload: S;
  /**
   * Does the work and returns the job's result. An `AppError` ends the job and is shown to its owner, unless it is
   * transient; a transient or other error is retried. As a handler may run more than once, it changes only its own
   * data, or everything in one transaction.
   */
  handler(run: JobRun<z.output<S>>): Promise<Record<string, unknown> | null>;
}

/** A declaration without its payload type. */
export interface JobKind {
  readonly kind: string;
  readonly payload: z.ZodType;
  readonly handler: (run: JobRun<unknown>) => Promise<Record<string, unknown> | null>;
}

/** Declares a kind of job. */
export function defineJob<S extends z.ZodType>(declaration: JobDeclaration<S>): JobKind {
  // Sound, because the worker parses payloads with the schema that the type comes from.
  return declaration as unknown as JobKind;
}

/** Writes a file of responses. The result lists, by kind, what the file format could not hold. */
function responseExportJob({
  access,
  exportFiles,
  jobFiles,
}: Pick<Services, 'access' | 'exportFiles' | 'jobFiles'>) {
  return defineJob({
    kind: EXPORT_JOB,
    payload: exportFileSchema,
    async handler({ jobId, owner, surveyId, payload, signal, progress }) {
      if (owner === null) throw new Error('An export job has no owner');
      // Access may have changed since the job was started.
      const scope = await access.surveyOfUser(owner, surveyId ?? 0, 'view');
      const file = await exportFiles.createFile(scope, payload, (written, total) =>
        progress(written / Math.max(1, total), `${written} of ${total} responses written`),
      );
      await jobFiles.write(jobId, file, signal);
      const result = { updated_until: file.updatedUntil.toISOString(), counted: { ...file.counted } };
      return file.notes.size === 0 ? result : { ...result, notes: Object.fromEntries(file.notes) };
    },
  });
}

/** Writes a report as a file. */
function reportExportJob({
  access,
  reportFiles,
  jobFiles,
}: Pick<Services, 'access' | 'reportFiles' | 'jobFiles'>) {
  return defineJob({
    kind: REPORT_JOB,
    payload: reportFileSchema,
    async handler({ jobId, owner, payload, signal, progress }) {
      if (owner === null) throw new Error('An export job has no owner');
      // Access may have changed since the job was started.
      const by = await access.loadActiveUser(owner, 'report');
      const scope = await access.report({ caller: by, reportId: payload.reportId, need: 'view' });
      const onSlide = (done: number, total: number) =>
        progress(done / Math.max(1, total), `${done} of ${total} slides drawn`);
      const file = await reportFiles.createFile({ by, scope, format: payload.format, signal, onSlide });
      await jobFiles.write(jobId, file, signal);
      return null;
    },
  });
}

/** Sends the due emails of a campaign. The result counts the emails of the campaign by state. */
function campaignJob({ access, campaignRunner }: Pick<Services, 'access' | 'campaignRunner'>) {
  return defineJob({
    kind: CAMPAIGN_JOB,
    payload: z.object({ campaign_id: z.int() }),
    async handler({ owner, surveyId, payload: { campaign_id: campaignId }, signal, progress }) {
      if (owner === null) throw new Error('A campaign job has no owner');
      try {
        // Access may have changed since the job was started.
        await access.surveyOfUser(owner, surveyId ?? 0, 'edit');
      } catch (error) {
        if (error instanceof AppError && error.kind !== 'unavailable')
          await campaignRunner.cancel(campaignId);
        throw error;
      }
      return { ...(await campaignRunner.run(campaignId, { signal, progress })) };
    },
  });
}

/** Reads the answers to an open question. The file of the job is the complete reply; its result summarizes all texts. */
function analysisJob({
  access,
  textAnalysis,
  jobFiles,
}: Pick<Services, 'access' | 'textAnalysis' | 'jobFiles'>) {
  return defineJob({
    kind: ANALYSIS_JOB,
    payload: textRequestSchema,
    async handler({ jobId, owner, surveyId, payload, signal, progress }) {
      if (owner === null) throw new Error('An analysis job has no owner');
      // Access may have changed since the job was started.
      const by = await access.loadActiveUser(owner, 'survey');
      requireAiAccess(by);
      const scope = await access.survey({
        caller: by,
        surveyId: surveyId ?? 0,
        need: payload.saveAs === null ? 'view' : 'edit',
      });
      const onProgress = (fraction: number) =>
        progress(fraction, `${Math.floor(100 * fraction)} % of the texts read`);
      const { file, result } = await textAnalysis.runToFile(scope, payload, { signal, onProgress });
      await jobFiles.write(jobId, file, signal);
      return result;
    },
  });
}

/**
 * Stores the columns of a large survey, so that its first figure after a start is fast. Belongs to no organization.
 */
function columnSnapshotJob({ columnSnapshots }: Pick<Services, 'columnSnapshots'>) {
  return defineJob({
    kind: SNAPSHOT_JOB,
    payload: z.object({ survey_id: z.int() }),
    async handler({ payload: { survey_id: surveyId }, signal, progress }) {
      const ranges = await columnSnapshots.build({
        surveyId,
        signal,
        onRange: (done, total) => progress(done / total),
      });
      return { ranges: ranges.length, responses: ranges.reduce((sum, { rows }) => sum + rows, 0) };
    },
  });
}
