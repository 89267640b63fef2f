import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, fetchReply, type Reply } from '../../../shared/client/api.ts';
import { apiAddress, type Parameters, type PathsWith, type ReplyData } from './api.ts';
import { QueryCache } from './query-cache.ts';

export const queryCache = new QueryCache(fetchReply);

/** Reloads everything that is shown of the addresses below these paths, after a change. */
export const reloadQueries = (...paths: readonly string[]): Promise<void> => queryCache.reload(...paths);

export interface Query<T> {
  /** undefined before the first reply. While it is reloaded, the previous one stays. */
  data: T | undefined;
  /** Items in the whole list; null if the reply is no list. */
  total: number | null;
  error: ApiError | null;
  isLoading: boolean;
  reload: () => Promise<void>;
}

/**
 * Reads from the API through the cache, and renders again after every change. `parameters` null: reads nothing yet.
 * `keepPrevious`: until other parameters have a reply, the data of the previous ones stay, so that a list does not flicker.
 */
export function useQuery<P extends PathsWith<'get'>>(
  path: P,
  parameters: Parameters<P, 'get'> | null,
  { keepPrevious = false }: { keepPrevious?: boolean } = {},
): Query<ReplyData<P, 'get'>> {
  const address = parameters === null ? null : apiAddress(path, parameters);
  const [, rerender] = useState({});
  const previous = useRef<Reply<ReplyData<P, 'get'>> | undefined>(undefined);
  useEffect(() => {
    if (address === null) return undefined;
    const unsubscribe = queryCache.subscribe(address, () => rerender({}));
    // The data may have changed between rendering and this effect.
    rerender({});
    return unsubscribe;
  }, [address]);
  const reload = useCallback(
    () => (address === null ? Promise.resolve() : queryCache.load(address)),
    [address],
  );
  if (address === null) return { data: undefined, total: null, error: null, isLoading: false, reload };
  const { data, error, isLoading } = queryCache.read(address);
  if (error !== null && !(error instanceof ApiError)) throw error;
  const loaded = data as Reply<ReplyData<P, 'get'>> | undefined;
  if (loaded !== undefined) previous.current = loaded;
  const reply = loaded ?? (keepPrevious && error === null ? previous.current : undefined);
  return { data: reply?.data, total: reply?.meta?.total ?? null, error, isLoading, reload };
}
