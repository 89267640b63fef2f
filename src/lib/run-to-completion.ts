/** Runs a generator without pauses and returns its result, for work that takes milliseconds or runs on a separate thread. */
export function runToCompletion<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
