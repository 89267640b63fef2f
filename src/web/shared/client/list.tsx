import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, fetchList } from './api.ts';
import { errorMessage } from './form-errors.ts';
import { SIGNED_IN_AGAIN } from './session.ts';
import { componentTexts } from './texts.ts';

export interface ListState<T> {
  /** null before the first reply. While another list is loading, the previous one stays. */
  items: readonly T[] | null;
  total: number | null;
  error: ApiError | null;
  isBusy: boolean;
  /** Loads the next items; null if the list is complete. */
  loadMore: (() => Promise<void>) | null;
  reload: () => Promise<void>;
}

interface State<T> {
  items: readonly T[] | null;
  total: number | null;
  cursor: string | null;
  error: ApiError | null;
  isBusy: boolean;
}

/** Loads a list of the API, and reloads it when `path` changes. */
export function useList<T>(path: string): ListState<T> {
  const [state, setState] = useState<State<T>>({
    items: null,
    total: null,
    cursor: null,
    error: null,
    isBusy: true,
  });
  const latestRequest = useRef(0);

  const fetchPage = useCallback(
    async (previousItems: readonly T[], cursor: string | null) => {
      latestRequest.current += 1;
      const request = latestRequest.current;
      setState((previous) => ({ ...previous, isBusy: true }));
      try {
        const separator = path.includes('?') ? '&' : '?';
        const address = cursor === null ? path : `${path}${separator}cursor=${encodeURIComponent(cursor)}`;
        const { data, meta } = await fetchList<T>(address);
        if (request !== latestRequest.current) return;
        setState({
          items: [...previousItems, ...data],
          total: meta?.total ?? null,
          cursor: meta?.next_cursor ?? null,
          error: null,
          isBusy: false,
        });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (request === latestRequest.current)
          setState((previous) => ({ ...previous, error, isBusy: false }));
      }
    },
    [path],
  );
  const reload = useCallback(() => fetchPage([], null), [fetchPage]);
  useEffect(() => {
    void reload();
    const reloadAgain = () => void reload();
    addEventListener(SIGNED_IN_AGAIN, reloadAgain);
    return () => {
      latestRequest.current += 1;
      removeEventListener(SIGNED_IN_AGAIN, reloadAgain);
    };
  }, [reload]);

  const { items, total, cursor, error, isBusy } = state;
  const loadMore = cursor === null || items === null ? null : () => fetchPage(items, cursor);
  return { items, total, error, isBusy, loadMore, reload };
}

/** A list that is loading, failed, empty or loaded. */
export function ListView<T>({
  list,
  label,
  empty,
  children,
}: {
  list: ListState<T>;
  label: string;
  /** Shown instead of an empty list. */
  empty: ComponentChildren;
  children: (item: T) => ComponentChildren;
}) {
  const { items, error, isBusy, loadMore, reload } = list;
  if (error !== null) {
    return (
      <div class="blank" role="alert">
        <p>{errorMessage(error)}</p>
        <button type="button" class="button" onClick={() => void reload()}>
          {componentTexts.tryAgain}
        </button>
      </div>
    );
  }
  if (items === null) {
    return (
      <div class="card waiting" aria-busy="true">
        <p class="visually-hidden">{componentTexts.loading}</p>
        <i />
        <i />
        <i />
      </div>
    );
  }
  if (items.length === 0) return <div class="blank">{empty}</div>;
  return (
    <>
      <ul class="card rows" aria-label={label} aria-busy={isBusy}>
        {items.map(children)}
      </ul>
      {loadMore !== null && (
        <button
          type="button"
          class="button more"
          aria-disabled={isBusy}
          onClick={() => void (isBusy ? null : loadMore())}
        >
          {componentTexts.showMore}
        </button>
      )}
    </>
  );
}
