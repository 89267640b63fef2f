import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { componentTexts } from '../../../shared/client/texts.ts';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { formatCell, nextSort, visibleRange } from './grid-columns.ts';
import type { useGridRows } from './use-grid-rows.ts';

type Row = Schema<'ResponseRow'>;

const t = texts.responses;

/** In px, as in responses.css. */
const ROW_HEIGHT = 40;
/** The next page is requested when fewer rows than this are below the visible ones. */
const ROWS_AHEAD = 30;

const STATUS_CLASSES = { complete: 'chip good', partial: 'chip wait', screened_out: 'chip' };

/** Columns of every response, before those of questions. */
const FIXED = [
  { code: 'response_id', label: t.number, className: 'grid-id' },
  { code: 'response_status', label: t.status, className: 'grid-status' },
  { code: 'completed_at', label: t.completed, className: 'grid-time' },
];

/** A table of which only the visible rows are in the document. The first column stays while the others scroll. */
export function ResponseGrid({
  grid,
  sort,
  onSort,
  onOpen,
}: {
  grid: ReturnType<typeof useGridRows>;
  sort: string | null;
  onSort: (sort: string | null) => void;
  onOpen: (responseId: number) => void;
}) {
  const { columns, rows, total, hasMore, error, isLoading, loadMore } = grid;
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ scrollTop: 0, height: 600 });
  const measure = () => {
    if (scroller.current === null) return;
    const { scrollTop, clientHeight } = scroller.current;
    setScroll({ scrollTop, height: clientHeight });
  };
  useLayoutEffect(() => {
    if (scroller.current === null) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => scroller.current?.scrollTo({ top: 0 }), [sort]);

  const { start, end } = visibleRange({ ...scroll, rowHeight: ROW_HEIGHT }, rows.length);
  const isNearEnd = end + ROWS_AHEAD > rows.length;
  useEffect(() => {
    if (isNearEnd && hasMore && error === null) loadMore();
  }, [isNearEnd, hasMore, error, rows.length, loadMore]);

  const header = (code: string, label: string, className: string) => {
    const direction = sort === code ? 'ascending' : sort === `-${code}` ? 'descending' : 'none';
    return (
      <div key={code} role="columnheader" class={className} aria-sort={direction}>
        <button type="button" title={label} onClick={() => onSort(nextSort(sort, code))}>
          <span>{label}</span>
          <span aria-hidden="true">{{ ascending: '↑', descending: '↓', none: '' }[direction]}</span>
        </button>
      </div>
    );
  };

  return (
    <>
      <div
        ref={scroller}
        class="response-grid"
        role="region"
        tabIndex={0}
        aria-label={t.table}
        aria-busy={isLoading}
        onScroll={measure}
      >
        <div role="table" aria-label={t.table} aria-rowcount={total + 1}>
          <div role="rowgroup" class="grid-head">
            <div role="row" aria-rowindex={1}>
              {FIXED.map(({ code, label, className }) => header(code, label, className))}
              {columns.map((column) => header(column.column_code, column.label, ''))}
            </div>
          </div>
          <div role="rowgroup" style={{ blockSize: `${rows.length * ROW_HEIGHT}px` }} class="grid-body">
            {rows.slice(start, end).map((row, index) => (
              <GridRow
                key={row.response_id}
                row={row}
                columns={columns}
                index={start + index}
                onOpen={() => onOpen(row.response_id)}
              />
            ))}
          </div>
        </div>
      </div>
      {error !== null && (
        <p class="summary" role="alert">
          {t.loadFailed} {errorMessage(error)}
          <button type="button" class="plain" onClick={loadMore}>
            {componentTexts.tryAgain}
          </button>
        </p>
      )}
    </>
  );
}

function GridRow({
  row,
  columns,
  index,
  onOpen,
}: {
  row: Row;
  columns: readonly Schema<'Column'>[];
  index: number;
  onOpen: () => void;
}) {
  return (
    <div
      role="row"
      // The first row is the header.
      aria-rowindex={index + 2}
      class="grid-row"
      style={{ insetBlockStart: `${index * ROW_HEIGHT}px` }}
      onClick={onOpen}
    >
      <div role="rowheader" class="grid-id">
        <button type="button" aria-label={t.open(row.response_id)}>
          {row.response_id}
        </button>
      </div>
      <div role="cell" class="grid-status">
        <span class={STATUS_CLASSES[row.response_status]}>{t.statuses[row.response_status]}</span>
        {row.is_test && <span class="chip">{t.test}</span>}
        {row.quality !== null && <span class="chip bad">{t.flagged}</span>}
      </div>
      <div role="cell" class="grid-time">
        {row.completed_at !== null && <DateTime at={row.completed_at} />}
      </div>
      {columns.map((column) => {
        const text = formatCell(column, row.values[column.column_code]);
        return (
          <div key={column.column_code} role="cell" title={text}>
            {text}
          </div>
        );
      })}
    </div>
  );
}
