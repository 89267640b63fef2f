/** Browsers do not lay out elements that are much higher, in px: Firefox stops at 17.9 million. */
const MAX_SCROLL_HEIGHT = 15_000_000;

/** What of a long list is visible, and where its rows are. */
export interface VisibleRows {
  /** Height of the list, in px. A very long list is shown compressed: each pixel of the scroll bar stands for several of the list. */
  scrollHeight: number;
  /** Index of the first row to draw. */
  start: number;
  /** Index after the last row to draw. */
  end: number;
  /** Distance of a row from the top of the list, in px. */
  topOf: (index: number) => number;
}

/** Rows beyond the edges, so that fast scrolling shows no gap. */
const MARGIN_ROWS = 8;

/** Returns the rows of a list of `count` that are visible at a scroll position. Lengths are in px. */
export function visibleRows(
  { scrollTop, height, rowHeight }: { scrollTop: number; height: number; rowHeight: number },
  count: number,
): VisibleRows {
  const fullHeight = count * rowHeight;
  const scrollHeight = Math.min(fullHeight, MAX_SCROLL_HEIGHT);
  const canScroll = scrollHeight > height;
  const ratio = canScroll ? (fullHeight - height) / (scrollHeight - height) : 1;
  const top = Math.min(Math.max(0, scrollTop), Math.max(0, scrollHeight - height)) * ratio;
  return {
    scrollHeight,
    start: Math.max(0, Math.floor(top / rowHeight) - MARGIN_ROWS),
    end: Math.min(count, Math.ceil((top + height) / rowHeight) + MARGIN_ROWS),
    topOf: (index) => index * rowHeight - top + top / ratio,
  };
}

/** Columns before the first visible one. They are wider than the columns of every response, which come first in the table. */
const MARGIN_COLUMNS = 5;

/** Returns which of `count` columns of the same width are visible, from the first to before the second index. Lengths are in px. */
export function visibleColumns(
  { scrollLeft, width, columnWidth }: { scrollLeft: number; width: number; columnWidth: number },
  count: number,
): [start: number, end: number] {
  // Negative where the text runs from right to left.
  const left = Math.abs(scrollLeft);
  const first = Math.floor(left / columnWidth) - MARGIN_COLUMNS;
  const last = Math.ceil((left + width) / columnWidth);
  return [Math.max(0, Math.min(first, count)), Math.max(0, Math.min(last + 1, count))];
}
