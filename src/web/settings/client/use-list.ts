import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../shared/client/call-failed.ts';
import { fetchList } from './api.ts';

export interface ListState<T> {
  /** null before the first reply. While another list is loading, the previous one stays. */
  items: readonly T[] | null;
  total: number | null;
  failure: ApiError | null;
  busy: boolean;
  /** Loads the next items; null if the list is complete. */
  more: (() => Promise<void>) | null;
  reload: () => Promise<void>;
}

interface State<T> {
  items: readonly T[] | null;
  total: number | null;
  cursor: string | null;
  failure: ApiError | null;
  busy: boolean;
}

/** Loads a list of the API, and reloads it when `path` changes. */
export function useList<T>(path: string): ListState<T> {
  const [state, setState] = useState<State<T>>({
    items: null,
    total: null,
    cursor: null,
    failure: null,
    busy: true,
  });
  const newest = useRef(0);

  const fetchPart = useCallback(
    async (before: readonly T[], cursor: string | null) => {
      newest.current += 1;
      const mine = newest.current;
      setState((now) => ({ ...now, busy: true }));
      try {
        const joint = path.includes('?') ? '&' : '?';
        const address = cursor === null ? path : `${path}${joint}cursor=${encodeURIComponent(cursor)}`;
        const { data, meta } = await fetchList<T>(address);
        if (mine !== newest.current) return;
        setState({
          items: [...before, ...data],
          total: meta?.total ?? null,
          cursor: meta?.next_cursor ?? null,
          failure: null,
          busy: false,
        });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (mine === newest.current) setState((now) => ({ ...now, failure: error, busy: false }));
      }
    },
    [path],
  );
  const reload = useCallback(() => fetchPart([], null), [fetchPart]);
  useEffect(() => {
    void reload();
    return () => {
      newest.current += 1;
    };
  }, [reload]);

  const { items, total, cursor, failure, busy } = state;
  const more = cursor === null || items === null ? null : () => fetchPart(items, cursor);
  return { items, total, failure, busy, more, reload };
}
