import type { z } from 'zod';
import type { JobOwner } from '../repositories/jobs.ts';

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
