import { setMaxListeners } from 'node:events';

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
