/**
 * Combines concurrent look-ups: those that arrive while a batch is running share the next batch. Every key is read after its caller asked,
 * so the result is never stale; this is not a cache.
 */
export function coalesceCalls<K, V>(
  readMany: (keys: K[]) => Promise<Map<K, V>>,
  { maxKeys = 500, maxRunning = 2 } = {},
): (key: K) => Promise<V | undefined> {
  type Waiting = { key: K; resolve: (value: V | undefined) => void; reject: (error: unknown) => void };
  const waiting: Waiting[] = [];
  let scheduled = false;
  let running = 0;

  async function round(): Promise<void> {
    scheduled = false;
    const batch = waiting.splice(0, maxKeys);
    if (batch.length === 0) return;
    running += 1;
    try {
      const found = await readMany([...new Set(batch.map((one) => one.key))]);
      for (const one of batch) one.resolve(found.get(one.key));
    } catch (error) {
      for (const one of batch) one.reject(error);
    } finally {
      running -= 1;
      schedule();
    }
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0 || running >= maxRunning) return;
    scheduled = true;
    setImmediate(() => void round());
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      schedule();
    });
}
