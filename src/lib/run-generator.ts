import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Maximum time that the event loop is blocked, provided that single steps are short. */
const MAX_BLOCKING_MS = 8;
/** Reading the clock takes as long as a short step, so it is read only after several steps. */
const STEPS_PER_CLOCK_CHECK = 8;

/** Runs a generator to completion and returns its result. Yields to the event loop between steps; throws the signal’s reason when it aborts. */
export async function runYielding<T>(work: Generator<unknown, T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let since = performance.now();
  for (let steps = 1; ; steps += 1) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (steps % STEPS_PER_CLOCK_CHECK !== 0 || performance.now() - since < MAX_BLOCKING_MS) continue;
    await yieldToEventLoop();
    signal.throwIfAborted();
    since = performance.now();
  }
}

/** Runs a generator without pauses and returns its result, for work that takes milliseconds or runs on a separate thread. */
export function runToCompletion<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
