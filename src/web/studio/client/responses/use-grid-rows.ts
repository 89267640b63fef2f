import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { type Parameters, readApi, type Schema } from '../data/api.ts';

type Row = Schema<'ResponseRow'>;
type GridQuery = NonNullable<Parameters<'/api/responses/{surveyId}/grid', 'get'>['query']>;

const PAGE_SIZE = 100;

interface GridRows {
  columns: readonly Schema<'Column'>[];
  /** Those that are loaded. */
  rows: readonly Row[];
  total: number;
  hasMore: boolean;
  error: ApiError | null;
  /** False before the first page. */
  isLoaded: boolean;
  isLoading: boolean;
}

const EMPTY: GridRows = {
  columns: [],
  rows: [],
  total: 0,
  hasMore: true,
  error: null,
  isLoaded: false,
  isLoading: false,
};

/**
 * Loads the rows of the grid in pages, one request at a time. Another query or another `version` starts with the first page; the
 * previous rows stay until it arrives. `query` null: loads nothing yet.
 */
export function useGridRows(
  surveyId: number,
  query: GridQuery | null,
  version: number,
): GridRows & { loadMore: () => void } {
  const [state, setState] = useState(EMPTY);
  const cursor = useRef<string | null>(null);
  /** The request whose reply counts; null: none is under way. */
  const request = useRef<symbol | null>(null);
  const key = JSON.stringify([surveyId, query, version]);

  const load = useCallback(
    async (isFirst: boolean) => {
      if (query === null) return;
      const current = Symbol(key);
      request.current = current;
      setState((previous) => ({ ...previous, isLoading: true, error: null }));
      try {
        const { data, meta } = await readApi('/api/responses/{surveyId}/grid', {
          path: { surveyId },
          query: { ...query, limit: PAGE_SIZE, ...(isFirst ? {} : { cursor: cursor.current ?? undefined }) },
        });
        if (request.current !== current) return;
        cursor.current = meta?.next_cursor ?? null;
        setState((previous) => ({
          columns: data.columns,
          rows: isFirst ? data.rows : [...previous.rows, ...data.rows],
          total: meta?.total ?? data.rows.length,
          hasMore: cursor.current !== null,
          error: null,
          isLoaded: true,
          isLoading: false,
        }));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (request.current === current) setState((previous) => ({ ...previous, error, isLoading: false }));
      } finally {
        if (request.current === current) request.current = null;
      }
    },
    [key],
  );
  useEffect(() => {
    void load(true);
    return () => {
      request.current = null;
    };
  }, [load]);
  const loadMore = useCallback(() => {
    if (request.current === null && cursor.current !== null) void load(false);
  }, [load]);
  return { ...state, loadMore };
}
