import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dataset } from '../../../../domain/dataset/dataset.ts';

/** So long others wait at most for their turn, but for one walk over the responses. */
const MAX_BLOCKING_MS = 15;

/** The responses changed while they were looked at. */
export const DATASET_CHANGED = Symbol('changed');

/** Works in turns with others. Ends when the signal fires, and, where that is minded, when the responses change. */
export async function runWhileUnchanged<T>(
  work: Generator<unknown, T>,
  { dataset, mindsChanges, signal }: { dataset: Dataset; mindsChanges: boolean; signal: AbortSignal },
): Promise<T | typeof DATASET_CHANGED> {
  const { revision } = dataset;
  let turnBegan = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - turnBegan < MAX_BLOCKING_MS) continue;
    await nextTurn();
    signal.throwIfAborted();
    if (mindsChanges && dataset.revision !== revision) return DATASET_CHANGED;
    turnBegan = performance.now();
  }
}
