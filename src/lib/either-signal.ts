import { setMaxListeners } from 'node:events';

/**
 * Fires as soon as one of them does, with its reason; to be untied when nobody minds any more. Not `AbortSignal.any`: on Node 20 what it
 * gives may be collected, listeners and all, before it fires.
 */
export function eitherSignal(...signals: readonly AbortSignal[]): { signal: AbortSignal; untie: () => void } {
  const either = new AbortController();
  // Clients leave a listener on it with each call.
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
