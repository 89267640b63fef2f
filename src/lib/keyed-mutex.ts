/** A mutex per key: work for the same key runs in the order of arrival, work for different keys runs concurrently. */
export class KeyedMutex<Key> {
  /** By key: settles when the last queued work has ended, whether it succeeded or failed. */
  private readonly tails = new Map<Key, Promise<void>>();

  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const previous = this.tails.get(key);
    let release: () => void = () => undefined;
    const tail = new Promise<void>((resolve) => (release = resolve));
    this.tails.set(key, tail);
    try {
      await previous;
      return await work();
    } finally {
      release();
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}
