/** Longest delay until a viewer learns of a change. */
const POLL_EVERY_MS = 3_000;

/** Wakes all waiting streams at the same time, so that their queries are batched. */
class PollTimer {
  private waiters: (() => void)[] = [];
  private timer: NodeJS.Timeout | null = null;

  next(signal: AbortSignal): Promise<void> {
    this.timer ??= setTimeout(() => this.wake(), POLL_EVERY_MS).unref();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      signal.addEventListener('abort', wake);
      this.waiters.push(wake);
    });
  }

  private wake(): void {
    this.timer = null;
    const wokenWaiters = this.waiters;
    this.waiters = [];
    for (const wake of wokenWaiters) wake();
  }
}

const pollTimer = new PollTimer();

/** Yields the version of a dashboard immediately and after each change. `look` returns the version, and throws when access has ended. */
export async function* watchVersion(
  readVersion: () => Promise<string>,
  signal: AbortSignal,
): AsyncGenerator<{ data: { version: string } }> {
  let last = '';
  while (!signal.aborted) {
    const version = await readVersion();
    if (version !== last) yield { data: { version } };
    last = version;
    await pollTimer.next(signal);
  }
}
