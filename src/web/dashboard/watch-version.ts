/** How soon whoever looks on learns that something is new. */
const POLL_EVERY_MS = 3_000;

/** Wakes everybody who waits at the same moment, so that their questions to the database travel together. */
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

/** The version of a dashboard, at once and whenever it is another. `look` throws once it may not be looked at any more. */
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
