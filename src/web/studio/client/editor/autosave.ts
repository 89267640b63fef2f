/** What the user is told about their edits. `failed`: the last attempt; `isRetrying`: another one follows by itself. */
export type SaveStatus =
  { kind: 'saved' } | { kind: 'saving' } | { kind: 'failed'; error: Error; isRetrying: boolean };

interface AutosaveOptions {
  /** Sends the edits of one object. */
  save: (key: string) => Promise<void>;
  /** Whether the same request may succeed later, such as without a connection. */
  isTransient: (error: Error) => boolean;
  onStatus: (status: SaveStatus) => void;
  delayMs?: number;
  firstRetryMs?: number;
}

const DELAY_MS = 600;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 15_000;

/** Saves edited objects some time after the last edit, one after the other, and repeats what failed for a passing reason. */
export class Autosave {
  /** Objects with edits that are not saved, and the timer of their next attempt. */
  private readonly pending = new Map<string, ReturnType<typeof setTimeout> | null>();
  /** Objects whose edits were refused; the next edit tries again. */
  private readonly refused = new Map<string, Error>();
  private running: Promise<void> = Promise.resolve();
  private retryMs: number;
  private status: SaveStatus = { kind: 'saved' };

  constructor(private readonly options: AutosaveOptions) {
    this.retryMs = options.firstRetryMs ?? FIRST_RETRY_MS;
  }

  get hasUnsaved(): boolean {
    return this.pending.size > 0 || this.refused.size > 0;
  }

  isUnsaved(key: string): boolean {
    return this.pending.has(key) || this.refused.has(key);
  }

  /** Call after every edit of the object. */
  schedule(key: string): void {
    this.refused.delete(key);
    this.setTimer(key, this.options.delayMs ?? DELAY_MS);
    this.setStatus({ kind: 'saving' });
  }

  /** Forgets the edits of an object that no longer exists. */
  discard(key: string): void {
    this.clearTimer(key);
    this.pending.delete(key);
    this.refused.delete(key);
    this.updateStatus();
  }

  /** Saves everything now. Resolves after the attempt, whether it succeeds or not. */
  async flush(): Promise<void> {
    for (const key of [...this.pending.keys()]) this.attempt(key);
    await this.running;
  }

  private attempt(key: string): void {
    this.clearTimer(key);
    this.running = this.running.then(async () => {
      // An earlier attempt in the queue may have saved these edits.
      if (!this.pending.has(key)) return;
      this.pending.set(key, null);
      try {
        await this.options.save(key);
        // An edit during the request has set a timer.
        if (this.pending.get(key) === null) this.pending.delete(key);
        this.retryMs = this.options.firstRetryMs ?? FIRST_RETRY_MS;
        this.updateStatus();
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        this.handleFailure(key, error);
      }
    });
  }

  private handleFailure(key: string, error: Error): void {
    const isEditedSince = this.pending.get(key) !== null;
    if (this.options.isTransient(error)) {
      if (!isEditedSince) this.setTimer(key, this.retryMs);
      this.retryMs = Math.min(2 * this.retryMs, MAX_RETRY_MS);
      this.setStatus({ kind: 'failed', error, isRetrying: true });
      return;
    }
    if (isEditedSince) return;
    this.pending.delete(key);
    this.refused.set(key, error);
    this.updateStatus();
  }

  private updateStatus(): void {
    const [error] = this.refused.values();
    if (this.pending.size > 0) this.setStatus({ kind: 'saving' });
    else if (error !== undefined) this.setStatus({ kind: 'failed', error, isRetrying: false });
    else this.setStatus({ kind: 'saved' });
  }

  private setStatus(status: SaveStatus): void {
    if (status.kind === this.status.kind && status.kind !== 'failed') return;
    this.status = status;
    this.options.onStatus(status);
  }

  private setTimer(key: string, delayMs: number): void {
    this.clearTimer(key);
    this.pending.set(
      key,
      setTimeout(() => this.attempt(key), delayMs),
    );
  }

  private clearTimer(key: string): void {
    const timer = this.pending.get(key);
    if (timer !== undefined && timer !== null) clearTimeout(timer);
  }
}
