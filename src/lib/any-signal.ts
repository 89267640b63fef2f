import { setMaxListeners } from 'node:events';

/**
 * Returns a signal that aborts with the first of these signals and with its reason. Unlike `AbortSignal.any`, it can be disposed when the
 * work is done, so that long-lived signals keep no reference to it, and it accepts any number of listeners.
 */
export function anySignal(...signals: readonly AbortSignal[]): { signal: AbortSignal; untie: () => void } {
  const either = new AbortController();
  setMaxListeners(0, either.signal);
  const ties = signals.map((signal) => {
    const stop = () => either.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    return () => signal.removeEventListener('abort', stop);
  });
  const untie = () => {
    for (const loosen of ties) loosen();
  };
  return { signal: either.signal, untie };
}
