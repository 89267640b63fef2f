import type { ComponentChildren, CSSProperties } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { componentTexts } from '../../../shared/client/texts.ts';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { formatCell, formatDuration, languageName, nextSort, reasonText } from './grid-columns.ts';
import type { RowSelection } from './selection-bar.tsx';
import type { GridRows } from './use-grid-rows.ts';
import { type VisibleRows, visibleColumns, visibleRows } from './visible-rows.ts';

type Row = Schema<'ResponseRow'>;
type Column = Schema<'Column'>;

const t = texts.responses;

/** In px, as in responses.css; also the height of the header. */
const ROW_HEIGHT = 40;

/** Of a question column, in rem, as in responses.css. */
const COLUMN_WIDTH = 13;

const STATUS_CLASSES = { complete: 'chip good', partial: 'chip wait', screened_out: 'chip' };

interface FixedColumn {
  code: string;
  label: string;
  className: string;
  cell: (row: Row, links: LinkNames) => ComponentChildren;
}

/** Names of links by id. */
export type LinkNames = ReadonlyMap<number, string>;

/** Columns about every response, after its id and before those of questions. */
export const FIXED_COLUMNS: readonly FixedColumn[] = [
  {
    code: 'response_status',
    label: t.status,
    className: 'grid-status',
    cell: (row) => (
      <>
        <span class={STATUS_CLASSES[row.response_status]}>{t.statuses[row.response_status]}</span>
        {row.is_test && <span class="chip">{t.test}</span>}
        {row.quality?.status === 'pending' && <span class="chip wait">{t.flagged}</span>}
        {row.quality?.status === 'confirmed' && <span class="chip bad">{t.leftOut}</span>}
      </>
    ),
  },
  {
    code: 'completed_at',
    label: t.completed,
    className: 'grid-time',
    cell: ({ completed_at: at }) => at !== null && <DateTime at={at} />,
  },
  {
    code: 'duration_seconds',
    label: t.duration,
    className: 'grid-info',
    cell: ({ duration_seconds: seconds }) => seconds !== null && formatDuration(seconds),
  },
  {
    code: 'language',
    label: t.language,
    className: 'grid-info',
    cell: ({ language }) => language !== null && languageName(language),
  },
  {
    code: 'link_id',
    label: t.link,
    className: 'grid-link',
    cell: ({ link_id: id }, links) => id !== null && (links.get(id) ?? t.personalLink),
  },
];

const ID_COLUMN = { code: 'response_id', label: t.number, className: 'grid-id' };

interface GridProps {
  grid: GridRows;
  /** The columns about every response that are shown. */
  fixed: readonly FixedColumn[];
  links: LinkNames;
  /** The question columns, frozen ones first. */
  columns: readonly Column[];
  /** By their codes. */
  labels: ReadonlyMap<string, string>;
  /** How many of them stay visible while the others scroll. */
  frozenCount: number;
  sort: string | null;
  onSort: (sort: string | null) => void;
  onOpen: (index: number) => void;
  selection: RowSelection;
  /** null: the user cannot select responses, because nothing can be done with them. */
  onSelect: ((responseId: number, isSelected: boolean) => void) | null;
}

/** Position of a frozen column, for the styles. */
const frozenStyle = (index: number, frozenCount: number): CSSProperties | undefined =>
  index < frozenCount ? { '--frozen-index': index } : undefined;

