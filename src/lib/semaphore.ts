/** Lets at most `count` callers work at a time; the others wait in the order of arrival. */
export class Semaphore {
  private available: number;
  private readonly waiters: ((release: () => void) => void)[] = [];

  constructor(count: number) {
    this.available = count;
  }

  /** Resolves with a function that releases the permit; further calls of that function have no effect. */
  acquire(): Promise<() => void> {
    if (this.available > 0) {
      this.available -= 1;
      return Promise.resolve(this.createRelease());
    }
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  /** Like `acquire`, but resolves with null if no permit becomes available within `timeoutMs`. */
  acquireWithin(timeoutMs: number): Promise<(() => void) | null> {
    if (this.available > 0) return this.acquire();
    return new Promise((resolve) => {
      const receive = (release: () => void) => {
        clearTimeout(timer);
        resolve(release);
      };
      const timer = setTimeout(() => {
        this.waiters.splice(this.waiters.indexOf(receive), 1);
        resolve(null);
      }, timeoutMs);
      this.waiters.push(receive);
    });
  }

  private createRelease(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.waiters.shift();
      if (next === undefined) this.available += 1;
      else next(this.createRelease());
    };
  }
}
