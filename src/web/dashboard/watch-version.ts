/** Longest delay until a viewer learns of a change. */
const POLL_EVERY_MS = 3_000;

/** Wakes all waiting streams at the same time, so that their queries are batched. */
class PollTimer {
  private waiting: (() => void)[] = [];
  private timer: NodeJS.Timeout | null = null;

  next(left: AbortSignal): Promise<void> {
    this.timer ??= setTimeout(() => this.wake(), POLL_EVERY_MS).unref();
    return new Promise((resolve) => {
      const wake = () => {
        left.removeEventListener('abort', wake);
        resolve();
      };
      left.addEventListener('abort', wake);
      this.waiting.push(wake);
    });
  }

  private wake(): void {
    this.timer = null;
    const woken = this.waiting;
    this.waiting = [];
    for (const wake of woken) wake();
  }
}

const pollTimer = new PollTimer();

/** Yields the version of a dashboard immediately and after each change. `look` returns the version, and throws when access has ended. */
export async function* watchVersion(
  look: () => Promise<string>,
  left: AbortSignal,
): AsyncGenerator<{ data: { version: string } }> {
  let last = '';
  while (!left.aborted) {
    const version = await look();
    if (version !== last) yield { data: { version } };
    last = version;
    await pollTimer.next(left);
  }
}
