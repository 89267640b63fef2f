import { setMaxListeners } from 'node:events';

/**
 * Fires as soon as one of them does, with its reason. Unlike what `AbortSignal.any` gives, it can be untied when the work is over, so that
 * nothing of it stays with signals that live longer; and clients may leave as many listeners on it as they like.
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
