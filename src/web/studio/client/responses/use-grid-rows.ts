import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { type Parameters, readApi, type Schema } from '../data/api.ts';

type Row = Schema<'ResponseRow'>;
type Counted = Pick<Schema<'CountedResponses'>, 'test_responses_included' | 'quality_included'>;
type GridQuery = NonNullable<Parameters<'/api/responses/{surveyId}/grid', 'get'>['query']>;

/** Rows of a request: several times what is visible, so that scrolling rarely waits. */
const PAGE_SIZE = 200;
/** The API returns no more at once. */
const MAX_PAGE_SIZE = 1000;
/** Between the sizes that are tried for rows on both sides of a page boundary. */
const SIZE_STEP = 20;
/** Rows that stay in memory. Those far from the visible rows are requested again. */
const MAX_ROWS = 5_000;
/** While the user scrolls past, nothing is requested. */
const SETTLE_MS = 80;

interface GridState {
  columns: readonly Schema<'Column'>[];
  /** Loaded rows by index, from 0. */
  rows: ReadonlyMap<number, Row>;
  total: number;
  /** How many of them are tests or left out. */
  counted: Counted | null;
  error: ApiError | null;
  /** False before the first page. */
  isLoaded: boolean;
  isLoading: boolean;
}

const EMPTY: GridState = {
  columns: [],
  rows: new Map(),
  total: 0,
  counted: null,
  error: null,
  isLoaded: false,
  isLoading: false,
};

export interface GridRows extends Omit<GridState, 'rows'> {
  /** The row at an index from 0; undefined: not loaded. */
  rowAt: (index: number) => Row | undefined;
  /** Loads the rows from `start` to before `end` unless they are loaded. Call it whenever other rows become visible. */
  show: (start: number, end: number) => void;
  /** Waits longer before rows are loaded, because the user still scrolls. */
  postpone: () => void;
  /** Loads what failed again. */
  retry: () => void;
}

/** The page with the rows from `start` to before `end`. Its size is such that one request loads them all. */
export function pageOfRows(start: number, end: number): { limit: number; page: number } {
  const last = Math.max(start, end - 1);
  for (let limit = PAGE_SIZE; limit <= MAX_PAGE_SIZE; limit += SIZE_STEP) {
    const page = Math.floor(start / limit) + 1;
    if (Math.floor(last / limit) + 1 === page) return { limit, page };
  }
  // More rows than a request returns. The others follow.
  return { limit: MAX_PAGE_SIZE, page: Math.floor(start / MAX_PAGE_SIZE) + 1 };
}

/** The rows without those that are farthest from `center`, at most `MAX_ROWS`. */
function nearestRows(rows: ReadonlyMap<number, Row>, center: number): ReadonlyMap<number, Row> {
  if (rows.size <= MAX_ROWS) return rows;
  const byDistance = [...rows].sort(([a], [b]) => Math.abs(a - center) - Math.abs(b - center));
  return new Map(byDistance.slice(0, MAX_ROWS));
}

/** The first and the last index from `start` to before `end` without a loaded row; null: all are loaded. */
function missingRows(
  rows: ReadonlyMap<number, Row>,
  start: number,
  end: number,
): { first: number; last: number } | null {
  let first = start;
  while (first < end && rows.has(first)) first += 1;
  if (first >= end) return null;
  let last = end - 1;
  while (rows.has(last)) last -= 1;
  return { first, last };
}

/**
 * Loads the visible rows of the grid, one request at a time. Another query or another `version` starts again; the previous
 * rows stay until the first reply.
 */
export function useGridRows(surveyId: number, query: GridQuery, version: number): GridRows {
  const [state, setState] = useState(EMPTY);
  const loaded = useRef(EMPTY.rows);
  const visible = useRef({ start: 0, end: 1 });
  /** The request whose reply counts; null: none is under way. */
  const request = useRef<symbol | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const key = JSON.stringify([surveyId, query, version]);

  const loadMissing = useCallback(async () => {
    const { start, end } = visible.current;
    const missing = missingRows(loaded.current, start, end);
    if (missing === null || request.current !== null) return;
    const { limit, page } = pageOfRows(missing.first, missing.last + 1);
    const current = Symbol(key);
    request.current = current;
    setState((previous) => ({ ...previous, isLoading: true, error: null }));
    try {
      const { data, meta } = await readApi('/api/responses/{surveyId}/grid', {
        path: { surveyId },
        query: { ...query, limit, page },
      });
      if (request.current !== current) return;
      const all = new Map(loaded.current);
      data.rows.forEach((row, position) => all.set((page - 1) * limit + position, row));
      loaded.current = nearestRows(all, visible.current.start);
      const rows = loaded.current;
      const total = meta?.total ?? data.rows.length;
      const counted = meta?.counted ?? null;
      setState({
        columns: data.columns,
        rows,
        total,
        counted,
        error: null,
        isLoaded: true,
        isLoading: false,
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (request.current !== current) return;
      request.current = null;
      setState((previous) => ({ ...previous, error, isLoading: false }));
      return;
    }
    request.current = null;
    // Other rows may have become visible during the request. A list that has become shorter is drawn again first.
    if (loaded.current.has(missing.first)) await loadMissing();
  }, [key]);

  useEffect(() => {
    loaded.current = EMPTY.rows;
    visible.current = { start: 0, end: 1 };
    void loadMissing();
    return () => {
      request.current = null;
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [loadMissing]);

  const schedule = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // On a busy page the timer can be due before the scroll event of the same frame.
      const due = timer.current;
      requestAnimationFrame(() => {
        if (timer.current === due) void loadMissing();
      });
    }, SETTLE_MS);
  }, [loadMissing]);
  const show = useCallback(
    (start: number, end: number) => {
      visible.current = { start, end };
      schedule();
    },
    [schedule],
  );
  const retry = useCallback(() => void loadMissing(), [loadMissing]);
  const { rows, ...rest } = state;
  const rowAt = (index: number) => rows.get(index);
  return { ...rest, rowAt, show, postpone: schedule, retry };
}
