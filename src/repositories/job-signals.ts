import type { Notifications } from '../db/notifications.ts';

export const JOBS_CHANNEL = 'jobs';

/** What `pg_notify` says on the channel; the last two are followed by the job's id. */
export const signalText = { queued: 'queued', changed: 'changed ', cancelled: 'cancelled ' } as const;

/** Waits for the changes of one job. */
interface JobChanges {
  /** Resolves at the next change, or at one since the last call; else after `withinMs`, or when the waiting is over. */
  next(withinMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

const nothing = () => undefined as void;

/** What other processes, and other parts of this one, did to jobs. A signal may be missed: look from time to time as well. */
export class JobSignals {
  private readonly notifications: Notifications;
  private readonly closing = new AbortController();

  constructor(notifications: Notifications) {
    this.notifications = notifications;
  }

  /** Fires when the process stops: whoever waits for a job is let go. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  onQueued(listener: () => void): () => void {
    return this.notifications.listen((text) => {
      if (text === null || text === signalText.queued) listener();
    });
  }

  onCancelled(jobId: number, listener: () => void): () => void {
    return this.notifications.listen((text) => {
      if (text === `${signalText.cancelled}${jobId}`) listener();
    });
  }

  changesOf(jobId: number): JobChanges {
    let changed = false;
    let wake = nothing;
    const close = this.notifications.listen((text) => {
      const isOurs =
        text === null ||
        text === `${signalText.changed}${jobId}` ||
        text === `${signalText.cancelled}${jobId}`;
      if (!isOurs) return;
      changed = true;
      wake();
    });
    return {
      close,
      next: (withinMs, signal) =>
        new Promise<void>((resolve) => {
          const over = AbortSignal.any([signal, this.closed]);
          const done = () => {
            clearTimeout(timer);
            over.removeEventListener('abort', done);
            wake = nothing;
            changed = false;
            resolve();
          };
          const timer = setTimeout(done, changed || over.aborted ? 0 : withinMs);
          over.addEventListener('abort', done);
          wake = done;
        }),
    };
  }

  close(): void {
    this.closing.abort();
  }
}
