import { anySignal } from '../../../../lib/concurrency.ts';

/**
 * Maps items with limited concurrency; results keep the order of the items. After the first failure aborts the others and throws when all
 * have ended, so that their token usage is recorded.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failed = new AbortController();
  const combinedSignal = anySignal(signal, failed.signal);
  let failure: { error: unknown } | null = null;
  let next = 0;
  const runNext = async () => {
    while (next < items.length && failure === null) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(items[index]!, combinedSignal.signal);
      } catch (error) {
        failure ??= { error };
        failed.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runNext));
  combinedSignal.dispose();
  if (failure !== null) throw (failure as { error: unknown }).error;
  return results;
}
