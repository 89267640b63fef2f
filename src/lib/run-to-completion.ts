/** What a generator returns, its pauses left out: for work that takes milliseconds, or that nobody waits beside. */
export function runToCompletion<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
