/** Runs work for one key after the other; keys do not wait for each other. */
export class Turns<Key> {
  /** By key, when the last one in the queue has ended, however it ended. */
  private readonly ends = new Map<Key, Promise<void>>();

  async take<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const before = this.ends.get(key);
    let ended: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => (ended = resolve));
    this.ends.set(key, mine);
    try {
      await before;
      return await work();
    } finally {
      ended();
      if (this.ends.get(key) === mine) this.ends.delete(key);
    }
  }
}
