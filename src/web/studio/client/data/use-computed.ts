import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';

interface Computed<T> {
  /** Of the last request that succeeded; null: none yet. */
  data: T | null;
  /** Of the last request; null: it succeeded, or there was none. */
  error: ApiError | null;
  isLoading: boolean;
}

/**
 * Sends a request that computes something, which is a POST and so not in the cache of replies, whenever `key` changes. `key` null: nothing is
 * computed. While another request runs, the previous result stays.
 */
export function useComputed<T>(key: string | null, compute: () => Promise<T>, delayMs = 0): Computed<T> {
  const [state, setState] = useState<Computed<T>>({ data: null, error: null, isLoading: false });
  useEffect(() => {
    if (key === null) {
      setState((last) => ({ ...last, error: null, isLoading: false }));
      return undefined;
    }
    let isCurrent = true;
    setState((last) => ({ ...last, isLoading: true }));
    const run = async () => {
      try {
        const data = await compute();
        if (isCurrent) setState({ data, error: null, isLoading: false });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (isCurrent) setState((last) => ({ ...last, error, isLoading: false }));
      }
    };
    const timer = setTimeout(() => void run(), delayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);
  return state;
}
