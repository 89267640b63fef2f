import type { Notifications } from '../db/notifications.ts';

export const JOBS_CHANNEL = 'jobs';

/** Payloads of `pg_notify` on the channel. The job's id follows `changed` and `cancelled`. */
export const signalText = { queued: 'queued', changed: 'changed ', cancelled: 'cancelled ' } as const;

/** Waits for the changes of one job. */
interface JobChanges {
  /** Resolves at the next change, or at once after a change since the last call; otherwise after `withinMs`, or when a signal aborts. */
  next(withinMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

const nothing = () => undefined as void;

/** Signals of changes to jobs, from all processes. A signal may be lost, so callers also poll. */
export class JobSignals {
  private readonly closing = new AbortController();

  constructor(private readonly notifications: Notifications) {}

  /** Aborts when the process stops, which ends every wait for a job. */
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
