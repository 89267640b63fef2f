import type { z } from 'zod';
import type { JobOwner } from '../repositories/jobs.ts';

/** What a handler gets to see of the job it runs. */
export interface JobRun<Payload> {
  jobId: number;
  /** null: the installation's own. */
  owner: JobOwner | null;
  surveyId: number | null;
  payload: Payload;
  /** Fires when the job was cancelled or is another process's by now, and when this process stops. */
  signal: AbortSignal;
  /**
   * Says how far it is, 0 to 1, as often as is convenient: few of these are written. Throws once the signal has fired, so that a
   * handler which reports as it works also ends.
   */
  progress: (fraction: number, message?: string) => void;
}

interface JobDeclaration<S extends z.ZodType> {
  /** Stored with each job: a kind keeps its name, and understands payloads of before. */
  kind: string;
  payload: S;
  /**
   * Does the work; what it returns is the job's result. An `AppError` ends the job and is shown to its owner, but for one that
   * says to try again; that and any other error is tried again a few times. So a handler may be run more than once: it changes
   * nothing that is not its own, or all of it in one transaction.
   */
  handler(run: JobRun<z.output<S>>): Promise<Record<string, unknown> | null>;
}

/** A declaration with its payload's type forgotten. */
export interface JobKind {
  readonly kind: string;
  readonly payload: z.ZodType;
  readonly handler: (run: JobRun<unknown>) => Promise<Record<string, unknown> | null>;
}

/** Declares what runs under a name. */
export function defineJob<S extends z.ZodType>(declaration: JobDeclaration<S>): JobKind {
  // The worker parses with the very schema that the type comes from, so forgetting it here is sound.
  return declaration as unknown as JobKind;
}