/** A table of which only the visible rows are loaded and in the document, so that it can have a million. */
export function ResponseGrid(props: GridProps) {
  const { grid, fixed, columns, labels, frozenCount, sort, onSort, onSelect } = props;
  const { total, error, isLoading, show, postpone, retry } = grid;
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ scrollTop: 0, height: 600, scrollLeft: 0, width: 1_000 });
  const measure = () => {
    if (scroller.current === null) return;
    const { scrollTop, clientHeight, scrollLeft, clientWidth } = scroller.current;
    setScroll({ scrollTop, height: clientHeight - ROW_HEIGHT, scrollLeft, width: clientWidth });
  };
  useLayoutEffect(() => {
    if (scroller.current === null) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => scroller.current?.scrollTo({ top: 0 }), [sort]);

  const visible = visibleRows({ ...scroll, rowHeight: ROW_HEIGHT }, total);
  const { start, end, scrollHeight } = visible;
  useEffect(() => show(start, end), [start, end, show]);
  const columnWidth = COLUMN_WIDTH * parseFloat(getComputedStyle(document.documentElement).fontSize);
  const columnRange = visibleColumns({ ...scroll, columnWidth }, columns.length);

  /** The first question column, from 0. */
  const firstColumn = fixed.length + (onSelect === null ? 1 : 2);

  const header = (code: string, label: string, className: string, style?: CSSProperties) => {
    const direction = sort === code ? 'ascending' : sort === `-${code}` ? 'descending' : 'none';
    return (
      <div key={code} role="columnheader" class={className} style={style} aria-sort={direction}>
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
        class={onSelect === null ? 'response-grid' : 'response-grid selectable'}
        role="region"
        tabIndex={0}
        aria-label={t.table}
        aria-busy={isLoading}
        onScroll={() => {
          postpone();
          measure();
        }}
      >
        <div
          role="table"
          aria-label={t.table}
          aria-rowcount={total + 1}
          aria-colcount={firstColumn + columns.length}
        >
          <div role="rowgroup" class="grid-head">
            <div role="row" aria-rowindex={1}>
              {onSelect !== null && (
                <div role="columnheader" class="grid-select">
                  <span class="visually-hidden">{t.select}</span>
                </div>
              )}
              {[ID_COLUMN, ...fixed].map(({ code, label, className }) => header(code, label, className))}
              {columns.map((column, index) =>
                header(
                  column.column_code,
                  labels.get(column.column_code) ?? column.label,
                  index < frozenCount ? 'grid-frozen' : '',
                  frozenStyle(index, frozenCount),
                ),
              )}
            </div>
          </div>
          <div role="rowgroup" style={{ blockSize: `${scrollHeight}px` }} class="grid-body">
            <GridBody {...props} visible={visible} columnRange={columnRange} firstColumn={firstColumn} />
          </div>
        </div>
      </div>
      {error !== null && (
        <p class="summary" role="alert">
          {t.loadFailed} {errorMessage(error)}
          <button type="button" class="plain" onClick={retry}>
            {componentTexts.tryAgain}
          </button>
        </p>
      )}
    </>
  );
}

interface RowProps extends GridProps {
  /** The question columns that are drawn besides the frozen ones: from the first to before the second index. */
  columnRange: readonly [number, number];
  firstColumn: number;
}

function GridBody({ visible: { start, end, topOf }, ...props }: RowProps & { visible: VisibleRows }) {
  const indexes = Array.from({ length: Math.max(0, end - start) }, (_, position) => start + position);
  return (
    <>
      {indexes.map((index) => {
        const row = props.grid.rowAt(index);
        const place = { index, top: topOf(index) };
        return row === undefined ? (
          <LoadingRow key={`loading-${index}`} {...place} />
        ) : (
          <GridRow key={row.response_id} row={row} {...place} {...props} />
        );
      })}
    </>
  );
}

interface RowPlace {
  index: number;
  /** In px. */
  top: number;
}

/** The first row of the table is its header. */
const rowIndex = (index: number) => index + 2;

function LoadingRow({ index, top }: RowPlace) {
  return (
    <div
      role="row"
      aria-rowindex={rowIndex(index)}
      class="grid-row loading"
      style={{ insetBlockStart: `${top}px` }}
    >
      <div role="cell">
        <span class="visually-hidden">{componentTexts.loading}</span>
      </div>
    </div>
  );
}

function GridRow({
  row,
  index,
  top,
  fixed,
  links,
  columns,
  frozenCount,
  selection,
  onSelect,
  onOpen,
  columnRange: [from, to],
  firstColumn,
}: RowProps & RowPlace & { row: Row }) {
  const { response_id: id } = row;
  const isSelected = selection.kind === 'all' || selection.ids.has(id);
  return (
    <div
      role="row"
      aria-rowindex={rowIndex(index)}
      class={isSelected ? 'grid-row selected' : 'grid-row'}
      style={{ insetBlockStart: `${top}px` }}
      onClick={() => onOpen(index)}
    >
      {onSelect !== null && (
        // A click beside the box must not open the response.
        <div role="cell" class="grid-select" onClick={(event) => event.stopPropagation()}>
          <input
            type="checkbox"
            aria-label={t.selectResponse(id)}
            checked={isSelected}
            disabled={selection.kind === 'all'}
            onChange={(event) => onSelect(id, event.currentTarget.checked)}
          />
        </div>
      )}
      <div role="rowheader" class="grid-id">
        <button type="button" aria-label={t.open(id)}>
          {id}
        </button>
      </div>
      {fixed.map(({ code, className, cell }) => (
        <div key={code} role="cell" class={className}>
          {cell(row, links)}
        </div>
      ))}
      {columns.map((column, position) => {
        const isFrozen = position < frozenCount;
        if (!isFrozen && (position < from || position >= to)) {
          // One gap stands for the columns before those that are drawn.
          return position === frozenCount && from > frozenCount ? (
            <div
              key="gap"
              role="presentation"
              style={{ inlineSize: `${(from - frozenCount) * COLUMN_WIDTH}rem` }}
            />
          ) : null;
        }
        const reason = reasonText(column, row);
        const text = reason || formatCell(column, row.values[column.column_code]);
        return (
          <div
            key={column.column_code}
            role="cell"
            aria-colindex={firstColumn + position + 1}
            title={text}
            class={isFrozen ? 'grid-frozen' : ''}
            style={frozenStyle(position, frozenCount)}
          >
            {reason === '' ? text : <span class="soft">{reason}</span>}
          </div>
        );
      })}
    </div>
  );
}
