import { setMaxListeners } from 'node:events';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** A mutex per key: work for the same key runs in the order of arrival, work for different keys runs concurrently. */
export class KeyedMutex<Key> {
  /** By key: settles when the last queued work has ended, whether it succeeded or failed. */
  private readonly tails = new Map<Key, Promise<void>>();

  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const previous = this.tails.get(key);
    let release: () => void = () => undefined;
    const tail = new Promise<void>((resolve) => (release = resolve));
    this.tails.set(key, tail);
    try {
      await previous;
      return await work();
    } finally {
      release();
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}

/** Lets at most `count` callers work at a time; the others wait in the order of arrival. */
export class Semaphore {
  private available: number;
  private readonly waiters: ((release: () => void) => void)[] = [];

  constructor(count: number) {
    this.available = count;
  }

  /** Resolves with a function that releases the permit; further calls of that function have no effect. */
  acquire(): Promise<() => void> {
    if (this.available > 0) {
      this.available -= 1;
      return Promise.resolve(this.createRelease());
    }
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  /** Like `acquire`, but resolves with null if no permit becomes available within `timeoutMs`. */
  acquireWithin(timeoutMs: number): Promise<(() => void) | null> {
    if (this.available > 0) return this.acquire();
    return new Promise((resolve) => {
      const receive = (release: () => void) => {
        clearTimeout(timer);
        resolve(release);
      };
      const timer = setTimeout(() => {
        this.waiters.splice(this.waiters.indexOf(receive), 1);
        resolve(null);
      }, timeoutMs);
      this.waiters.push(receive);
    });
  }

  private createRelease(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.waiters.shift();
      if (next === undefined) this.available += 1;
      else next(this.createRelease());
    };
  }
}

/**
 * Returns a signal that aborts with the first of these signals and with its reason. Unlike `AbortSignal.any`, it can be disposed when the
 * work is done, so that long-lived signals keep no reference to it, and it accepts any number of listeners.
 */
export function anySignal(...signals: readonly AbortSignal[]): { signal: AbortSignal; dispose: () => void } {
  const combined = new AbortController();
  setMaxListeners(0, combined.signal);
  const removers = signals.map((signal) => {
    const abort = () => combined.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    return () => signal.removeEventListener('abort', abort);
  });
  const dispose = () => {
    for (const remove of removers) remove();
  };
  return { signal: combined.signal, dispose: dispose };
}

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

/** Maximum time that the event loop is blocked, provided that single steps are short. */
const MAX_BLOCKING_MS = 8;
/** Reading the clock takes as long as a short step, so it is read only after several steps. */
const STEPS_PER_CLOCK_CHECK = 8;

/** Runs a generator to completion and returns its result. Yields to the event loop between steps; throws the signal’s reason when it aborts. */
export async function runYielding<T>(work: Generator<unknown, T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  let since = performance.now();
  for (let steps = 1; ; steps += 1) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (steps % STEPS_PER_CLOCK_CHECK !== 0 || performance.now() - since < MAX_BLOCKING_MS) continue;
    await yieldToEventLoop();
    signal?.throwIfAborted();
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
