/** Unbounded queue between a synchronous producer and an asynchronous consumer. */
export class AsyncQueue<T> implements AsyncIterable<T> {
  private readonly items: T[] = [];
  private outcome: { error: unknown } | 'well' | null = null;
  private wake: () => void = () => undefined;

  put(item: T): void {
    this.items.push(item);
    this.wake();
  }

  end(): void {
    this.outcome ??= 'well';
    this.wake();
  }

  fail(error: unknown): void {
    this.outcome ??= { error };
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const next = this.items.shift();
      if (next !== undefined) yield next;
      else if (this.outcome === 'well') return;
      else if (this.outcome !== null) throw this.outcome.error;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
