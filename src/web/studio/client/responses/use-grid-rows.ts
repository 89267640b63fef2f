import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { type Parameters, readApi, type Schema } from '../data/api.ts';

type Row = Schema<'ResponseRow'>;
type GridQuery = NonNullable<Parameters<'/api/responses/{surveyId}/grid', 'get'>['query']>;

/** Rows of a request: several times what is visible, so that scrolling rarely waits. */
const PAGE_SIZE = 200;
/** Pages that stay in memory. Those far from the visible rows are requested again. */
const MAX_PAGES = 25;
/** While the user scrolls past, nothing is requested. */
const SETTLE_MS = 80;

interface GridState {
  columns: readonly Schema<'Column'>[];
  /** Loaded rows by page number, from 1. */
  pages: ReadonlyMap<number, readonly Row[]>;
  total: number;
  error: ApiError | null;
  /** False before the first page. */
  isLoaded: boolean;
  isLoading: boolean;
}

const EMPTY: GridState = {
  columns: [],
  pages: new Map(),
  total: 0,
  error: null,
  isLoaded: false,
  isLoading: false,
};

export interface GridRows extends Omit<GridState, 'pages'> {
  /** The row at an index from 0; undefined: not loaded. */
  rowAt: (index: number) => Row | undefined;
  /** Loads the rows from `start` to before `end` unless they are loaded. Call it whenever other rows become visible. */
  show: (start: number, end: number) => void;
  /** Loads what failed again. */
  retry: () => void;
}

/** Numbers, from 1, of the pages that contain the rows from `start` to before `end`. */
export function pagesOfRows(start: number, end: number): number[] {
  const first = Math.floor(start / PAGE_SIZE) + 1;
  const last = Math.floor(Math.max(start, end - 1) / PAGE_SIZE) + 1;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The pages without those that are farthest from `center`, at most `MAX_PAGES`. */
function nearestPages<T>(pages: ReadonlyMap<number, T>, center: number): ReadonlyMap<number, T> {
  if (pages.size <= MAX_PAGES) return pages;
  const byDistance = [...pages].sort(([a], [b]) => Math.abs(a - center) - Math.abs(b - center));
  return new Map(byDistance.slice(0, MAX_PAGES));
}

/**
 * Loads the visible rows of the grid in pages, one request at a time. Another query or another `version` starts again; the previous
 * rows stay until the first reply.
 */
export function useGridRows(surveyId: number, query: GridQuery, version: number): GridRows {
  const [state, setState] = useState(EMPTY);
  const loaded = useRef<ReadonlyMap<number, readonly Row[]>>(EMPTY.pages);
  const visible = useRef({ start: 0, end: 1 });
  /** The request whose reply counts; null: none is under way. */
  const request = useRef<symbol | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const key = JSON.stringify([surveyId, query, version]);

  const loadMissing = useCallback(async () => {
    const { start, end } = visible.current;
    const page = pagesOfRows(start, end).find((each) => !loaded.current.has(each));
    if (page === undefined || request.current !== null) return;
    const current = Symbol(key);
    request.current = current;
    setState((previous) => ({ ...previous, isLoading: true, error: null }));
    try {
      const { data, meta } = await readApi('/api/responses/{surveyId}/grid', {
        path: { surveyId },
        query: { ...query, limit: PAGE_SIZE, page },
      });
      if (request.current !== current) return;
      loaded.current = nearestPages(new Map(loaded.current).set(page, data.rows), page);
      const pages = loaded.current;
      const total = meta?.total ?? data.rows.length;
      setState({ columns: data.columns, pages, total, error: null, isLoaded: true, isLoading: false });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (request.current !== current) return;
      request.current = null;
      setState((previous) => ({ ...previous, error, isLoading: false }));
      return;
    }
    request.current = null;
    // Other rows may have become visible during the request.
    await loadMissing();
  }, [key]);

  useEffect(() => {
    loaded.current = EMPTY.pages;
    visible.current = { start: 0, end: 1 };
    void loadMissing();
    return () => {
      request.current = null;
      clearTimeout(timer.current);
    };
  }, [loadMissing]);

  const show = useCallback(
    (start: number, end: number) => {
      visible.current = { start, end };
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void loadMissing(), SETTLE_MS);
    },
    [loadMissing],
  );
  const retry = useCallback(() => void loadMissing(), [loadMissing]);
  const { pages, ...rest } = state;
  const rowAt = (index: number) => pages.get(Math.floor(index / PAGE_SIZE) + 1)?.[index % PAGE_SIZE];
  return { ...rest, rowAt, show, retry };
}
