/** Hands on what one side says as soon as the other asks for it; the one that says it never waits. */
export class AsyncQueue<T> implements AsyncIterable<T> {
  private readonly items: T[] = [];
  private ended: { error: unknown } | 'well' | null = null;
  private wake: () => void = () => undefined;

  put(item: T): void {
    this.items.push(item);
    this.wake();
  }

  end(): void {
    this.ended ??= 'well';
    this.wake();
  }

  fail(error: unknown): void {
    this.ended ??= { error };
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const next = this.items.shift();
      if (next !== undefined) yield next;
      else if (this.ended === 'well') return;
      else if (this.ended !== null) throw this.ended.error;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
