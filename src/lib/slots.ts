/** A semaphore: at most `count` callers hold a slot; the others wait, first come, first served. */
export class Slots {
  private free: number;
  private readonly waiting: ((release: () => void) => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** Resolves with a function that gives the slot back; calling it again does nothing. */
  take(): Promise<() => void> {
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve(this.held());
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** As `take`, but null when no slot is free within `timeoutMs`. */
  takeWithin(timeoutMs: number): Promise<(() => void) | null> {
    if (this.free > 0) return this.take();
    return new Promise((resolve) => {
      const receive = (release: () => void) => {
        clearTimeout(timer);
        resolve(release);
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(receive), 1);
        resolve(null);
      }, timeoutMs);
      this.waiting.push(receive);
    });
  }

  private held(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next(this.held());
    };
  }
}
