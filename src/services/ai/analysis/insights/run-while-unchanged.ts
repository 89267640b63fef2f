import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dataset } from '../../../../domain/dataset/dataset.ts';

/** Longest time that the event loop is blocked, apart from a single scan of the responses. */
const MAX_BLOCKING_MS = 15;

/** Returned if the responses changed during the computation. */
export const DATASET_CHANGED = Symbol('changed');

/**
 * Runs a generator to completion and yields to the event loop in between. Throws when the signal aborts; with `stopOnChange` returns
 * `DATASET_CHANGED` as soon as responses change.
 */
export async function runWhileUnchanged<T>(
  work: Generator<unknown, T>,
  { dataset, stopOnChange, signal }: { dataset: Dataset; stopOnChange: boolean; signal: AbortSignal },
): Promise<T | typeof DATASET_CHANGED> {
  const { revision } = dataset;
  let turnBegan = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - turnBegan < MAX_BLOCKING_MS) continue;
    await nextTurn();
    signal.throwIfAborted();
    if (stopOnChange && dataset.revision !== revision) return DATASET_CHANGED;
    turnBegan = performance.now();
  }
}
