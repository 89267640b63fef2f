import { setImmediate as nextTurn } from 'node:timers/promises';

/** Others have their turn after so long. */
const AT_A_STRETCH_MS = 8;
/** To ask for the time takes as long as a short step. */
const STEPS_BETWEEN_LOOKS = 8;

/** Others have their turn now and then, wherever the work pauses. Ends when the signal fires. */
export async function inTurns<T>(work: Generator<unknown, T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let since = performance.now();
  for (let steps = 1; ; steps += 1) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (steps % STEPS_BETWEEN_LOOKS !== 0 || performance.now() - since < AT_A_STRETCH_MS) continue;
    await nextTurn();
    signal.throwIfAborted();
    since = performance.now();
  }
}
