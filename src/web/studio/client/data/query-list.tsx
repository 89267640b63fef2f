import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Parameters, PathsWith, ReplyData } from './api.ts';
import { type Query, useQuery } from './queries.ts';
import { QueryView } from './query-view.tsx';
import { PAGE_SIZE, ShowMore } from './show-more.tsx';

/** A list of the API that shows a page at first, and more on request. */
export interface ListQuery<T> extends Query<readonly T[]> {
  limit: number;
  setLimit: (limit: number) => void;
}

/** Reads a list as `useQuery` does. While a list with other parameters is loading, the previous one stays. */
export function useList<P extends PathsWith<'get'>>(
  path: P,
  { query = {}, ...parameters }: { path?: object; query?: object } = {},
): ListQuery<ReplyData<P, 'get'> extends readonly (infer Item)[] ? Item : never> {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const list = useQuery(
    path,
    { ...parameters, query: { ...query, limit } } as unknown as Parameters<P, 'get'>,
    {
      keepPrevious: true,
    },
  );
  return { ...(list as Query<never>), limit, setLimit };
}

/** A list that is loading, failed, empty or loaded. */
export function ListView<T>({
  list,
  label,
  empty,
  children,
}: {
  list: ListQuery<T>;
  label: string;
  /** Shown instead of an empty list. */
  empty: ComponentChildren;
  children: (item: T) => ComponentChildren;
}) {
  return (
    <QueryView query={list}>
      {(items) =>
        items.length === 0 ? (
          <div class="blank">{empty}</div>
        ) : (
          <>
            <ul class="card rows" aria-label={label} aria-busy={list.isLoading}>
              {items.map(children)}
            </ul>
            <ShowMore total={list.total} limit={list.limit} onChange={list.setLimit} />
          </>
        )
      }
    </QueryView>
  );
}
